import { AesPayloadCipher } from '../../../src/adapters/out/signing/payload-cipher';
import type { SealedPayload } from '../../../src/domain/credentials/ports';
import { Secret } from '../../../src/domain/shared/secret';
import { sealCbc, sealGcm, vectorCbc, vectorGcm, vectorKey, vectorText } from '../../support/signatures/sealed-payload';

const ids = { clientId: 'host_abc123def456', appId: 'app_abc123' };
const cipher = new AesPayloadCipher();
const open = (text: string, options: Partial<SealedPayload> = {}, key = vectorKey) => {
  const { plain, problem } = cipher.open({ text, ...ids, gcmOnly: false, ...options }, new Secret(key));
  return problem ?? Buffer.from(plain).toString('utf8');
};
const bytes = Buffer.from(vectorCbc, 'base64');

describe('AesPayloadCipher: CBC', () => {
  it("opens the contract's example and seals to the same text", () => {
    expect(open(vectorCbc)).toBe(vectorText);
    expect(sealCbc(vectorText, vectorKey).toString('base64')).toBe(vectorCbc);
  });

  it.each([
    ['standard, padded', bytes.toString('base64')],
    ['standard, without padding', bytes.toString('base64').replace(/=+$/, '')],
    ['URL-safe, without padding', bytes.toString('base64url')],
    ['a line feed after every 60 characters', bytes.toString('base64').replace(/.{60}/g, '$&\n')],
    ['CR and LF after every 76 characters', bytes.toString('base64').replace(/.{76}/g, '$&\r\n')],
    ['blanks at both ends', `  ${vectorCbc} \n`],
    ['URL-safe, padded', bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')],
  ])('reads base64: %s', (_what, text) => {
    expect(open(text)).toBe(vectorText);
  });

  it.each([
    ['nothing', '', 'length'],
    ['both alphabets in one', 'AB+_', 'encoding'],
    ['a blank inside', vectorCbc.replace('AAEC', 'AAEC '), 'encoding'],
    ['a tab inside', vectorCbc.replace('AAEC', 'AAEC\t'), 'encoding'],
    ['stray bits', vectorCbc.replace('xO8=', 'xO9='), 'encoding'],
    ['padding where none belongs', `${'A'.repeat(64)}=`, 'encoding'],
    ['half the padding', bytes.subarray(0, 49).toString('base64').slice(0, -1), 'encoding'],
    ['a length that no bytes have', vectorCbc.slice(0, 41), 'encoding'],
    ['another script', 'пейлоад', 'encoding'],
    ['an IV alone', bytes.subarray(0, 16).toString('base64'), 'length'],
    ['a part of a block', bytes.subarray(0, 40).toString('base64'), 'length'],
  ])('does not read %s', (_what, text, problem) => {
    expect(open(text)).toBe(problem);
  });

  it.each(Array.from({ length: 16 }, (_, i) => i + 1))('takes a text that needs %i bytes of padding', (count) => {
    const text = 'x'.repeat(48 - count);
    expect(open(sealCbc(text, vectorKey).toString('base64'))).toBe(text);
  });

  it('refuses every padding but that of PKCS #7', () => {
    const wrong = [
      Buffer.alloc(16, 0),
      Buffer.alloc(16, 17),
      Buffer.alloc(16, 255),
      Buffer.concat([Buffer.alloc(14, 0), Buffer.from([1, 2])]),
      Buffer.concat([Buffer.from([15]), Buffer.alloc(15, 16)]),
      Buffer.concat([Buffer.alloc(13, 3), Buffer.from([2, 3, 3])]).fill(9, 13, 14),
    ];
    for (const pad of wrong) expect(open(sealCbc('x'.repeat(16), vectorKey, { pad }).toString('base64'))).toBe('padding');
    expect(open(sealCbc('x'.repeat(16), vectorKey, { pad: Buffer.alloc(16, 16) }).toString('base64'))).toBe('x'.repeat(16));
  });

  it('is refused where only v2 is accepted', () => {
    expect(open(vectorCbc, { gcmOnly: true })).toBe('cipher');
    expect(open(vectorGcm, { gcmOnly: true })).toBe(vectorText);
  });
});

describe('AesPayloadCipher: GCM', () => {
  it('reads line breaks anywhere and blanks at both ends', () => {
    expect(open(` ${vectorGcm.replace(/.{7}/g, '$&\r\n')} `)).toBe(open(vectorGcm));
  });

  it("opens the contract's example and seals to the same text", () => {
    expect(open(vectorGcm)).toBe(vectorText);
    expect(sealGcm(vectorText, vectorKey, ids)).toBe(vectorGcm);
  });

  it('is good for its pair alone', () => {
    expect(open(vectorGcm, { appId: 'app_abc124' })).toBe('tag');
    expect(open(vectorGcm, { clientId: 'host_abc123def45', appId: '6.app_abc123' })).toBe('tag');
  });

  it('refuses every changed bit and every truncation, and returns no plaintext', () => {
    const sealed = Buffer.from(vectorGcm.slice(3), 'base64url');
    for (let at = 0; at < sealed.length * 8; at++) {
      const changed = Buffer.from(sealed);
      changed[at >> 3]! ^= 1 << (at & 7);
      const opened = cipher.open({ text: `v2.${changed.toString('base64url')}`, ...ids, gcmOnly: false }, new Secret(vectorKey));
      expect([opened.problem, Buffer.from(opened.plain).some((byte) => byte !== 0)]).toEqual(['tag', false]);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(open(`v2.${sealed.subarray(0, length).toString('base64url')}`)).toBe(length < 28 ? 'length' : 'tag');
    }
  });

  it.each([
    ['the other alphabet', `v2.${vectorGcm.slice(3).replaceAll('-', '+').replaceAll('_', '/')}`, 'encoding'],
    ['another mark', vectorGcm.replace('v2.', 'v3.'), 'encoding'],
    ['no bytes', 'v2.', 'length'],
  ])('does not read %s', (_what, text, problem) => {
    expect(open(text)).toBe(problem);
  });
});

describe('AesPayloadCipher: keys', () => {
  it('opens nothing with another key or with a key that does not have 32 bytes', () => {
    const other = Buffer.alloc(32, 7).toString('base64url');
    expect([open(vectorGcm, {}, other), open(vectorCbc, {}, other)]).toEqual(['tag', 'padding']);
    expect([open(vectorGcm, {}, 'short'), open(vectorCbc, {}, '')]).toEqual(['key', 'key']);
    // All zeros stand in for an unusable key: a value sealed under them is not opened either.
    const zeros = Buffer.alloc(32).toString('base64url');
    expect(open(sealCbc(vectorText, zeros).toString('base64'), {}, 'short')).toBe('key');
  });
});

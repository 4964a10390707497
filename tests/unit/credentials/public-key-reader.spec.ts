import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { NodePublicKeyReader } from '../../../src/adapters/out/signing/public-key-reader';
import { NodeKeyPairGenerator } from '../../../src/adapters/out/signing/key-pair-generator';
import { derTextOf, keyProblem } from '../../../src/domain/credentials/signing/key-rules';
import { pastedKeys, refusedKeys } from '../../support/signatures/pasted-keys';
import { jwkOf } from '../../support/signatures/jwk-of';

const keys = new NodePublicKeyReader();
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const privatePem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const modulusOf = (key: KeyObject) => BigInt(`0x${Buffer.from(jwkOf(key).n!, 'base64url').toString('hex')}`);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('reading a pasted key', () => {
  it.each([
    ['SPKI in PEM', pem(rsa.publicKey)],
    ['PKCS #1 in PEM', rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString()],
    ['SPKI in base64 DER', rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
    ['PKCS #1 in base64 DER', rsa.publicKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')],
    ['PEM with Windows line ends and blanks around', `\n  ${pem(rsa.publicKey).replace(/\n/g, '\r\n')}  `],
    ['DER broken into lines', derTextOf(pem(rsa.publicKey)).replace(/.{64}/g, '$&\n')],
    ['PEM in one line', pem(rsa.publicKey).replace(/\n/g, ' ')],
    ['PEM with a byte order mark', `\ufeff${pem(rsa.publicKey)}`],
    [
      'PEM behind bag attributes',
      `Bag Attributes\n    friendlyName: shop\n    localKeyID: 54 69\nKey Attributes: <No Attributes>\n${pem(rsa.publicKey)}`,
    ],
    ['PEM with a certificate behind it', `${pem(rsa.publicKey)}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`],
    ['JWK', JSON.stringify({ ...jwkOf(rsa.publicKey), kid: 'k1', use: 'sig', alg: 'RS256' })],
  ])('takes RSA as %s and keeps one form', (_form, text) => {
    expect(keys.read(text)).toEqual({
      found: 'rsa',
      bits: 2048,
      exponent: 65537n,
      modulus: modulusOf(rsa.publicKey),
      spki: pem(rsa.publicKey),
    });
  });

  it.each([
    ['P-256', 'prime256v1'],
    ['P-384', 'secp384r1'],
    ['P-521', 'secp521r1'],
    ['secp256k1', 'secp256k1'],
  ])('takes EC on %s', (namedCurve, curve) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve });
    const reading = keys.read(pem(publicKey));
    expect(reading).toEqual({ found: 'ec', curve, spki: pem(publicKey) });
    expect(keyProblem(reading, { algorithm: 'ECDSA' })).toBeUndefined();
  });

  it('takes EC behind a block of EC parameters', () => {
    const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
    expect(keys.read(parameters + pem(ec.publicKey))).toMatchObject({ found: 'ec', curve: 'prime256v1' });
  });

  it.each([
    ['base64-of-pem', Buffer.from(pem(ec.publicKey)).toString('base64')],
    ['several-keys', pem(ec.publicKey) + pem(rsa.publicKey)],
    ['private', Buffer.from(privatePem(ec.privateKey)).toString('base64')],
  ])('names %s as what it is', (found, text) => {
    expect(keys.read(text)).toEqual({ found });
  });

  it.each(Object.entries(pastedKeys.usable))('reads what OpenSSL prints, and OpenSSL reads it again: %s', (_what, text) => {
    const reading = keys.read(text);
    expect(keyProblem(reading)).toBeUndefined();
    const { spki } = reading as Extract<typeof reading, { spki: string }>;
    expect(pem(createPublicKey(spki))).toBe(spki);
    expect(keys.read(spki)).toEqual(reading);
  });

  it.each(refusedKeys)('refuses by its name: %s, %s', (cause, _what, text) => {
    const problem = keyProblem(keys.read(text));
    expect(problem).toEqual({ cause, rule: expect.any(String) as string });
    for (const shape of [`\n${text}\n`, text.replace(/\n/g, '\r\n')]) expect(keyProblem(keys.read(shape))).toEqual(problem);
  });

  it.each([
    ['behind a public one', pem(rsa.publicKey) + privatePem(rsa.privateKey)],
    ['as JWK', JSON.stringify(jwkOf(ec.privateKey))],
    ['as JWK of a shared secret', '{"kty":"oct","k":"AAAA"}'],
    ['of PuTTY', 'PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\nAAAA'],
    ['with its line breaks escaped', privatePem(ec.privateKey).replace(/\n/g, '\\n')],
  ])('knows a private key %s', (_what, text) => {
    expect(keys.read(text)).toEqual({ found: 'private' });
  });

  it.each([
    ['nothing', ''],
    ['prose', 'my key'],
    ['base64 of nothing', 'AAAA'],
    ['an empty PEM', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----'],
    ['a very long text', 'A'.repeat(20_000)],
    ['DER cut short', derTextOf(pem(ec.publicKey)).slice(0, 40)],
    ['DER with something behind it', `${derTextOf(pem(rsa.publicKey)).replace(/=+$/, '')}AAAA`],
    ['a random secret', randomBytes(48).toString('base64')],
    ['an empty object', '{}'],
    ['a broken object', '{"kty":'],
    ['a JWK without its numbers', '{"kty":"RSA","n":5,"e":"AQAB"}'],
  ])('is not fooled by %s', (_what, text) => {
    expect(keyProblem(keys.read(text))).toEqual({ cause: 'not-a-key', rule: 'must be a public key in PEM, base64 DER or JWK' });
  });

  it.each([
    ['escaped-line-breaks', pem(rsa.publicKey).replace(/\n/g, '\\n')],
    ['escaped-line-breaks', JSON.stringify(pem(rsa.publicKey))],
    ['jwk-set', JSON.stringify({ keys: [jwkOf(rsa.publicKey)] })],
    ['key-type', JSON.stringify(jwkOf(generateKeyPairSync('ed25519').publicKey))],
    ['ec-point', derTextOf(pem(ec.publicKey)).replace(/.{8}$/, 'AAAAAA==')],
    // The point at infinity: asked for the details of this key, Node 20 ends the process.
    ['ec-point', Buffer.from('3019301306072a8648ce3d020106082a8648ce3d03010703020000', 'hex').toString('base64')],
    ['ec-point', JSON.stringify({ ...jwkOf(ec.publicKey), y: 'AAAA' })],
  ])('refuses by its name: %s, %s', (cause, text) => {
    expect(keyProblem(keys.read(text))?.cause).toBe(cause);
  });

  it('never reads a damaged key as another key, whichever byte changes', () => {
    for (const [what, text] of Object.entries(pastedKeys.usable)) {
      const bytes = Buffer.from(derTextOf(text), 'base64');
      const whole = keys.read(text);
      bytes.forEach((byte, i) => {
        for (const other of [byte ^ 1, byte ^ 0x80, 0, 0xff]) {
          if (other === byte) continue;
          const damaged = Buffer.from(bytes);
          damaged[i] = other;
          const reading = keys.read(damaged.toString('base64'));
          const kept = 'spki' in reading && 'spki' in whole && reading.spki === whole.spki;
          expect([what, i, other, kept]).toEqual([what, i, other, false]);
          keyProblem(reading);
        }
      });
    }
  });

  it('turns a compressed point into the one form', () => {
    const jwk = jwkOf(ec.publicKey);
    const y = Buffer.from(jwk.y!, 'base64url');
    const prefix = '3039301306072a8648ce3d020106082a8648ce3d030107032200';
    const point = Buffer.concat([Buffer.from([2 + (y.at(-1)! & 1)]), Buffer.from(jwk.x!, 'base64url')]);
    const text = Buffer.concat([Buffer.from(prefix, 'hex'), point]).toString('base64');
    expect(keys.read(text)).toEqual({ found: 'ec', curve: 'prime256v1', spki: pem(ec.publicKey) });
  });

  it('compares with the algorithm and with our own keys', () => {
    const reading = keys.read(pem(rsa.publicKey));
    expect(keyProblem(reading, { algorithm: 'RSA2' })).toBeUndefined();
    expect(keyProblem(reading, { algorithm: 'ECDSA' })).toEqual({
      cause: 'key-algorithm',
      rule: expect.stringMatching(/EC key/) as string,
    });
    expect(keyProblem(keys.read(pem(ec.publicKey)), { algorithm: 'RSA2' })?.rule).toMatch(/RSA key/);
    expect(keyProblem(reading, { own: [pem(rsa.publicKey)] })?.cause).toBe('platform-key');
  });
});

describe('making a key pair', () => {
  it.each([
    ['RSA2', 'rsa'],
    ['ECDSA', 'ec'],
  ] as const)('makes one for %s that the rules take', async (algorithm, found) => {
    const { privateKey, publicKey } = await new NodeKeyPairGenerator().make(algorithm);
    const reading = keys.read(publicKey);
    expect(reading).toMatchObject({ found, spki: publicKey });
    expect(keyProblem(reading, { algorithm })).toBeUndefined();
    expect(createPublicKey(privateKey.reveal()).export({ format: 'pem', type: 'spki' })).toBe(publicKey);
  });
});

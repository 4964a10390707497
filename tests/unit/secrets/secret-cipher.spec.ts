import { randomBytes } from 'node:crypto';
import { AesSecretCipher, SealBroken, UnusableKeyRing } from '../../../src/adapters/out/secrets/secret-cipher';

const key = (id: string) => ({ id, key: randomBytes(32) });
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
const plain = Buffer.from('tök€n', 'utf8');

describe('AesSecretCipher', () => {
  const first = key('k1');
  const box = new AesSecretCipher([first]);

  it.each([
    ['text', plain],
    ['nothing', Buffer.alloc(0)],
    ['a megabyte', randomBytes(1 << 20)],
  ])('opens %s as it was sealed', (_what, value) => {
    expect(Buffer.from(box.open(box.seal(value, 'users.data:1'), 'users.data:1')).equals(value)).toBe(true);
  });

  it('writes format, key id, IV, ciphertext and tag, and no plain text', () => {
    const sealed = Buffer.from(box.seal(plain, 'users.data:1'));
    expect(sealed.subarray(0, 4)).toEqual(Buffer.from([1, 2, ...Buffer.from('k1')]));
    expect(sealed.length).toBe(4 + 12 + plain.length + 16);
    expect(sealed.includes(plain)).toBe(false);
  });

  it('never seals one value to the same bytes twice', () => {
    const sealed = new Set(Array.from({ length: 100 }, () => Buffer.from(box.seal(plain, 'p')).toString('hex')));
    expect(sealed.size).toBe(100);
  });

  it('does not open a value moved to another context', () => {
    expect(() => box.open(box.seal(plain, 'users.data:1'), 'users.data:2')).toThrow(SealBroken);
  });

  it('does not open a value with any one bit changed', () => {
    const sealed = box.seal(plain, 'p');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => box.open(changed, 'p')).toThrow(SealBroken);
    }
  });

  it('does not open a value cut at any length', () => {
    const sealed = box.seal(plain, 'p');
    for (let length = 0; length < sealed.length; length++) expect(() => box.open(sealed.subarray(0, length), 'p')).toThrow(SealBroken);
  });

  it('seals with the first key and opens with every key', () => {
    const next = key('k2');
    const both = new AesSecretCipher([next, first]);
    expect(text(both.open(box.seal(plain, 'p'), 'p'))).toBe('tök€n');
    const sealed = both.seal(plain, 'p');
    expect(text(new AesSecretCipher([next]).open(sealed, 'p'))).toBe('tök€n');
    expect(() => box.open(sealed, 'p')).toThrow(SealBroken);
  });

  it('does not open under another key of the same name', () => {
    expect(() => new AesSecretCipher([key('k1')]).open(box.seal(plain, 'p'), 'p')).toThrow(SealBroken);
  });

  it.each([
    ['no key', []],
    ['two keys of one name', [key('a'), key('a')]],
    ['a short key', [{ id: 'a', key: randomBytes(31) }]],
    ['a long key', [{ id: 'a', key: randomBytes(33) }]],
    ['an all-zero key', [{ id: 'a', key: new Uint8Array(32) }]],
    ['an all-zero key behind a good one', [key('a'), { id: 'b', key: new Uint8Array(32) }]],
    ['an empty name', [key('')]],
    ['a name that cannot be written', [key('ä')]],
  ])('refuses a ring with %s', (_what, notify) => {
    expect(() => new AesSecretCipher(notify)).toThrow(UnusableKeyRing);
  });

  it('does not change when its owner overwrites the key', () => {
    const kept = key('a');
    const own = new AesSecretCipher([kept]);
    const sealed = own.seal(plain, 'p');
    kept.key.fill(0);
    expect(text(own.open(sealed, 'p'))).toBe('tök€n');
  });
});

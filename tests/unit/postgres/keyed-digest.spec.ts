import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { KeyedDigest } from '../../../src/adapters/out/postgres/keyed-digest';

const ofLibrary = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('hex');

describe('KeyedDigest', () => {
  // RFC 4231, test cases 1, 2 and 6: a short key, a text as key, a key longer than a block.
  it.each([
    [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [Buffer.from('Jefe'), 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
    [
      Buffer.alloc(131, 0xaa),
      'Test Using Larger Than Block-Size Key - Hash Key First',
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
  ])('is HMAC-SHA-256 as RFC 4231 has it', (key, text, digest) => {
    expect(new KeyedDigest(key).hex(text)).toBe(digest);
  });

  it('is what the library makes of any key and any texts, one after the other', () => {
    const keys = fc.uint8Array({ minLength: 0, maxLength: 130 });
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(keys, texts, (key, list) => {
        const digest = new KeyedDigest(key);
        for (const text of list) expect(digest.hex(text)).toBe(ofLibrary(key, text));
      }),
    );
  });

  it.each([1364, 1365, 1366, 4096, 100_000])('takes texts that fill its room and go beyond it (%d)', (length) => {
    const key = randomBytes(32);
    for (const letter of ['a', 'ß', '€']) {
      expect(new KeyedDigest(key).hex(letter.repeat(length))).toBe(ofLibrary(key, letter.repeat(length)));
    }
  });

  it('keeps nothing of a long text for the short one after it', () => {
    const key = randomBytes(32);
    const digest = new KeyedDigest(key);
    digest.hex('a long text that comes first');
    expect(digest.hex('short')).toBe(ofLibrary(key, 'short'));
  });
});

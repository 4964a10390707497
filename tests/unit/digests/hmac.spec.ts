import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Hmac, type HashName } from '../../../src/adapters/digests/hmac';

const names: readonly HashName[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
const ofLibrary = (name: HashName, key: Uint8Array, bytes: Uint8Array | string): Buffer => createHmac(name, key).update(bytes).digest();

describe('Hmac', () => {
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
    expect(new Hmac('sha256', key).hex(text)).toBe(digest);
    expect(new Hmac('sha256', key).of(Buffer.from(text)).toString('hex')).toBe(digest);
  });

  it.each(names)('is what the library makes with %s, of any key, texts and bytes, one after the other', (name) => {
    const keys = fc.uint8Array({ minLength: 0, maxLength: 130 });
    const list = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.uint8Array({ maxLength: 5000 })), { maxLength: 5 });
    fc.assert(
      fc.property(keys, list, (key, said) => {
        const made = new Hmac(name, key);
        for (const one of said) {
          const expected = ofLibrary(name, key, one);
          if (typeof one === 'string') expect(made.hex(one)).toBe(expected.toString('hex'));
          else expect(made.of(one)).toEqual(expected);
        }
      }),
    );
  });

  it.each([1364, 1365, 1366, 4096, 4097, 100_000])('takes what fills its room and goes beyond it (%d)', (length) => {
    const key = randomBytes(32);
    for (const name of names) {
      const made = new Hmac(name, key);
      for (const letter of ['a', 'ß', '€']) {
        const text = letter.repeat(length);
        expect(made.hex(text)).toBe(ofLibrary(name, key, text).toString('hex'));
        expect(made.of(Buffer.from(text))).toEqual(ofLibrary(name, key, text));
      }
    }
  });

  it('takes nothing of another key or a longer text that came before', () => {
    const [key, other] = [randomBytes(32), randomBytes(32)];
    const [made, byOther] = [new Hmac('sha256', key), new Hmac('sha512', other)];
    const digest = made.of(Buffer.from('short'));
    byOther.hex('a long text of another key');
    made.of(Buffer.from('a long text that comes first'));
    expect(made.hex('short')).toBe(ofLibrary('sha256', key, 'short').toString('hex'));
    expect(digest).toEqual(ofLibrary('sha256', key, 'short'));
  });
});

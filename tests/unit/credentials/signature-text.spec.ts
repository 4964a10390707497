import fc from 'fast-check';
import { nodeSignatureText } from '../../../src/adapters/out/signing/signature-text';
import type { SignatureEncoding } from '../../../src/domain/credentials/signing/signature-settings';

const { encode, decode } = nodeSignatureText;
const encodings: readonly SignatureEncoding[] = ['base64', 'base64url', 'hex'];
const signatures = fc.uint8Array({ minLength: 1, maxLength: 300 });
const hexOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex');

it.each(encodings)('reads back what it has written in %s, also from part of a larger buffer', (encoding) => {
  fc.assert(
    fc.property(signatures, (bytes) => {
      expect(hexOf(decode(encode(bytes, encoding), encoding))).toBe(hexOf(bytes));
      expect(encode(Uint8Array.of(9, ...bytes, 9).subarray(1, -1), encoding)).toBe(encode(bytes, encoding));
    }),
  );
});

// As many texts of one signature as its alphabet allows on purpose: padding or none, upper or lower case.
const texts: Readonly<Record<SignatureEncoding, (bytes: Uint8Array) => readonly string[]>> = {
  base64: (bytes) => [Buffer.from(bytes).toString('base64')],
  base64url: (bytes) => {
    const padded = Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    return [padded, padded.replaceAll('=', '')];
  },
  hex: (bytes) => [Buffer.from(bytes).toString('hex'), Buffer.from(bytes).toString('hex').toUpperCase()],
};

it.each(encodings)('knows a signature in %s by no other text than its own', (encoding) => {
  const characters = fc.constantFrom(...'ABab09+/-_= \n\t*é\u0000Zz');
  fc.assert(
    fc.property(signatures, fc.nat(), characters, fc.constantFrom('replace', 'insert', 'remove'), (bytes, position, character, change) => {
      const text = encode(bytes, encoding);
      const at = position % text.length;
      const removed = change === 'insert' ? 0 : 1;
      const changed = text.slice(0, at) + (change === 'remove' ? '' : character) + text.slice(at + removed);
      const read = decode(changed, encoding);
      // Read at all, it is another signature, or this one in one of the texts that it may have.
      if (read) expect(texts[encoding](read)).toContain(changed);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['base64', ''],
  ['base64', '===='],
  ['base64', 'QQ='],
  ['base64', 'QQ'],
  ['base64', 'QR=='],
  ['base64', 'QUJ'],
  ['base64', 'QUI==='],
  ['base64', 'Q'],
  ['base64url', 'QR'],
  ['base64url', 'QQ='],
  ['base64url', 'Q'],
  ['base64url', '+/+/'],
  ['hex', 'a'],
  ['hex', 'abc'],
  ['hex', 'aB'],
  ['hex', '0xab'],
  ['hex', 'ab '],
] as const)('reads no signature in %s: %j', (encoding, text) => {
  expect(decode(text, encoding)).toBeUndefined();
});

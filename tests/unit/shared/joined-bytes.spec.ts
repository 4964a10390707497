import fc from 'fast-check';
import { joinedBytes } from '../../../src/domain/shared/joined-bytes';

const plainly = (pieces: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece)));

describe('joined bytes', () => {
  it('are the texts in UTF-8 and the bytes, one after the other', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.uint8Array({ maxLength: 3000 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        expect(Buffer.from(joinedBytes(pieces))).toEqual(plainly(pieces));
      }),
    );
  });

  it('are as long as their parts together', () => {
    expect(joinedBytes([])).toHaveLength(0);
    expect(joinedBytes(['', new Uint8Array()])).toHaveLength(0);
    expect(joinedBytes(['\ud800'])).toEqual(Uint8Array.of(0xef, 0xbf, 0xbd));
  });

  it('stay unchanged when others are made after them, and never overlap', () => {
    const made = Array.from({ length: 2000 }, (_, n) => [n, joinedBytes([`${n} `, Uint8Array.of(n & 255)])] as const);
    const joined = Array.from({ length: 20 }, (_, n) => joinedBytes(['€'.repeat(1300), String(n)]));
    for (const [n, bytes] of made) expect(Buffer.from(bytes)).toEqual(plainly([`${n} `, Uint8Array.of(n & 255)]));
    joined.forEach((bytes, n) => expect(Buffer.from(bytes)).toEqual(plainly(['€'.repeat(1300), String(n)])));
    const views = [...made.map(([, bytes]) => bytes), ...joined].map(({ buffer, byteOffset, length }) => ({ buffer, byteOffset, length }));
    const last = new Map<ArrayBufferLike, number>();
    for (const { buffer, byteOffset, length } of views) {
      expect(byteOffset).toBeGreaterThanOrEqual(last.get(buffer) ?? 0);
      last.set(buffer, byteOffset + length);
    }
  });
});

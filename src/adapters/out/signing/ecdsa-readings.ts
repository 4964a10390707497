import { createHash, verify, type KeyObject } from 'node:crypto';
import type { OddScheme, SignatureReading } from '../../../domain/credentials/explain/ports';
import type { SignatureHash } from '../../../domain/credentials/signing/signature-settings';
import { derContent, derElements, derNumber, derTag } from './der';
import { hashNames } from './signing-key';

/** The size of r and of s in bytes, by OpenSSL curve name. */
const scalarBytes: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48, secp521r1: 66, secp256k1: 32 };

/** A possible r‖s of a signature. */
interface Scalars {
  readonly raw: Buffer;
  readonly scheme?: OddScheme;
}

/** Every possible reading of a signature under an EC key. A check costs 0.1 to 2 ms, so no reading is returned twice. */
export function ecdsaReadings(key: KeyObject, signature: Buffer): readonly SignatureReading[] {
  const size = scalarBytes[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (size === undefined) return [];
  const hashes = Object.keys(hashNames) as readonly SignatureHash[];
  return scalarsIn(signature, size).flatMap(({ raw, scheme }) =>
    hashes.map((hash): SignatureReading => {
      const known = new Map<string, boolean>();
      const fits = (text: Uint8Array): boolean => {
        const name = createHash('sha1').update(text).digest('hex');
        const before = known.get(name);
        if (before !== undefined) return before;
        const fit = verify(hashNames[hash], text, { key, dsaEncoding: 'ieee-p1363' }, raw);
        known.set(name, fit);
        return fit;
      };
      return scheme ? { hash, scheme, fits } : { hash, fits };
    }),
  );
}

function scalarsIn(signature: Buffer, size: number): readonly Scalars[] {
  const found: Scalars[] = signature.length === 2 * size ? [{ raw: signature }] : [];
  const strict = signature[0] === 0x30 ? derScalars(signature, size) : undefined;
  if (strict) return [...found, { raw: strict }];
  const loose = signature[0] === 0x30 ? looseScalars(signature, size) : undefined;
  if (loose) found.push({ raw: loose, scheme: 'ecdsa-der-broken' });
  return found.length > 0 ? found : unpadded(signature, size);
}

const joined = (r: Buffer, s: Buffer, size: number): Buffer | undefined => {
  const parts = [r, s].map((number) => scalar(number, size));
  return parts.every((part) => part !== undefined) ? Buffer.concat(parts) : undefined;
};

/** Pads a number to exactly `size` bytes; `undefined` when it is too large. */
function scalar(number: Buffer, size: number): Buffer | undefined {
  const first = number.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.alloc(0) : number.subarray(first);
  return digits.length > size ? undefined : Buffer.concat([Buffer.alloc(size - digits.length), digits]);
}

function derScalars(signature: Buffer, size: number): Buffer | undefined {
  const content = derContent(signature, derTag.sequence);
  const [r, s, ...rest] = (content && derElements(content)) ?? [];
  const areNumbers = [r, s].every((one) => one?.tag === derTag.integer && derNumber(one.content) !== undefined);
  return r && s && rest.length === 0 && areNumbers ? joined(r.content, s.content, size) : undefined;
}

/** Reads invalid DER: integers without the zero byte before a high first byte, or with too many, or a wrong outer length. */
function looseScalars(signature: Buffer, size: number): Buffer | undefined {
  for (const at of [2, 3]) {
    const length = signature[at + 1] ?? 0;
    const second = at + 2 + length;
    const end = second + 2 + (signature[second + 1] ?? 0);
    if (signature[at] !== derTag.integer || signature[second] !== derTag.integer || end > signature.length) continue;
    return joined(signature.subarray(at + 2, second), signature.subarray(second + 2, end), size);
  }
  return undefined;
}

/** Reads r and s side by side with missing or extra leading zeros: tries every offset where r may end. */
function unpadded(signature: Buffer, size: number): Scalars[] {
  const shortest = size - 4;
  if (signature.length < 2 * shortest || signature.length > 2 * size + 4) return [];
  const found: Scalars[] = [];
  for (let end = Math.max(shortest, signature.length - size - 2); end <= Math.min(size + 2, signature.length - shortest); end++) {
    const raw = joined(signature.subarray(0, end), signature.subarray(end), size);
    if (raw) found.push({ raw, scheme: 'ecdsa-raw-unpadded' });
  }
  return found;
}

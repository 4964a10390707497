import { constants, createHash, publicDecrypt, type KeyObject } from 'node:crypto';
import type { SignatureReading } from '../../../domain/credentials/explain/ports';
import type { SignatureHash } from '../../../domain/credentials/signing/signature-settings';
import { hashNames } from './signing-key';

/** The DigestInfo prefix before the digest (RFC 8017 §9.2, note 1). */
const digestInfo: Readonly<Record<SignatureHash, string>> = {
  MD5: '3020300c06082a864886f70d020505000410',
  'SHA-1': '3021300906052b0e03021a05000414',
  'SHA-224': '302d300d06096086480165030402040500041c',
  'SHA-256': '3031300d060960864801650304020105000420',
  'SHA-384': '3041300d060960864801650304020205000430',
  'SHA-512': '3051300d060960864801650304020305000440',
};
const hashes = Object.keys(digestInfo) as readonly SignatureHash[];

const digestOf = (hash: SignatureHash, ...parts: readonly Uint8Array[]): Buffer => {
  const made = createHash(hashNames[hash]);
  for (const part of parts) made.update(part);
  return made.digest();
};

/**
 * The digests that an RSA signature contains; comparing a text with them costs one hash. Empty when the signature was not made with this
 * key.
 */
export function rsaReadings(key: KeyObject, signature: Buffer): readonly SignatureReading[] {
  const encoded = opened(key, signature);
  if (!encoded) return [];
  const padded = /^0001(?:ff){8,}00((?:..)*)$/.exec(encoded.toString('hex'))?.[1];
  return padded === undefined ? pssReadings(key, encoded) : paddedReadings(padded);
}

function opened(key: KeyObject, signature: Buffer): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
  } catch {
    return undefined;
  }
}

function paddedReadings(hex: string): readonly SignatureReading[] {
  const named = hashes.find((hash) => hex.startsWith(digestInfo[hash]));
  if (named) {
    const digest = Buffer.from(hex.slice(digestInfo[named].length), 'hex');
    return [{ hash: named, fits: (text) => digestOf(named, text).equals(digest) }];
  }
  const bare = Buffer.from(hex, 'hex');
  return hashes.flatMap((hash): SignatureReading[] => {
    const length = digestOf(hash).length;
    if (bare.length === length) return [{ hash, scheme: 'rsa-bare-digest', fits: (text) => digestOf(hash, text).equals(bare) }];
    if (bare.length !== 2 * length) return [];
    const hexText = bare.toString('latin1').toLowerCase();
    return [{ hash, scheme: 'rsa-bare-digest', fits: (text) => digestOf(hash, text).toString('hex') === hexText }];
  });
}

/** Decodes PSS (RFC 8017 §9.1.2) with any hash and salt length. */
function pssReadings(key: KeyObject, encoded: Buffer): readonly SignatureReading[] {
  const bits = (key.asymmetricKeyDetails?.modulusLength ?? 0) - 1;
  const message = encoded.subarray(encoded.length - Math.ceil(bits / 8));
  if (message.at(-1) !== 0xbc) return [];
  return hashes.flatMap((hash) =>
    [...new Set<SignatureHash>([hash, 'SHA-1'])].flatMap((maskHash): SignatureReading[] => {
      const found = unmasked(message, { hash, maskHash, unused: 8 * message.length - bits });
      if (!found) return [];
      const { salt, inner } = found;
      return [{ hash, scheme: 'rsa-pss', fits: (text) => digestOf(hash, Buffer.alloc(8), digestOf(hash, text), salt).equals(inner) }];
    }),
  );
}

interface Masking {
  readonly hash: SignatureHash;
  readonly maskHash: SignatureHash;
  /** The number of leading bits of the first byte that are always zero. */
  readonly unused: number;
}

function unmasked(message: Buffer, { hash, maskHash, unused }: Masking): { salt: Buffer; inner: Buffer } | undefined {
  const size = digestOf(hash).length;
  const length = message.length - size - 1;
  if (length < 1) return undefined;
  const inner = message.subarray(length, length + size);
  const mask = maskOf(inner, length, maskHash);
  const block = Buffer.from(message.subarray(0, length).map((byte, i) => byte ^ mask[i]!));
  block[0]! &= 0xff >> unused;
  const mark = block.findIndex((byte) => byte !== 0);
  return mark >= 0 && block[mark] === 1 ? { salt: block.subarray(mark + 1), inner } : undefined;
}

/** MGF1 (RFC 8017 §B.2.1). */
function maskOf(seed: Buffer, length: number, hash: SignatureHash): Buffer {
  const pieces: Buffer[] = [];
  for (let i = 0, made = 0; made < length; i++) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(i);
    const piece = digestOf(hash, seed, counter);
    pieces.push(piece);
    made += piece.length;
  }
  return Buffer.concat(pieces);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodePublicKeyReader } from '../../../src/adapters/out/signing/public-key-reader';
import type { CredentialValue } from '../../../src/domain/credentials/credential';
import type { SignatureAlgorithm, SignatureEncoding, SignatureHash } from '../../../src/domain/credentials/signing/signature-settings';
import { Secret } from '../../../src/domain/shared/secret';

/** One signature that was made elsewhere, and what the specification says of it. */
export interface SignatureVector {
  readonly source: VectorSource;
  readonly case: string;
  readonly algorithm: SignatureAlgorithm;
  readonly hash: SignatureHash;
  /** As a partner hands it over: PEM, DER in base64, PKCS #1 in either, a JWK; or the shared secret. */
  readonly key: { readonly name: string; readonly form: string; readonly value: string };
  readonly text: Buffer;
  readonly encoding: SignatureEncoding;
  readonly signature: string;
  readonly verdict: 'accepted' | 'refused' | 'unreadable';
}

export const vectorSources = ['openssl', 'webcrypto', 'published'] as const;
export type VectorSource = (typeof vectorSources)[number];

/** The vectors of tests/vectors, of one source: the OpenSSL command line, the Web Crypto API, or standards that print some. */
export function signatureVectors(source: VectorSource): readonly SignatureVector[] {
  const texts = new Map<string, Buffer>();
  const keys = new Map<string, string>();
  const vectors: SignatureVector[] = [];
  const file = join(__dirname, `../../vectors/${source}-vectors.jsonl`);
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const { text, base64 } of lines) if (base64 !== undefined) texts.set(text, Buffer.from(base64, 'base64'));
  for (const { key, form, value } of lines) if (value !== undefined) keys.set(`${key} ${form}`, value);
  for (const { key, form, text, ...line } of lines) {
    if (line.case === undefined) continue;
    const [signed, value] = [texts.get(text), keys.get(`${key} ${form}`)];
    if (!signed || value === undefined) throw new Error(`A vector of ${source} names a text or key that is not there`);
    vectors.push({ ...line, source, text: signed, key: { name: key, form, value } });
  }
  return vectors;
}

/** A key or secret as it would be stored. */
export function storedKey({ algorithm, key: { name, value } }: Pick<SignatureVector, 'algorithm' | 'key'>): CredentialValue {
  const stored = { fingerprint: name, createdAt: 0 };
  if (algorithm === 'HMAC') return { ...stored, secret: new Secret(value) };
  const reading = new NodePublicKeyReader().read(value);
  if (!('spki' in reading)) throw new Error(`The key ${name} was not read: ${reading.found}`);
  return { ...stored, secret: new Secret(reading.spki), publicKey: reading.spki };
}

export const titleOf = ({ source, algorithm, hash, key, encoding, case: name }: SignatureVector): string =>
  `${source}: ${algorithm} ${hash} ${key.name} (${key.form}), ${encoding}: ${name}`;

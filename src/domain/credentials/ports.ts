import type { RateCount } from '../shared/rate-count';
import type { Secret } from '../shared/secret';

/** Comparison that does not tell by its time, and names for secrets that do not tell them. */
export interface SecretDigest {
  /** Equal in constant time, whatever the lengths. */
  equals(a: string, b: string): boolean;
  /** `sha256:` and the first 16 hex digits of the digest: tells two values apart, tells neither. */
  fingerprint(text: string): string;
}

/** New random secrets. */
export interface SecretSource {
  /** 32 random bytes in URL-safe base64 with padding: 44 characters. */
  secretKey(): Secret;
  /** `length` characters of `[A-Za-z0-9]`. */
  letters(length: number): string;
}

/** Addresses and networks, IPv4 and IPv6, mapped IPv6 unwrapped. */
export interface AddressBook {
  /** Whether an entry of `list` (addresses, CIDR) holds the address. An address that cannot be read is in no list. */
  contains(list: readonly string[], address: string): boolean;
  /** Why an entry cannot be stored: not an address or network, a zone id, host bits set, leading zeros. `undefined`: it can. */
  problem(entry: string): string | undefined;
}

/** What a call is counted against. */
export interface RateBucket {
  /** `call`: calls of a public endpoint; `basic-failure`, `payload-failure`: failed proofs of one app. */
  readonly limit: string;
  /** Who is counted, joined to one text. Stored only as a digest. */
  readonly subject: string;
}

/** Counts over all instances, in windows of a minute (decisions §1: Limits a minute). */
export interface RateLimiter {
  /** Counts one. Throws RATE_LIMITED (kind `too-many`, with retryAfterS and rate) where the limit was reached before. */
  count(bucket: RateBucket): Promise<RateCount>;
}

/** A value at rest, encrypted under the first key of the ring, readable under any of them. */
export interface SecretBox {
  /** `place` names table, column and row: a sealed value moved elsewhere does not open. */
  seal(plain: Uint8Array, place: string): Uint8Array;
  /** Throws where the key is unknown, the place is another, or a bit has changed. */
  open(sealed: Uint8Array, place: string): Uint8Array;
}

/** What a text holds, as far as keys go. `spki` is the public key again, in the one form that is stored: SPKI in PEM. */
export type KeyReading =
  | { readonly found: 'rsa'; readonly bits: number; readonly exponent: bigint; readonly spki: string }
  | { readonly found: 'ec'; readonly curve: string; readonly spki: string }
  | { readonly found: 'other-public'; readonly type: string }
  | { readonly found: 'private' }
  | { readonly found: 'nothing' };

/** Reads keys that were pasted by people. */
export interface KeyImport {
  /** PEM, or DER in base64: SPKI, or PKCS #1 for RSA. Never throws. `curve` is the named curve, as OpenSSL calls it. */
  read(text: string): KeyReading;
}

/** A key pair of ours: the private key as PKCS #8, the public key as SPKI, both in PEM. */
export interface KeyPair {
  readonly privateKey: Secret;
  readonly publicKey: string;
}

/** New key pairs, made off the main thread. */
export interface KeyMaker {
  make(algorithm: 'RSA2' | 'ECDSA'): Promise<KeyPair>;
}

/** A payload of `partner/login`, and what it must have been encrypted for. */
export interface SealedPayload {
  /** Base64 of IV and AES-256-CBC ciphertext, or `v2.` and base64url of IV, AES-256-GCM ciphertext and tag. */
  readonly text: string;
  readonly clientId: string;
  readonly appId: string;
  /** Only `v2.` is accepted. */
  readonly gcmOnly: boolean;
}

/** What came out. With a problem, in one word of ours, the bytes are no plaintext: they are there to be worked on all the same. */
export interface OpenedPayload {
  readonly plain: Uint8Array;
  readonly problem?: 'encoding' | 'length' | 'key' | 'padding' | 'tag' | 'cipher' | undefined;
}

/** Opens payloads of `partner/login`. Source: decisions §2, partner/login. */
export interface PayloadCipher {
  /** Never throws, and does the same work whether and why ever it fails. `key`: 32 bytes in URL-safe base64. */
  open(sealed: SealedPayload, key: Secret): OpenedPayload;
}

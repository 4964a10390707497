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
  /** Counts one. Throws RATE_LIMITED (kind `too-many`, with retryAfterS) where the limit was reached before. */
  count(bucket: RateBucket): Promise<void>;
}

/** A value at rest, encrypted under the first key of the ring, readable under any of them. */
export interface SecretBox {
  /** `place` names table, column and row: a sealed value moved elsewhere does not open. */
  seal(plain: Uint8Array, place: string): Uint8Array;
  /** Throws where the key is unknown, the place is another, or a bit has changed. */
  open(sealed: Uint8Array, place: string): Uint8Array;
}

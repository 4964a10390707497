import type { RateCount } from '../shared/rate-count';
import type { Secret } from '../shared/secret';
import type { CredentialKind, CredentialSlot, CredentialValue } from './credential';
import type { SignatureAlgorithm, SignatureEncoding, SignatureHash } from './signature-settings';

/** Whether a text is the one that it was made for, in constant time. */
export type SecretMatcher = (sent: string) => boolean;

/** Comparison that does not tell by its time, and names for secrets that do not tell them. */
export interface SecretDigest {
  /** Equal in constant time, whatever the lengths. */
  equals(a: string, b: string): boolean;
  /** The same against one text again and again. What it returns holds a digest of the text, never the text. */
  matcher(stored: string): SecretMatcher;
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
  /** The address in its one form, out of its mapped form where it is in one. `undefined`: it cannot be read. */
  plain(address: string): string | undefined;
  /** Why an entry cannot be stored: not an address or network, a zone id, host bits set, leading zeros. `undefined`: it can. */
  problem(entry: string): string | undefined;
}

/** What a call is counted against. */
export interface RateBucket {
  /**
   * A call of a public endpoint; `basic-failure`: failed proofs of one app; `sign_on_failures`: refused sign-ons; `signature`:
   * wrong signatures of one app and address.
   */
  readonly limit: string;
  /** The counted caller, as one text. Stored only as a digest. */
  readonly subject: string;
}

/** Counts over all instances, in windows of a minute (contract/conventions#rate-limits). */
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

/** Pasted text that is no public key. */
export type ForeignForm =
  'certificate' | 'certificate-request' | 'ssh-key' | 'pgp-key' | 'jwk-set' | 'escaped-line-breaks' | 'several-keys' | 'base64-of-pem';

/**
 * What a text holds, as far as keys go. `spki` is the public key again, in the one form that is stored: SPKI in PEM. `ec-point`:
 * a point that is not on its curve; `ec-parameters`: a curve that is spelt out instead of named.
 */
export type KeyReading =
  | { readonly found: 'rsa'; readonly bits: number; readonly exponent: bigint; readonly modulus: bigint; readonly spki: string }
  | { readonly found: 'ec'; readonly curve: string; readonly spki: string }
  | { readonly found: 'ec-point'; readonly curve: string }
  | { readonly found: 'other-public'; readonly type: string }
  | { readonly found: ForeignForm | 'ec-parameters' | 'private' | 'nothing' };

/** Reads keys that were pasted by people. */
export interface KeyImport {
  /** PEM, or DER in base64: SPKI, or PKCS #1 for RSA; or a JWK. Never throws. `curve` is the named curve, as OpenSSL calls it. */
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

/** A public key of the platform, and the app that it was made for. */
export interface PublishedKey {
  readonly partner: 'host-app' | 'miniapp';
  readonly id: string;
  readonly slot: CredentialSlot;
  /** SPKI in PEM. */
  readonly publicKey: string;
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; absent: until replaced. */
  readonly validUntil?: number;
  /** What the app's calls are hashed with. */
  readonly hash: SignatureHash;
}

/** The public keys with which partners check what the platform signs. */
export interface PublishedKeys {
  /** Every one that is in use, waits, or is in its grace time at `now`, by fingerprint; at most a second old. */
  list(now: number): Promise<readonly PublishedKey[]>;
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

/** The result. With a problem, in one word of ours, the bytes are no plaintext: they are there to be worked on all the same. */
export interface OpenedPayload {
  readonly plain: Uint8Array;
  readonly problem?: 'encoding' | 'length' | 'key' | 'padding' | 'tag' | 'cipher' | undefined;
}

/** Opens payloads of `partner/login`. Source: contract/sign-on#partner-login. */
export interface PayloadCipher {
  /** Never throws, and does the same work whether and why ever it fails. `key`: 32 bytes in URL-safe base64. */
  open(sealed: SealedPayload, key: Secret): OpenedPayload;
}

/** Bytes that were signed, or are to be; and with what. */
export interface SigningMaterial {
  readonly text: Uint8Array;
  readonly hash: SignatureHash;
  /** For HMAC the shared secret; else the public key is in `publicKey` and the private one, where it is ours, in `secret`. */
  readonly key: CredentialValue;
}

/** The key cannot be used with the algorithm: it was stored under other rules. */
export class UnusableKey extends Error {}

/** One algorithm of contract/signatures#algorithms: makes and checks signatures. What it makes of a key it makes once. */
export interface SigningProvider {
  /** Throws UnusableKey. */
  sign(material: SigningMaterial): Promise<Uint8Array>;
  /** False: not made with this key over this text. Throws UnusableKey. */
  verify(material: SigningMaterial, signature: Uint8Array): Promise<boolean>;
}

/** A provider for each algorithm. */
export type SigningProviders = Readonly<Record<SignatureAlgorithm, SigningProvider>>;

/** A nonce of one partner. */
export interface UsedNonce {
  /** Whose: `host-app:` or `miniapp:` and the id. */
  readonly partner: string;
  /** The fingerprint of the public key that signed it: several apps may share the key (contract/signatures#shared-keys). Absent: a shared secret did. */
  readonly key?: string | undefined;
  /** 16 to 64 characters. */
  readonly nonce: string;
}

/** Under which names a nonce is noted: its partner's, as a version before did, and its key's. */
export const nonceSubjects = ({ partner, key }: UsedNonce): readonly string[] => [partner, ...(key === undefined ? [] : [`key:${key}`])];

/** Nonces that were accepted, over all instances (contract/signatures#verification). */
export interface NonceLedger {
  /**
   * Notes the nonce until then (milliseconds since the epoch). False: it was noted before, for the partner or for the key, and has not expired at `now`. Of
   * many who note one at once, one hears true. Rejects where the ledger is away: then nothing may be accepted.
   */
  use(nonce: UsedNonce, now: number, until: number): Promise<boolean>;
}

/** One value of one partner's credentials. */
export interface CredentialRef {
  readonly partner: 'host-app' | 'miniapp';
  readonly id: string;
  readonly kind: CredentialKind;
  readonly value: CredentialValue;
  /** Where the call came from that it proved; absent: a call of ours. */
  readonly address?: string;
}

/** Hears which credentials are used, so that an owner can see which is safe to remove. Returns at once and never fails. */
export interface CredentialUses {
  used(credential: CredentialRef): void;
}

/** Signatures as the text of a header. */
export interface SignatureText {
  encode(signature: Uint8Array, encoding: SignatureEncoding): string;
  /** Strictly, so that one signature has one text in each alphabet: `undefined` for stray characters, bits or padding (contract/signatures#settings). */
  decode(text: string, encoding: SignatureEncoding): Uint8Array | undefined;
}

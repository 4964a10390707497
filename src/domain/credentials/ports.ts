import type { RateCount } from '../shared/rate-count';
import type { Secret } from '../shared/secret';
import type { CredentialKind, CredentialSlot, CredentialValue } from './credential';
import type { SampleLanguage } from './explain/sample-languages';
import type { SignatureAlgorithm, SignatureEncoding, SignatureHash, SignatureSettings } from './signing/signature-settings';

/** Whether a text equals the one that the matcher was made for, in constant time. */
export type SecretMatcher = (sent: string) => boolean;

/** Compares secrets in constant time, and makes fingerprints that do not reveal them. */
export interface SecretDigestProvider {
  /** Compares in constant time, whatever the lengths. */
  equals(a: string, b: string): boolean;
  /** The same for repeated comparisons with one text. The matcher holds a digest of the text, never the text. */
  matcher(stored: string): SecretMatcher;
  /** `sha256:` and the first 16 hex digits of the digest, which identify a value without revealing it. */
  fingerprint(text: string): string;
}

/** Generates random secrets. */
export interface SecretGenerator {
  /** 32 random bytes in URL-safe base64 with padding: 44 characters. */
  secretKey(): Secret;
  /** `length` characters of `[A-Za-z0-9]`. */
  letters(length: number): string;
}

/** Matches addresses and networks, IPv4 and IPv6; mapped IPv6 addresses count as IPv4. */
export interface IpAddressMatcher {
  /** Whether an entry of `list` (addresses, CIDR) contains the address. An invalid address is in no list. */
  contains(list: readonly string[], address: string): boolean;
  /** The canonical form of the address; a mapped address becomes IPv4. `undefined` for an invalid address. */
  plain(address: string): string | undefined;
  /** Why an entry cannot be stored: not an address or network, a zone id, host bits set, leading zeros. `undefined` when it can. */
  problem(entry: string): string | undefined;
}

/** The limit and the caller that a call is counted for. */
export interface RateBucket {
  /**
   * The limit's name: a public endpoint; `basic-failure`: failed Basic checks of one app; `sign_on_failures`: refused sign-ons;
   * `signature`: wrong signatures of one app and address.
   */
  readonly limit: string;
  /** Identifies the counted caller. Stored only as a digest. */
  readonly subject: string;
}

/** Counts calls over all instances, in windows of a minute (contract/conventions#rate-limits). */
export interface RateLimiter {
  /** Counts one call. Throws RATE_LIMITED (kind `too-many`, with retryAfterS and rate) where the limit was reached before. */
  count(bucket: RateBucket): Promise<RateCount>;
}

/** Encrypts stored values with the first key of the key ring; decrypts with any of them. */
export interface SecretCipher {
  /**
   * `context` names table, column and row (the additional authenticated data): a sealed value that was moved elsewhere cannot be
   * decrypted.
   */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** Throws where the key is unknown, the context differs, or a bit has changed. */
  open(sealed: Uint8Array, context: string): Uint8Array;
}

/** Formats that people paste by mistake instead of a public key. */
export type ForeignForm =
  'certificate' | 'certificate-request' | 'ssh-key' | 'pgp-key' | 'jwk-set' | 'escaped-line-breaks' | 'several-keys' | 'base64-of-pem';

/**
 * The key found in a text. `spki` is the public key in the form that is stored: SPKI in PEM. `ec-point`: a point that is not on its curve;
 * `ec-parameters`: explicit curve parameters instead of a named curve.
 */
export type KeyReading =
  | { readonly found: 'rsa'; readonly bits: number; readonly exponent: bigint; readonly modulus: bigint; readonly spki: string }
  | { readonly found: 'ec'; readonly curve: string; readonly spki: string }
  | { readonly found: 'ec-point'; readonly curve: string }
  | { readonly found: 'other-public'; readonly type: string }
  | { readonly found: ForeignForm | 'ec-parameters' | 'private' | 'nothing' };

/** Reads keys that people pasted. */
export interface PublicKeyReader {
  /** Reads PEM, or DER in base64: SPKI, or PKCS #1 for RSA; or a JWK. Never throws. `curve` is the curve's OpenSSL name. */
  read(text: string): KeyReading;
}

/** A key pair of the platform: private key as PKCS #8, public key as SPKI, both in PEM. */
export interface KeyPair {
  readonly privateKey: Secret;
  readonly publicKey: string;
}

/** Generates key pairs, off the main thread. */
export interface KeyPairGenerator {
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
  /** Milliseconds since the epoch. Absent: until replaced. */
  readonly validUntil?: number;
  /** The hash of signatures for this app. */
  readonly hash: SignatureHash;
}

/** Lists the public keys that partners need to check the platform's signatures. */
export interface PublishedKeyReader {
  /** All current and next keys, and previous ones in their grace period at `now`, sorted by fingerprint; at most a second old. */
  list(now: number): Promise<readonly PublishedKey[]>;
}

/** A payload of `partner/login`, and the partners that it must have been encrypted for. */
export interface SealedPayload {
  /** Base64 of IV and AES-256-CBC ciphertext, or `v2.` and base64url of IV, AES-256-GCM ciphertext and tag. */
  readonly text: string;
  readonly clientId: string;
  readonly appId: string;
  /** Accepts only `v2.`. */
  readonly gcmOnly: boolean;
}

/**
 * The result of decryption. With a problem, named by a keyword, `plain` is no plaintext, but present, so that the caller can do the same
 * work.
 */
export interface OpenedPayload {
  readonly plain: Uint8Array;
  readonly problem?: 'encoding' | 'length' | 'key' | 'padding' | 'tag' | 'cipher' | undefined;
}

/** Decrypts payloads of `partner/login`. Source: contract/sign-on#partner-login. */
export interface PayloadCipher {
  /** Never throws, and does the same work whether it succeeds or not. `key`: 32 bytes in URL-safe base64. */
  open(sealed: SealedPayload, key: Secret): OpenedPayload;
}

/** A text to sign or verify, with its hash and key. */
export interface SigningMaterial {
  readonly text: Uint8Array;
  readonly hash: SignatureHash;
  /** For HMAC, `secret` is the shared secret; for key pairs, `publicKey` is set, and `secret` holds the private key if it is ours. */
  readonly key: CredentialValue;
}

/** Thrown when the key does not fit the algorithm, because it was stored under other rules. */
export class UnusableKey extends Error {}

/** Signs and verifies with one algorithm of contract/signatures#algorithms. Parses each key once. */
export interface SigningProvider {
  /** Throws UnusableKey. */
  sign(material: SigningMaterial): Promise<Uint8Array>;
  /** Resolves to false when the signature was not made with this key over this text. Throws UnusableKey. */
  verify(material: SigningMaterial, signature: Uint8Array): Promise<boolean>;
}

/** A provider for each algorithm. */
export type SigningProviders = Readonly<Record<SignatureAlgorithm, SigningProvider>>;

/** A nonce that a partner used. */
export interface UsedNonce {
  /** `host-app:` or `miniapp:` and the partner's id. */
  readonly partner: string;
  /**
   * Fingerprint of the public key that signed it, because several apps may share the key (contract/signatures#shared-keys). Absent for a
   * shared secret.
   */
  readonly key?: string | undefined;
  /** 16 to 64 characters. */
  readonly nonce: string;
}

/** The subjects under which a nonce is stored: its partner, as in an earlier version, and its key. */
export const nonceSubjects = ({ partner, key }: UsedNonce): readonly string[] => [partner, ...(key === undefined ? [] : [`key:${key}`])];

/** Stores accepted nonces, shared by all instances (contract/signatures#verification). */
export interface NonceRepository {
  /**
   * Stores the nonce until `until` (milliseconds since the epoch). False: it was stored before, for the partner or the key, and has not
   * expired at `now`. Of concurrent callers with the same nonce exactly one gets true. Rejects where the store is unavailable: then no
   * call may be accepted.
   */
  use(nonce: UsedNonce, now: number, until: number): Promise<boolean>;
}

/** One value of a partner's credential. */
export interface CredentialRef {
  readonly partner: 'host-app' | 'miniapp';
  readonly id: string;
  readonly kind: CredentialKind;
  readonly value: CredentialValue;
  /** The address of the call that used it. Absent for our own calls. */
  readonly address?: string;
}

/** Records uses of credentials, so that an owner can see which ones are safe to remove. Returns at once and never fails. */
export interface CredentialUseLog {
  used(credential: CredentialRef): void;
}

/** Encodes signatures as header text. */
export interface SignatureText {
  encode(signature: Uint8Array, encoding: SignatureEncoding): string;
  /**
   * Decodes strictly, so that a signature has one text in each alphabet: `undefined` for stray characters, bits or padding
   * (contract/signatures#settings).
   */
  decode(text: string, encoding: SignatureEncoding): Uint8Array | undefined;
}

/** Makes complete programs of an app's settings. They read the key from the environment. `merchantId` is the integration's. */
export interface SampleGenerator {
  /** Programs that sign: method and URL are arguments, the body comes from the input, the headers to send are printed. */
  signing(settings: SignatureSettings, merchantId: string | undefined): Readonly<Record<SampleLanguage, string>>;
  /**
   * Programs that check the platform's signatures. Arguments: method, the registered URL, a file of headers and optionally the time to
   * check at (Unix seconds; not for Node, whose program uses `pierhead/kit`); the body comes from the input. The exit status is 0 where
   * the signature fits, else 1.
   */
  checking(settings: SignatureSettings, merchantId: string | undefined): Readonly<Record<SampleLanguage, string>>;
}

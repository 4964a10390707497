import type { AuditEntry } from '../../partners/ports';
import type { InboundRequest } from '../check';
import type { SignatureHash } from '../signing/signature-settings';

/** A key that may have made a signature: the bytes of an HMAC key, or a public key as SPKI in PEM. */
export type SuspectKey =
  { readonly algorithm: 'HMAC'; readonly key: Uint8Array } | { readonly algorithm: 'RSA2' | 'ECDSA'; readonly publicKey: string };

/** A different signature scheme that was used, as recognized from the bytes. */
export type OddScheme = 'rsa-pss' | 'rsa-bare-digest' | 'ecdsa-raw-unpadded' | 'ecdsa-der-broken';

/** One interpretation of a signature under one key. */
export interface SignatureReading {
  readonly hash: SignatureHash;
  /** Absent for the agreed scheme. */
  readonly scheme?: OddScheme;
  /** Whether this text was signed. */
  fits(text: Uint8Array): boolean;
}

/** Analyses signatures. Never throws on unknown input, and returns nothing that could serve as a signature. */
export interface SignatureLab {
  /** Every scheme with which the key can have made the signature; empty when it cannot have. */
  readings(key: SuspectKey, signature: Uint8Array): readonly SignatureReading[];
  digest(hash: SignatureHash, bytes: Uint8Array): Uint8Array;
}

/** A request whose signature was refused, as received. */
export interface RefusedRequest {
  readonly exchangeId: string;
  /** The partner whose signature was refused. */
  readonly partner: { readonly kind: 'host-app' | 'miniapp'; readonly id: string };
  readonly request: InboundRequest;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Refused requests, stored encrypted for a day, only to explain them. */
export interface RefusedRequestRepository {
  /**
   * Returns at once and never fails; written soon after. Stores at most 60 a minute for one partner and process, with bodies of at most 64
   * KiB; drops further requests. Header values with credentials are left out.
   */
  keep(refused: RefusedRequest, signatureHeader: string): void;
  /** Resolves to `undefined` when none was stored, or it has expired at `now`. */
  find(exchangeId: string, now: number): Promise<RefusedRequest | undefined>;
  /** As `find`, for display: the audit row is committed before the request is shown. */
  reveal(exchangeId: string, now: number, audit: () => AuditEntry): Promise<RefusedRequest | undefined>;
  /** Whether `find` would find one. */
  has(exchangeId: string, now: number): Promise<boolean>;
}

/** Measures time, and lets other work run in between. */
export interface WorkClock {
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** Lets other work run. */
  readonly pause: () => Promise<void>;
}

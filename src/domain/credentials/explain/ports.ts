import type { AuditEntry } from '../../partners/ports';
import type { InboundRequest } from '../check';
import type { SignatureHash } from '../signature-settings';

/** A key that may have made a signature: the bytes of an HMAC key, or a public key as SPKI in PEM. */
export type SuspectKey =
  { readonly algorithm: 'HMAC'; readonly key: Uint8Array } | { readonly algorithm: 'RSA2' | 'ECDSA'; readonly publicKey: string };

/** How a signature was made otherwise than agreed, as far as its bytes alone tell. */
export type OddScheme = 'rsa-pss' | 'rsa-bare-digest' | 'ecdsa-raw-unpadded' | 'ecdsa-der-broken';

/** One way to read one signature under one key. */
export interface SignatureReading {
  readonly hash: SignatureHash;
  /** Absent: the scheme is the agreed one. */
  readonly scheme?: OddScheme;
  /** Whether this text was signed. */
  fits(text: Uint8Array): boolean;
}

/** Takes signatures apart. Never throws on what strangers send, and gives nothing away that would be a signature. */
export interface SignatureLab {
  /** Every way in which the key can have made the signature; empty: it cannot have. */
  readings(key: SuspectKey, signature: Uint8Array): readonly SignatureReading[];
  digest(hash: SignatureHash, bytes: Uint8Array): Uint8Array;
}

/** A request whose signature was refused, as it came. */
export interface RefusedRequest {
  readonly exchangeId: string;
  /** Whose signature did not pass. */
  readonly partner: { readonly kind: 'host-app' | 'miniapp'; readonly id: string };
  readonly request: InboundRequest;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Refused requests, kept sealed for a day so that they can be explained, and for nothing else. */
export interface RefusedRequests {
  /**
   * Returns at once and never fails; written soon after. At most 60 a minute for one partner and process, bodies of 64 KiB
   * at most: further requests are not stored. Values of headers with credentials in them are left out.
   */
  keep(refused: RefusedRequest, signatureHeader: string): void;
  /** `undefined`: none was kept, or its day is over at `now`. */
  find(exchangeId: string, now: number): Promise<RefusedRequest | undefined>;
  /** As `find`, for people's eyes: that it is shown is committed to the audit trail before. */
  reveal(exchangeId: string, now: number, audit: () => AuditEntry): Promise<RefusedRequest | undefined>;
  /** Whether `find` would find one. */
  has(exchangeId: string, now: number): Promise<boolean>;
}

/** Time that work takes, and room for other work in between. */
export interface WorkClock {
  /** Milliseconds, rising. */
  elapsed(): number;
  /** Lets other work run. */
  pause(): Promise<void>;
}

import type { CredentialKind, CredentialSlot } from '../credentials/credential';
import type { AuditEntry } from '../partners/ports';
import type { PartnerKind } from '../partners/registry-errors';

/** The common properties of failures with one cause; a property that they lack is absent. */
export interface ProblemKey {
  readonly errorCode: string;
  readonly failedSide?: string | undefined;
  readonly failedStep?: string | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** A muted problem, and the reason. */
export interface Mute extends ProblemKey {
  readonly actor: string;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Stores muted problems. Each change is committed with its audit row. */
export interface MutedProblemRepository {
  list(): Promise<readonly Mute[]>;
  /** Replaces an earlier mute of the same problem. */
  mute(mute: Mute, audit: AuditEntry): Promise<void>;
  /** Resolves to false where it was not muted. */
  unmute(key: ProblemKey, audit: AuditEntry): Promise<boolean>;
}

/** A credential that is accepted for a limited time only. */
export interface EndingCredential {
  readonly partnerKind: PartnerKind;
  readonly partnerId: string;
  readonly kind: CredentialKind;
  readonly slot: CredentialSlot;
  readonly fingerprint: string;
  /** Milliseconds since the epoch, as is `lastUsedAt`. */
  readonly validUntil: number;
  readonly lastUsedAt?: number | undefined;
}

/** Selects credentials that are accepted at `now`, but no longer at `until`, in milliseconds since the epoch; of one partner, or of all. */
export interface EndingFilter {
  readonly now: number;
  readonly until: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Finds credentials that expire. */
export interface EndingCredentialReader {
  /** Sorted by expiry, the earliest first; at most a hundred. */
  list(filter: EndingFilter): Promise<readonly EndingCredential[]>;
}

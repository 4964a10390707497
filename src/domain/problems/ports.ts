import type { CredentialKind, CredentialSlot } from '../credentials/credential';
import type { AuditEntry } from '../partners/ports';
import type { PartnerKind } from '../partners/registry-errors';

/** What failures of one cause share; absent is what they lack. */
export interface ProblemKey {
  readonly errorCode: string;
  readonly failedSide?: string | undefined;
  readonly failedStep?: string | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** A muted problem, and why. */
export interface Mute extends ProblemKey {
  readonly actor: string;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Which problems are muted. Each change leaves its audit row. */
export interface MuteBook {
  list(): Promise<readonly Mute[]>;
  /** In place of an earlier mute of the same problem. */
  mute(mute: Mute, audit: AuditEntry): Promise<void>;
  /** False: it was not muted. */
  unmute(key: ProblemKey, audit: AuditEntry): Promise<boolean>;
}

/** A credential that is accepted for a limited time only. */
export interface EndingCredential {
  readonly partnerKind: PartnerKind;
  readonly partnerId: string;
  readonly kind: CredentialKind;
  readonly slot: CredentialSlot;
  readonly fingerprint: string;
  /** Milliseconds since the epoch, as is the next. */
  readonly validUntil: number;
  readonly lastUsedAt?: number | undefined;
}

/** Credentials that are accepted still at `now` and no more at `until`, in milliseconds since the epoch; of one partner, or of all. */
export interface EndingFilter {
  readonly now: number;
  readonly until: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Credentials that end. */
export interface EndingCredentials {
  /** The first to end first, a hundred at most. */
  list(filter: EndingFilter): Promise<readonly EndingCredential[]>;
}

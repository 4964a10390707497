import type { CredentialKind, CredentialSlot, Credentials, CredentialValue } from '../credentials/credential';
import type { HostApp, HostAppSettings } from './host-app';
import type { KeySharing } from './key-sharing/key-sharing';
import type { Agreement, IntegrationSettings, Proposal } from './integration';
import type { Miniapp, MiniappSettings } from './miniapp';
import type { PartnerKind } from './registry-errors';

/** The read side of the hot path: frozen records, at most one second old, equal records the same object while unchanged. */
export interface PartnerDirectory {
  hostApp(clientId: string): Promise<HostApp | undefined>;
  miniapp(appId: string): Promise<Miniapp | undefined>;
  agreement(clientId: string, appId: string): Promise<Agreement | undefined>;
  /** By its own id: one that was made anew for the same partners is another one. */
  agreementById(id: string): Promise<Agreement | undefined>;
}

/** What an operator did, for the audit trail. `before` and `after` hold settings and fingerprints, never a secret. */
export interface AuditEntry {
  readonly actor: string;
  /** `host-app.created`, `miniapp.changed`, `integration.removed`, `host-app.credential-rotated`, … */
  readonly action: string;
  /** `host-app:host_…`, `miniapp:app_…`, `integration:host_…/app_…`. */
  readonly subject: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An audit entry as it was stored. Ids are short text of `[A-Za-z0-9_-]` and rise with time. */
export interface AuditRecord extends AuditEntry {
  readonly id: string;
  /** Of this entry and, through it, of all before it (audit-chain.ts). */
  readonly hash: string;
}

/** Which audit entries: all that are named must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface AuditFilter {
  /** About this host app, its integrations, or its endpoints. */
  readonly clientId?: string;
  /** The same of a miniapp. */
  readonly appId?: string;
  readonly subject?: string;
  readonly action?: string;
  /** Who did it, as the entry says. */
  readonly actor?: string;
  readonly from?: number;
  readonly to?: number;
}

/** The audit trail, newest first. */
export interface AuditReader {
  list(filter: AuditFilter, page: PageRequest): Promise<readonly AuditRecord[]>;
}

/** A page of a list, by the id of the last row before it. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** New values of credentials by kind and slot; `undefined` in a slot removes it; kinds and slots not named stay. */
export type CredentialChanges = Readonly<
  Partial<Record<CredentialKind, Readonly<Partial<Record<CredentialSlot, CredentialValue | undefined>>>>>
>;

/** What an update of a partner writes: the whole settings, changed credentials, and its audit row, in one transaction. */
export interface PartnerChange<Settings> {
  readonly settings: Settings;
  readonly credentials?: CredentialChanges;
  readonly audit: AuditEntry;
  /** Whether a public key among the credentials may be one that another partner has; absent: `none`. */
  readonly sharing?: KeySharing;
}

/**
 * Where one kind of partner is kept. A partner's public key belongs to one partner, in whichever of its slots, unless it is shared
 * (key-sharing.ts), and is none of the platform's: writing one that is taken throws `KeyTaken`. A key that becomes shared leaves an audit row
 * of its own, `key-shared`. A change after which a shared key could not be told apart any more throws `InvalidInput`.
 */
export interface PartnerRepository<Partner, Settings> {
  /** Throws `PartnerExists` where the id is taken. */
  create(
    partner: { readonly id: string; readonly settings: Settings; readonly credentials: Credentials },
    audit: AuditEntry,
    sharing?: KeySharing,
  ): Promise<Partner>;
  find(id: string): Promise<Partner | undefined>;
  /** By id, ascending. */
  list(page: PageRequest): Promise<readonly Partner[]>;
  /** Those of these ids that there are, by id, ascending. */
  listOf(ids: readonly string[]): Promise<readonly Partner[]>;
  /**
   * Replaces the stored partner while nobody else can write it. `change` is synchronous; where it returns `undefined`
   * nothing is written, no version rises and no audit row is left. Resolves to `undefined` where there is no such partner.
   */
  update(id: string, change: (partner: Partner) => PartnerChange<Settings> | undefined): Promise<Partner | undefined>;
  /** Those of its public keys, as SPKI in PEM, that another host app or miniapp has too, in whichever slot. */
  sharedKeys(id: string): Promise<ReadonlySet<string>>;
  /** False: there was none. Removes its integrations too. */
  remove(id: string, audit: AuditEntry): Promise<boolean>;
}

export type HostAppRepository = PartnerRepository<HostApp, HostAppSettings>;
export type MiniappRepository = PartnerRepository<Miniapp, MiniappSettings>;

export interface AgreementKey {
  readonly clientId: string;
  readonly appId: string;
}

/** How a partner's proposal is judged: `open` is how many of its proposals wait for an answer. */
export interface Proposing {
  readonly by: PartnerKind;
  readonly change: (present: Agreement | undefined, open: number) => AgreementChange | undefined;
}

/** What a change of an agreement writes: its whole settings, its proposal, and its audit row, in one transaction. */
export interface AgreementChange {
  readonly settings: IntegrationSettings;
  /** Kept while the status is `proposed`; absent: nothing is proposed by a partner. */
  readonly proposal?: Proposal | undefined;
  readonly audit: AuditEntry;
}

/** Where integrations are kept. */
export interface AgreementRepository {
  /**
   * Stores what `change` makes of the present agreement (`undefined`: none yet; `id` is for a new one), while nobody else
   * can write it. Throws `UnknownPartner` where one of the two partners does not exist. Where `change` returns
   * `undefined`, nothing is written.
   */
  put(key: AgreementKey, id: string, change: (present: Agreement | undefined) => AgreementChange | undefined): Promise<Agreement>;
  /** As `put`, for a proposal of the partner `by`: none is added meanwhile to those that `change` gets. */
  propose(key: AgreementKey, id: string, proposing: Proposing): Promise<Agreement>;
  find(key: AgreementKey): Promise<Agreement | undefined>;
  /** By Client ID, then App ID, ascending; `after` is `client_id/app_id`. */
  list(page: PageRequest, filter: Partial<AgreementKey>): Promise<readonly Agreement[]>;
  /** False: there was none. `entry` makes the audit row of the removed record; where it throws, nothing is. */
  remove(key: AgreementKey, entry: (present: Agreement) => AuditEntry): Promise<boolean>;
}

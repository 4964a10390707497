import type { CredentialKind, CredentialSlot, Credentials, CredentialValue } from '../credentials/credential';
import type { HostApp, HostAppSettings } from './host-app';
import type { KeySharing } from './key-sharing/key-sharing';
import type { IntegrationRecord, IntegrationSettings, Proposal } from './integrations/integration';
import type { Miniapp, MiniappSettings } from './miniapp';
import type { PartnerKind } from './registry-errors';

/** Cached reads for relays: frozen records, at most one second old; the same object as long as the record is unchanged. */
export interface PartnerDirectory {
  hostApp(clientId: string): Promise<HostApp | undefined>;
  miniapp(appId: string): Promise<Miniapp | undefined>;
  integrationRecord(clientId: string, appId: string): Promise<IntegrationRecord | undefined>;
  /** By the integration's own id: an integration that was removed and created again has another id. */
  integrationRecordById(id: string): Promise<IntegrationRecord | undefined>;
}

/** An audit row before it is stored. `before` and `after` hold settings and fingerprints, never secrets. */
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

/** A stored audit row. Ids are short text of `[A-Za-z0-9_-]` and increase with time. */
export interface AuditRecord extends AuditEntry {
  readonly id: string;
  /** The hash of this entry, which covers all entries before it (audit-chain.ts). */
  readonly hash: string;
}

/** Selects audit entries; every given condition must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface AuditFilter {
  /** Entries about this host app, its integrations, or its endpoints. */
  readonly clientId?: string;
  /** The same for a miniapp. */
  readonly appId?: string;
  readonly subject?: string;
  readonly action?: string;
  /** The actor as stored in the entry. */
  readonly actor?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Reads the audit trail, newest first. */
export interface AuditReader {
  list(filter: AuditFilter, page: PageRequest): Promise<readonly AuditRecord[]>;
}

/** A page of a list; `after` is the id of the last row of the previous page. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** New credential values by kind and slot; `undefined` in a slot removes its value; kinds and slots that are not named stay. */
export type CredentialChanges = Readonly<
  Partial<Record<CredentialKind, Readonly<Partial<Record<CredentialSlot, CredentialValue | undefined>>>>>
>;

/** The data that an update of a partner writes in one transaction: all settings, changed credentials, and the audit row. */
export interface PartnerChange<Settings> {
  readonly settings: Settings;
  readonly credentials?: CredentialChanges;
  readonly audit: AuditEntry;
  /** Whether a public key among the credentials may be one that another partner has. Absent: `none`. */
  readonly sharing?: KeySharing;
}

/**
 * Stores partners of one kind. In all its slots, a partner's public key belongs to that partner alone unless it is shared
 * (key-sharing.ts), and is never a platform key: writing a taken key throws `KeyTaken`. A key that becomes shared gets an audit row of its
 * own, `key-shared`. A change that makes the holders of a shared key indistinguishable throws `InvalidInput`.
 */
export interface PartnerRepository<Partner, Settings> {
  /** Throws `PartnerExists` where the id is taken. */
  create(
    partner: { readonly id: string; readonly settings: Settings; readonly credentials: Credentials },
    audit: AuditEntry,
    sharing?: KeySharing,
  ): Promise<Partner>;
  find(id: string): Promise<Partner | undefined>;
  /** Sorted by id, ascending. */
  list(page: PageRequest): Promise<readonly Partner[]>;
  /** The existing partners among these ids, sorted by id, ascending. */
  listOf(ids: readonly string[]): Promise<readonly Partner[]>;
  /**
   * Replaces the stored partner under a lock. `change` is synchronous; if it returns `undefined`, nothing is written: no new version, no
   * audit row. Resolves to `undefined` where there is no such partner.
   */
  update(id: string, change: (partner: Partner) => PartnerChange<Settings> | undefined): Promise<Partner | undefined>;
  /** The partner's public keys, as SPKI in PEM, that another host app or miniapp has in any slot. */
  sharedKeys(id: string): Promise<ReadonlySet<string>>;
  /** Resolves to false where there was none. Removes its integrations too. */
  remove(id: string, audit: AuditEntry): Promise<boolean>;
}

export type HostAppRepository = PartnerRepository<HostApp, HostAppSettings>;
export type MiniappRepository = PartnerRepository<Miniapp, MiniappSettings>;

export interface IntegrationKey {
  readonly clientId: string;
  readonly appId: string;
}

/** Decides on a partner's proposal; `open` is the number of its undecided proposals. */
export interface Proposing {
  readonly by: PartnerKind;
  readonly change: (present: IntegrationRecord | undefined, open: number) => IntegrationChange | undefined;
}

/** The data that a change of an integration writes in one transaction: all settings, its proposal, and the audit row. */
export interface IntegrationChange {
  readonly settings: IntegrationSettings;
  /** Kept while the status is `proposed`. Absent when no partner proposes. */
  readonly proposal?: Proposal | undefined;
  readonly audit: AuditEntry;
}

/** Stores integrations. */
export interface IntegrationRepository {
  /**
   * Stores the result of `change` under a lock; `change` gets the stored integration, or `undefined` for a new one, which gets `id`.
   * Throws `UnknownPartner` where one of the two partners does not exist. If `change` returns `undefined`, nothing is written.
   */
  put(
    key: IntegrationKey,
    id: string,
    change: (present: IntegrationRecord | undefined) => IntegrationChange | undefined,
  ): Promise<IntegrationRecord>;
  /** As `put`, for a proposal of the partner `by`; its number of open proposals cannot grow meanwhile. */
  propose(key: IntegrationKey, id: string, proposing: Proposing): Promise<IntegrationRecord>;
  find(key: IntegrationKey): Promise<IntegrationRecord | undefined>;
  /** Sorted by Client ID, then App ID, ascending; `after` is `client_id/app_id`. */
  list(page: PageRequest, filter: Partial<IntegrationKey>): Promise<readonly IntegrationRecord[]>;
  /** Resolves to false where there was none. `entry` makes the audit row of the removed record; if it throws, nothing is removed. */
  remove(key: IntegrationKey, entry: (present: IntegrationRecord) => AuditEntry): Promise<boolean>;
}

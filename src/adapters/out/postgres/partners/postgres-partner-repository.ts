import type { DataSource, EntityManager } from 'typeorm';
import type { Credentials } from '../../../../domain/credentials/credential';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { AuditEntry, CredentialChanges, PageRequest, PartnerChange, PartnerRepository } from '../../../../domain/partners/ports';
import type { KeyHolder, KeySharing } from '../../../../domain/partners/key-sharing/key-sharing';
import { sharedKeyEntry } from '../../../../domain/partners/key-sharing/shared-key-entry';
import { PartnerExists } from '../../../../domain/partners/registry-errors';
import { withChanges } from '../../../../domain/credentials/rotation';
import { requireIds } from '../../../../domain/shared/required-id';
import { mapInTurns } from '../../../json/in-turns';
import { appendAudit } from '../audit/audit-statement';
import { isUniqueViolation } from '../connection/postgres-errors';
import { onConnection, transaction } from '../connection/statement';
import { PartnerCredentials } from './partner-credentials';
import { readNamed, readPage } from './partner-list-reader';
import { partnerFrom, type PartnerTable, type PartnerWithCredentials } from './partner-table';
import { credentialSchema, type PartnerRow } from './partner.schema';
import { newlyShared, sharedKeys, type KeyChange } from './shared-key-reader';

interface Deps<Partner> {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly table: PartnerTable<Partner>;
  /** Called with the id of every partner that may have changed: this instance's directory drops its cached record. */
  readonly onChange?: (id: string) => void;
}

/** One kind of partner in Postgres. Each change is one transaction with its audit row, and raises the version. */
export class PostgresPartnerRepository<Partner extends KeyHolder, Settings extends KeyHolder['settings']> implements PartnerRepository<
  Partner,
  Settings
> {
  private readonly credentials: PartnerCredentials;

  constructor(private readonly deps: Deps<Partner>) {
    this.credentials = new PartnerCredentials(deps.table.kind, deps.box);
  }

  async create(
    { id, settings, credentials }: { readonly id: string; readonly settings: Settings; readonly credentials: Credentials },
    audit: AuditEntry,
    sharing: KeySharing = 'none',
  ): Promise<Partner> {
    requireIds({ id });
    const { kind, schema } = this.deps.table;
    const at = new Date(audit.at);
    try {
      return await this.changing(id, async (manager) => {
        await manager.insert(schema, { id, version: 1, settings, created_at: at, updated_at: at });
        const key = { after: { settings, credentials: withChanges({}, credentials) }, sharing };
        await this.write(manager, id, { credentials, audit, key });
        return this.read(manager, id);
      });
    } catch (error) {
      if (isUniqueViolation(error, `${String(schema.options.tableName)}_pkey`)) throw new PartnerExists(kind);
      throw error;
    }
  }

  async find(id: string): Promise<Partner | undefined> {
    requireIds({ id });
    const { db, table, box } = this.deps;
    const row = await onConnection(db, (manager) => this.stored(manager, id));
    return row && partnerFrom(table, row, box);
  }

  async list(page: PageRequest): Promise<readonly Partner[]> {
    const { db, table, box } = this.deps;
    return mapInTurns(await readPage(db, table.kind, page), async (row) => partnerFrom(table, row, box));
  }

  async listOf(ids: readonly string[]): Promise<readonly Partner[]> {
    if (ids.length === 0) return [];
    const { db, table, box } = this.deps;
    return mapInTurns(await readNamed(db, table.kind, ids), async (row) => partnerFrom(table, row, box));
  }

  async update(id: string, change: (partner: Partner) => PartnerChange<Settings> | undefined): Promise<Partner | undefined> {
    requireIds({ id });
    return this.changing(id, async (manager) => {
      const { schema } = this.deps.table;
      const locked = await manager.findOne(schema, { select: { id: true }, where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!locked) return undefined;
      const partner = await this.read(manager, id);
      const changed = change(partner);
      if (!changed) return partner;
      const { settings, credentials = {}, audit, sharing } = changed;
      await manager.update(schema, { id }, { version: () => 'version + 1', settings, updated_at: new Date(audit.at) });
      const after = { settings, credentials: withChanges(partner.credentials, credentials) };
      await this.write(manager, id, { credentials, audit, key: { before: partner, after, sharing } });
      return this.read(manager, id);
    });
  }

  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    return this.changing(id, async (manager) => {
      const { affected } = await manager.delete(this.deps.table.schema, { id });
      if (!affected) return false;
      await this.credentials.removeAll(manager, id);
      await appendAudit(manager, audit);
      return true;
    });
  }

  async sharedKeys(id: string): Promise<ReadonlySet<string>> {
    requireIds({ id });
    return sharedKeys(this.deps.db, { kind: this.deps.table.kind, id });
  }

  private async write(manager: EntityManager, id: string, { credentials, audit, key }: Writing): Promise<void> {
    const { kind } = this.deps.table;
    const shared = await newlyShared(manager, { kind, id }, key);
    await this.credentials.apply(manager, id, credentials);
    await appendAudit(manager, audit);
    if (shared.length > 0) await appendAudit(manager, sharedKeyEntry(audit, kind, shared));
  }

  /**
   * Reads the partner that this transaction locked or wrote. A separate statement, because a locking one could combine settings and
   * credentials of different snapshots.
   */
  private async read(manager: EntityManager, id: string): Promise<Partner> {
    const row = await this.stored(manager, id);
    if (!row) throw new Error('The partner that was just locked is not there');
    return partnerFrom(this.deps.table, row, this.deps.box);
  }

  /** A partner with its credentials, read by one statement and so from one snapshot. */
  private async stored(manager: EntityManager, id: string): Promise<Joined | undefined> {
    const { kind, schema } = this.deps.table;
    const isOwn = 'credential.partner_kind = :kind and credential.partner_id = partner.id';
    const row = await manager
      .createQueryBuilder(schema, 'partner')
      .leftJoinAndMapMany('partner.credentials', credentialSchema.options.name, 'credential', isOwn, { kind })
      .where('partner.id = :id', { id })
      .getOne();
    return (row ?? undefined) as Joined | undefined;
  }

  /** Runs one transaction. Calls `onChange` even after an error, because a commit whose answer was lost may have happened. */
  private async changing<T>(id: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await transaction(this.deps.db, work);
    } finally {
      this.deps.onChange?.(id);
    }
  }
}

/** As TypeORM maps the joined credentials. */
type Joined = PartnerRow & PartnerWithCredentials;

interface Writing {
  readonly credentials: CredentialChanges;
  readonly audit: AuditEntry;
  readonly key: KeyChange;
}

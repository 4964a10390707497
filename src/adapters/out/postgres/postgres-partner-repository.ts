import type { DataSource, EntityManager } from 'typeorm';
import type { Credentials } from '../../../domain/credentials/credential';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { AuditEntry, CredentialChanges, PageRequest, PartnerChange, PartnerRepository } from '../../../domain/partners/ports';
import type { KeyHolder, KeySharing } from '../../../domain/partners/key-sharing/key-sharing';
import { sharedKeyEntry } from '../../../domain/partners/key-sharing/shared-key-entry';
import { PartnerExists } from '../../../domain/partners/registry-errors';
import { withChanges } from '../../../domain/credentials/rotation';
import { requireIds } from '../../../domain/shared/required-id';
import { appendAudit } from './audit-statement';
import { PartnerCredentials } from './partner-credentials';
import { type KeyChange, newlyShared, sharedKeys } from './partner-keys';
import { partnersFrom, shownPartnersFrom, type JoinedRow, type PartnerTable } from './partner-table';
import { isUniqueViolation } from './postgres-errors';
import { run, runIn, transaction, type Statement } from './statement';

interface Deps<Partner> {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly table: PartnerTable<Partner>;
  /** Hears the id of every partner that may have changed: this instance's directory forgets what it held. */
  readonly onChange?: (id: string) => void;
}

/** One kind of partner in Postgres. Each change is one transaction with its audit row, and raises the version. */
export class PostgresPartnerRepository<Partner extends KeyHolder, Settings extends KeyHolder['settings']> implements PartnerRepository<
  Partner,
  Settings
> {
  private readonly credentials: PartnerCredentials;
  private readonly statements: ReturnType<typeof statementsFor>;

  constructor(private readonly deps: Deps<Partner>) {
    this.credentials = new PartnerCredentials(deps.table.kind, deps.box);
    this.statements = statementsFor(deps.table.name);
  }

  async create(
    { id, settings, credentials }: { readonly id: string; readonly settings: Settings; readonly credentials: Credentials },
    audit: AuditEntry,
    sharing: KeySharing = 'none',
  ): Promise<Partner> {
    requireIds({ id });
    try {
      return await this.changing(id, async (manager) => {
        await runIn(manager, this.statements.insert, [id, JSON.stringify(settings), new Date(audit.at)]);
        const key = { after: { settings, credentials: withChanges({}, credentials) }, sharing };
        await this.write(manager, id, { credentials, audit, key });
        return this.read(manager, id);
      });
    } catch (error) {
      if (isUniqueViolation(error, `${this.deps.table.name}_pkey`)) throw new PartnerExists(this.deps.table.kind);
      throw error;
    }
  }

  async find(id: string): Promise<Partner | undefined> {
    requireIds({ id });
    const { db, table, box } = this.deps;
    return partnersFrom(table, await run<JoinedRow>(db, table.find, [id]), box)[0];
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly Partner[]> {
    const { db, table, box } = this.deps;
    return shownPartnersFrom(table, await run<JoinedRow>(db, table.list, [after, limit]), box);
  }

  async update(id: string, change: (partner: Partner) => PartnerChange<Settings> | undefined): Promise<Partner | undefined> {
    requireIds({ id });
    return this.changing(id, async (manager) => {
      const locked = await runIn(manager, this.statements.lock, [id]);
      if (locked.length === 0) return undefined;
      const partner = await this.read(manager, id);
      const changed = change(partner);
      if (!changed) return partner;
      await runIn(manager, this.statements.update, [id, JSON.stringify(changed.settings), new Date(changed.audit.at)]);
      const { settings, credentials = {}, audit, sharing } = changed;
      const after = { settings, credentials: withChanges(partner.credentials, credentials) };
      await this.write(manager, id, { credentials, audit, key: { before: partner, after, sharing } });
      return this.read(manager, id);
    });
  }

  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    return this.changing(id, async (manager) => {
      const removed = await runIn(manager, this.statements.remove, [id]);
      if (removed.length === 0) return false;
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

  /** What this transaction has locked or written. A statement of its own: a lock alone would show settings of one state beside credentials of another. */
  private async read(manager: EntityManager, id: string): Promise<Partner> {
    const { table, box } = this.deps;
    const [partner] = partnersFrom(table, await runIn<JoinedRow>(manager, table.find, [id]), box);
    if (!partner) throw new Error('The partner that was just locked is not there');
    return partner;
  }

  /** One transaction, told of however it ended: a commit whose answer was lost may have happened. */
  private async changing<T>(id: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await transaction(this.deps.db, work);
    } finally {
      this.deps.onChange?.(id);
    }
  }
}

interface Writing {
  readonly credentials: CredentialChanges;
  readonly audit: AuditEntry;
  readonly key: KeyChange;
}

const statementsFor = (table: string) =>
  ({
    insert: {
      name: `${table}.insert`,
      text: `insert into ${table} (id, version, settings, created_at, updated_at) values ($1, 1, $2, $3, $3)`,
    },
    lock: { name: `${table}.lock`, text: `select id from ${table} where id = $1 for update` },
    update: {
      name: `${table}.update`,
      text: `update ${table} set version = version + 1, settings = $2, updated_at = $3 where id = $1`,
    },
    remove: { name: `${table}.remove`, text: `delete from ${table} where id = $1 returning id` },
  }) satisfies Record<string, Statement>;

import { Raw, type DataSource, type EntityManager, type EntitySchema } from 'typeorm';
import type { IntegrationRecord } from '../../../../domain/partners/integrations/integration';
import type {
  IntegrationChange,
  IntegrationKey,
  IntegrationRepository,
  AuditEntry,
  PageRequest,
  Proposing,
} from '../../../../domain/partners/ports';
import { type PartnerKind, UnknownPartner } from '../../../../domain/partners/registry-errors';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { hostAppSchema, miniappSchema, type PartnerRow } from '../partners/partner.schema';
import { onConnection, transaction } from '../connection/statement';
import { integrationRecordFrom, changedColumns, integrationSchema, type IntegrationRow } from './integration.schema';

/** `for_no_key_update`: an exclusive lock. `for_key_share`: a shared lock that prevents deletion. */
type PartnerLock = 'for_no_key_update' | 'for_key_share';

/**
 * The lock of the miniapp by proposing side. The side whose proposals are counted is locked exclusively, so that its proposals are counted
 * one at a time.
 */
const miniappLockOf = { 'host-app': 'for_key_share', miniapp: 'for_no_key_update' } as const satisfies Record<PartnerKind, PartnerLock>;

interface Deps {
  readonly db: DataSource;
  /** Called for every integration that may have changed: this instance's directory drops its cached record. */
  readonly onChange?: (key: IntegrationKey) => void;
}

/** Integrations and proposals in Postgres. Each change is one transaction with its audit row, and raises the version. */
export class PostgresIntegrationRepository implements IntegrationRepository {
  constructor(private readonly deps: Deps) {}

  async put(
    key: IntegrationKey,
    id: string,
    change: (present: IntegrationRecord | undefined) => IntegrationChange | undefined,
  ): Promise<IntegrationRecord> {
    requireIds({ ...key, id });
    return this.changing(key, async (manager) => {
      await lockPartners(manager, key, 'for_key_share');
      return write(manager, { key, id, change });
    });
  }

  async propose(key: IntegrationKey, id: string, { by, change }: Proposing): Promise<IntegrationRecord> {
    requireIds({ ...key, id });
    return this.changing(key, async (manager) => {
      await lockPartners(manager, key, miniappLockOf[by]);
      const open = await countOpen(manager, key, by);
      return write(manager, { key, id, change: (present) => change(present, open) });
    });
  }

  async find(key: IntegrationKey): Promise<IntegrationRecord | undefined> {
    requireIds({ ...key });
    const row = await onConnection(this.deps.db, (manager) => findRow(manager, key));
    return row ? integrationRecordFrom(row) : undefined;
  }

  async list({ limit, after = '' }: PageRequest, { clientId, appId }: Partial<IntegrationKey>): Promise<readonly IntegrationRecord[]> {
    const [afterClient = '', afterApp = ''] = after.split('/');
    const where = { ...(clientId !== undefined && { client_id: clientId }), ...(appId !== undefined && { app_id: appId }) };
    const rows = await onConnection(this.deps.db, (manager) =>
      manager
        .createQueryBuilder(integrationSchema, 'integration')
        .setFindOptions({ where, order: { client_id: 'ASC', app_id: 'ASC' }, take: limit })
        .andWhere('(integration.client_id, integration.app_id) > (:afterClient, :afterApp)', { afterClient, afterApp })
        .getMany(),
    );
    return rows.map(integrationRecordFrom);
  }

  async remove(key: IntegrationKey, entry: (present: IntegrationRecord) => AuditEntry): Promise<boolean> {
    requireIds({ ...key });
    return this.changing(key, async (manager) => {
      await lock(manager, { schema: hostAppSchema, id: key.clientId, mode: 'for_no_key_update' });
      const row = await findRow(manager, key);
      if (!row) return false;
      const audit = entry(integrationRecordFrom(row));
      await manager.delete(integrationSchema, { id: row.id });
      await appendAudit(manager, audit);
      return true;
    });
  }

  /** Runs one transaction. Calls `onChange` even after an error, because a commit whose answer was lost may have happened. */
  private async changing<T>(key: IntegrationKey, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await transaction(this.deps.db, work);
    } finally {
      this.deps.onChange?.(key);
    }
  }
}

/**
 * Locks both partners until the end of the transaction, host app first, so that neither can be deleted. The exclusive lock of the host
 * app's row covers all its integrations, including new ones.
 * @throws UnknownPartner when one of them does not exist
 */
async function lockPartners(manager: EntityManager, { clientId, appId }: IntegrationKey, mode: PartnerLock): Promise<void> {
  const hostApp = await lock(manager, { schema: hostAppSchema, id: clientId, mode: 'for_no_key_update' });
  if (!hostApp) throw new UnknownPartner('host-app');
  const miniapp = await lock(manager, { schema: miniappSchema, id: appId, mode });
  if (!miniapp) throw new UnknownPartner('miniapp');
}

interface Lock {
  readonly schema: EntitySchema<PartnerRow>;
  readonly id: string;
  readonly mode: PartnerLock;
}

const lock = (manager: EntityManager, { schema, id, mode }: Lock): Promise<PartnerRow | null> =>
  manager.findOne(schema, { select: { id: true }, where: { id }, lock: { mode } });

const findRow = (manager: EntityManager, { clientId, appId }: IntegrationKey): Promise<IntegrationRow | null> =>
  manager.findOneBy(integrationSchema, { client_id: clientId, app_id: appId });

/** Counts the partner's proposals that wait for an answer. */
function countOpen(manager: EntityManager, { clientId, appId }: IntegrationKey, by: PartnerKind): Promise<number> {
  const proposal = Raw((column) => `${column} ->> 'by' = :by and ${column} ->> 'declinedAt' is null`, { by });
  const proposer = by === 'host-app' ? { client_id: clientId } : { app_id: appId };
  return manager.countBy(integrationSchema, { ...proposer, status: 'proposed', proposal });
}

interface Write {
  readonly key: IntegrationKey;
  readonly id: string;
  readonly change: (present: IntegrationRecord | undefined) => IntegrationChange | undefined;
}

/** Writes the result of `change` and its audit row. The partners must be locked. */
async function write(manager: EntityManager, { key, id, change }: Write): Promise<IntegrationRecord> {
  const row = await findRow(manager, key);
  const present = row ? integrationRecordFrom(row) : undefined;
  const changed = change(present);
  if (!changed) {
    if (!present) throw new Error('There is no integration, and none was made');
    return present;
  }
  const columns = { ...changedColumns(changed), updated_at: new Date(changed.audit.at) };
  const stored = present ? await update(manager, present.id, columns) : await insert(manager, { key, id, columns });
  if (!stored) throw new Error('The integration was not written');
  await appendAudit(manager, changed.audit);
  return integrationRecordFrom(stored);
}

type Columns = ReturnType<typeof changedColumns> & Pick<IntegrationRow, 'updated_at'>;

async function update(manager: EntityManager, id: string, columns: Columns): Promise<IntegrationRow | undefined> {
  const written = await manager.update(integrationSchema, { id }, { ...columns, version: () => 'version + 1' }, { returning: '*' });
  return (written.raw as IntegrationRow[])[0];
}

interface NewRow {
  readonly key: IntegrationKey;
  readonly id: string;
  readonly columns: Columns;
}

async function insert(manager: EntityManager, { key, id, columns }: NewRow): Promise<IntegrationRow | undefined> {
  const written = await manager
    .createQueryBuilder()
    .insert()
    .into(integrationSchema)
    .values({ ...columns, id, client_id: key.clientId, app_id: key.appId, version: 1, created_at: columns.updated_at })
    .returning('*')
    .updateEntity(false)
    .execute();
  return (written.raw as IntegrationRow[])[0];
}

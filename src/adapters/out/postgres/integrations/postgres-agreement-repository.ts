import { Raw, type DataSource, type EntityManager, type EntitySchema } from 'typeorm';
import type { Agreement } from '../../../../domain/partners/integration';
import type {
  AgreementChange,
  AgreementKey,
  AgreementRepository,
  AuditEntry,
  PageRequest,
  Proposing,
} from '../../../../domain/partners/ports';
import { type PartnerKind, UnknownPartner } from '../../../../domain/partners/registry-errors';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit-statement';
import { hostAppSchema, miniappSchema, type PartnerRow } from '../partners/partner.schema';
import { onConnection, transaction } from '../statement';
import { agreementFrom, changedColumns, integrationSchema, type IntegrationRow } from './integration.schema';

/** `for_no_key_update`: held alone; `for_key_share`: held together with others, against removal. */
type PartnerLock = 'for_no_key_update' | 'for_key_share';

/** Whose proposals are counted is held alone, so that it opens one after the other. */
const miniappLockOf = { 'host-app': 'for_key_share', miniapp: 'for_no_key_update' } as const satisfies Record<PartnerKind, PartnerLock>;

interface Deps {
  readonly db: DataSource;
  /** Hears of every agreement that may have changed: this instance's directory forgets what it held. */
  readonly onChange?: (key: AgreementKey) => void;
}

/** Integrations and what partners propose, in Postgres. Each change is one transaction with its audit row, and raises the version. */
export class PostgresAgreementRepository implements AgreementRepository {
  constructor(private readonly deps: Deps) {}

  async put(key: AgreementKey, id: string, change: (present: Agreement | undefined) => AgreementChange | undefined): Promise<Agreement> {
    requireIds({ ...key, id });
    return this.changing(key, async (manager) => {
      await lockPartners(manager, key, 'for_key_share');
      return write(manager, { key, id, change });
    });
  }

  async propose(key: AgreementKey, id: string, { by, change }: Proposing): Promise<Agreement> {
    requireIds({ ...key, id });
    return this.changing(key, async (manager) => {
      await lockPartners(manager, key, miniappLockOf[by]);
      const open = await countOpen(manager, key, by);
      return write(manager, { key, id, change: (present) => change(present, open) });
    });
  }

  async find(key: AgreementKey): Promise<Agreement | undefined> {
    requireIds({ ...key });
    const row = await onConnection(this.deps.db, (manager) => findRow(manager, key));
    return row ? agreementFrom(row) : undefined;
  }

  async list({ limit, after = '' }: PageRequest, { clientId, appId }: Partial<AgreementKey>): Promise<readonly Agreement[]> {
    const [afterClient = '', afterApp = ''] = after.split('/');
    const where = { ...(clientId !== undefined && { client_id: clientId }), ...(appId !== undefined && { app_id: appId }) };
    const rows = await onConnection(this.deps.db, (manager) =>
      manager
        .createQueryBuilder(integrationSchema, 'integration')
        .setFindOptions({ where, order: { client_id: 'ASC', app_id: 'ASC' }, take: limit })
        .andWhere('(integration.client_id, integration.app_id) > (:afterClient, :afterApp)', { afterClient, afterApp })
        .getMany(),
    );
    return rows.map(agreementFrom);
  }

  async remove(key: AgreementKey, entry: (present: Agreement) => AuditEntry): Promise<boolean> {
    requireIds({ ...key });
    return this.changing(key, async (manager) => {
      await lock(manager, { schema: hostAppSchema, id: key.clientId, mode: 'for_no_key_update' });
      const row = await findRow(manager, key);
      if (!row) return false;
      const audit = entry(agreementFrom(row));
      await manager.delete(integrationSchema, { id: row.id });
      await appendAudit(manager, audit);
      return true;
    });
  }

  /** One transaction. `onChange` hears of it however it ended: a commit whose answer was lost may have happened. */
  private async changing<T>(key: AgreementKey, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await transaction(this.deps.db, work);
    } finally {
      this.deps.onChange?.(key);
    }
  }
}

/**
 * The host app's row stands for all its agreements: whoever holds it alone may write one, new ones included. Both partners are held until
 * the end, host app first, so that neither is removed meanwhile.
 * @throws UnknownPartner where one is not there
 */
async function lockPartners(manager: EntityManager, { clientId, appId }: AgreementKey, mode: PartnerLock): Promise<void> {
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

const findRow = (manager: EntityManager, { clientId, appId }: AgreementKey): Promise<IntegrationRow | null> =>
  manager.findOneBy(integrationSchema, { client_id: clientId, app_id: appId });

/** How many proposals of the partner wait for an answer. */
function countOpen(manager: EntityManager, { clientId, appId }: AgreementKey, by: PartnerKind): Promise<number> {
  const proposal = Raw((column) => `${column} ->> 'by' = :by and ${column} ->> 'declinedAt' is null`, { by });
  const proposer = by === 'host-app' ? { client_id: clientId } : { app_id: appId };
  return manager.countBy(integrationSchema, { ...proposer, status: 'proposed', proposal });
}

interface Write {
  readonly key: AgreementKey;
  readonly id: string;
  readonly change: (present: Agreement | undefined) => AgreementChange | undefined;
}

/** While the partners are held: what `change` makes of the agreement, and its audit row. */
async function write(manager: EntityManager, { key, id, change }: Write): Promise<Agreement> {
  const row = await findRow(manager, key);
  const present = row ? agreementFrom(row) : undefined;
  const changed = change(present);
  if (!changed) {
    if (!present) throw new Error('There is no agreement, and none was made');
    return present;
  }
  const columns = { ...changedColumns(changed), updated_at: new Date(changed.audit.at) };
  const stored = present ? await update(manager, present.id, columns) : await insert(manager, { key, id, columns });
  if (!stored) throw new Error('The agreement was not written');
  await appendAudit(manager, changed.audit);
  return agreementFrom(stored);
}

type Columns = ReturnType<typeof changedColumns> & Pick<IntegrationRow, 'updated_at'>;

async function update(manager: EntityManager, id: string, columns: Columns): Promise<IntegrationRow | undefined> {
  const written = await manager.update(integrationSchema, { id }, { ...columns, version: () => 'version + 1' }, { returning: '*' });
  return (written.raw as IntegrationRow[])[0];
}

interface NewRow {
  readonly key: AgreementKey;
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

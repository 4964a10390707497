import type { DataSource, EntityManager } from 'typeorm';
import type { Agreement } from '../../../domain/partners/integration';
import type {
  AgreementChange,
  AgreementKey,
  AgreementRepository,
  AuditEntry,
  PageRequest,
  Proposing,
} from '../../../domain/partners/ports';
import { type PartnerKind, UnknownPartner } from '../../../domain/partners/registry-errors';
import { requireIds } from '../../../domain/shared/required-id';
import { appendAudit } from './audit-statement';
import { agreementFrom, changedColumns, type IntegrationRow } from './integration.schema';
import { run, runIn, transaction, type Statement } from './statement';

const columns = 'id, client_id, app_id, version, status, merchant_id, settings, proposal';
type Row = Omit<IntegrationRow, 'created_at' | 'updated_at'>;

const findAgreement: Statement = {
  name: 'integrations.find',
  text: `select ${columns} from integrations where client_id = $1 and app_id = $2`,
};

// The host app's row stands for all its agreements: who holds it alone may write one, new ones included. Both partners
// are held until the end, host app first, so that neither is removed meanwhile.
const lockHostApp: Statement = { name: 'integrations.lock-host-app', text: 'select id from host_apps where id = $1 for no key update' };
const lockMiniapp: Statement = { name: 'integrations.lock-miniapp', text: 'select id from miniapps where id = $1 for key share' };

// Whose proposals are counted is held alone, so that it opens one after the other.
const lockMiniappAlone: Statement = {
  name: 'integrations.lock-miniapp-alone',
  text: 'select id from miniapps where id = $1 for no key update',
};
const lockOf = { 'host-app': lockMiniapp, miniapp: lockMiniappAlone } as const satisfies Record<PartnerKind, Statement>;

const openOf = (by: PartnerKind, column: 'client_id' | 'app_id'): Statement => ({
  name: `integrations.open-of-${by}`,
  text: `
    select count(*)::integer as open from integrations
    where ${column} = $1 and status = 'proposed' and proposal ->> 'by' = '${by}' and proposal ->> 'declinedAt' is null`,
});
const open = { 'host-app': openOf('host-app', 'client_id'), miniapp: openOf('miniapp', 'app_id') } as const;

const insert: Statement = {
  name: 'integrations.insert',
  text: `
    insert into integrations (id, client_id, app_id, version, status, merchant_id, settings, proposal, created_at, updated_at)
    values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $8) returning ${columns}`,
};

const update: Statement = {
  name: 'integrations.update',
  text: `
    update integrations set version = version + 1, status = $2, merchant_id = $3, settings = $4, proposal = $5, updated_at = $6
    where id = $1 returning ${columns}`,
};

const list: Statement = {
  name: 'integrations.list',
  text: `
    select ${columns} from integrations
    where (client_id, app_id) > ($1::text, $2::text) and ($3::text is null or client_id = $3) and ($4::text is null or app_id = $4)
    order by client_id, app_id limit $5`,
};

const remove: Statement = {
  name: 'integrations.remove',
  text: 'delete from integrations where id = $1',
};

interface Deps {
  readonly db: DataSource;
  /** Hears of every agreement that may have changed: this instance's directory forgets what it held. */
  readonly onChange?: (key: AgreementKey) => void;
}

/** Integrations in Postgres. Each change is one transaction with its audit row, and raises the version. */
export class PostgresAgreementRepository implements AgreementRepository {
  constructor(private readonly deps: Deps) {}

  async put(key: AgreementKey, id: string, change: (present: Agreement | undefined) => AgreementChange | undefined): Promise<Agreement> {
    requireIds({ ...key, id });
    return this.changing(key, async (manager) => {
      await lockPartners(manager, key, lockMiniapp);
      return write(manager, { key, id, change });
    });
  }

  async propose(key: AgreementKey, id: string, { by, change }: Proposing): Promise<Agreement> {
    requireIds({ ...key, id });
    return this.changing(key, async (manager) => {
      await lockPartners(manager, key, lockOf[by]);
      const [counted] = await runIn<{ readonly open: number }>(manager, open[by], [by === 'host-app' ? key.clientId : key.appId]);
      return write(manager, { key, id, change: (present) => change(present, counted?.open ?? 0) });
    });
  }

  async find({ clientId, appId }: AgreementKey): Promise<Agreement | undefined> {
    requireIds({ clientId, appId });
    const [row] = await run<Row>(this.deps.db, findAgreement, [clientId, appId]);
    return row && agreementFrom(row);
  }

  async list({ limit, after = '' }: PageRequest, { clientId, appId }: Partial<AgreementKey>): Promise<readonly Agreement[]> {
    const [afterClient = '', afterApp = ''] = after.split('/');
    const rows = await run<Row>(this.deps.db, list, [afterClient, afterApp, clientId ?? null, appId ?? null, limit]);
    return rows.map(agreementFrom);
  }

  async remove(key: AgreementKey, entry: (present: Agreement) => AuditEntry): Promise<boolean> {
    requireIds({ ...key });
    return this.changing(key, async (manager) => {
      await runIn(manager, lockHostApp, [key.clientId]);
      const [row] = await runIn<Row>(manager, findAgreement, [key.clientId, key.appId]);
      if (!row) return false;
      const audit = entry(agreementFrom(row));
      await runIn(manager, remove, [row.id]);
      await appendAudit(manager, audit);
      return true;
    });
  }

  /** One transaction, told of however it ended: a commit whose answer was lost may have happened. */
  private async changing<T>(key: AgreementKey, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await transaction(this.deps.db, work);
    } finally {
      this.deps.onChange?.(key);
    }
  }
}

async function lockPartners(manager: EntityManager, { clientId, appId }: AgreementKey, lockOfMiniapp: Statement): Promise<void> {
  if ((await runIn(manager, lockHostApp, [clientId])).length === 0) throw new UnknownPartner('host-app');
  if ((await runIn(manager, lockOfMiniapp, [appId])).length === 0) throw new UnknownPartner('miniapp');
}

interface Write {
  readonly key: AgreementKey;
  readonly id: string;
  readonly change: (present: Agreement | undefined) => AgreementChange | undefined;
}

/** While the partners are held: what `change` makes of the agreement, and its audit row. */
async function write(manager: EntityManager, { key, id, change }: Write): Promise<Agreement> {
  const [row] = await runIn<Row>(manager, findAgreement, [key.clientId, key.appId]);
  const present = row && agreementFrom(row);
  const changed = change(present);
  if (!changed) {
    if (!present) throw new Error('There is no agreement, and none was made');
    return present;
  }
  const written = [...changedColumns(changed), new Date(changed.audit.at)];
  const [stored] = present
    ? await runIn<Row>(manager, update, [present.id, ...written])
    : await runIn<Row>(manager, insert, [id, key.clientId, key.appId, ...written]);
  if (!stored) throw new Error('The agreement was not written');
  await appendAudit(manager, changed.audit);
  return agreementFrom(stored);
}

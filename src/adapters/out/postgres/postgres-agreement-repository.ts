import type { DataSource, EntityManager } from 'typeorm';
import type { Agreement, IntegrationSettings } from '../../../domain/partners/integration';
import type { AgreementKey, AgreementRepository, AuditEntry, PageRequest } from '../../../domain/partners/ports';
import { UnknownPartner } from '../../../domain/partners/registry-errors';
import { requireIds } from '../../../domain/shared/required-id';
import { appendAudit } from './audit-statement';
import { agreementFrom, settingsColumns, type IntegrationRow } from './integration.schema';
import { run, runIn, transaction, type Statement } from './statement';

const columns = 'id, client_id, app_id, version, status, merchant_id, settings';
type Row = Omit<IntegrationRow, 'created_at' | 'updated_at'>;

const findAgreement: Statement = {
  name: 'integrations.find',
  text: `select ${columns} from integrations where client_id = $1 and app_id = $2`,
};

// The host app's row stands for all its agreements: who holds it alone may write one, new ones included. Both partners
// are held until the end, host app first, so that neither is removed meanwhile.
const lockHostApp: Statement = { name: 'integrations.lock-host-app', text: 'select id from host_apps where id = $1 for no key update' };
const lockMiniapp: Statement = { name: 'integrations.lock-miniapp', text: 'select id from miniapps where id = $1 for key share' };

const insert: Statement = {
  name: 'integrations.insert',
  text: `
    insert into integrations (id, client_id, app_id, version, status, merchant_id, settings, created_at, updated_at)
    values ($1, $2, $3, 1, $4, $5, $6, $7, $7) returning ${columns}`,
};

const update: Statement = {
  name: 'integrations.update',
  text: `
    update integrations set version = version + 1, status = $2, merchant_id = $3, settings = $4, updated_at = $5
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
  text: 'delete from integrations where client_id = $1 and app_id = $2 returning id',
};

interface Deps {
  readonly db: DataSource;
  /** Hears of every agreement that may have changed: this instance's directory forgets what it held. */
  readonly onChange?: (key: AgreementKey) => void;
}

/** Integrations in Postgres. Each change is one transaction with its audit row, and raises the version. */
export class PostgresAgreementRepository implements AgreementRepository {
  constructor(private readonly deps: Deps) {}

  async put(
    key: AgreementKey,
    id: string,
    change: (present: Agreement | undefined) => { readonly settings: IntegrationSettings; readonly audit: AuditEntry } | undefined,
  ): Promise<Agreement> {
    requireIds({ ...key, id });
    return this.changing(key, async (manager) => {
      await lockPartners(manager, key);
      const [row] = await runIn<Row>(manager, findAgreement, [key.clientId, key.appId]);
      const present = row && agreementFrom(row);
      const changed = change(present);
      if (!changed) {
        if (!present) throw new Error('There is no agreement, and none was made');
        return present;
      }
      const written = [...settingsColumns(changed.settings), new Date(changed.audit.at)];
      const [stored] = present
        ? await runIn<Row>(manager, update, [present.id, ...written])
        : await runIn<Row>(manager, insert, [id, key.clientId, key.appId, ...written]);
      if (!stored) throw new Error('The agreement was not written');
      await appendAudit(manager, changed.audit);
      return agreementFrom(stored);
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

  async remove(key: AgreementKey, audit: AuditEntry): Promise<boolean> {
    requireIds({ ...key });
    return this.changing(key, async (manager) => {
      const removed = await runIn(manager, remove, [key.clientId, key.appId]);
      if (removed.length === 0) return false;
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

async function lockPartners(manager: EntityManager, { clientId, appId }: AgreementKey): Promise<void> {
  if ((await runIn(manager, lockHostApp, [clientId])).length === 0) throw new UnknownPartner('host-app');
  if ((await runIn(manager, lockMiniapp, [appId])).length === 0) throw new UnknownPartner('miniapp');
}

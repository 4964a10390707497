import type { DataSource } from 'typeorm';
import type { AuditEntry } from '../../../../domain/partners/ports';
import type { Live, LiveIntegrationRepository } from '../../../../domain/readiness/ports';
import { appendAudit } from '../audit/audit-statement';
import type { LiveIntegrationRow } from './readiness.schema';
import { run, runIn, transaction, type Statement } from '../connection/statement';

const list: Statement = {
  name: 'live-integrations.list',
  text: 'select integration_id, at, actor, reason, missing from live_integrations where integration_id = any($1::text[]) order by integration_id',
};

const put: Statement = {
  name: 'live-integrations.put',
  text: `
    insert into live_integrations (integration_id, at, actor, reason, missing) values ($1, $2, $3, $4, $5)
    on conflict (integration_id) do update set at = excluded.at, actor = excluded.actor, reason = excluded.reason, missing = excluded.missing`,
};
const remove: Statement = { name: 'live-integrations.remove', text: 'delete from live_integrations where integration_id = $1 returning 1' };

/** Which integrations are live, in Postgres. Each change is one transaction with its audit row. */
export class PostgresLiveIntegrationRepository implements LiveIntegrationRepository {
  constructor(private readonly db: DataSource) {}

  async list(integrationIds: readonly string[]): Promise<readonly Live[]> {
    return (await run<LiveIntegrationRow>(this.db, list, [integrationIds])).map(liveFrom);
  }

  async begin({ integrationId, at, actor, reason, missing }: Live, audit: AuditEntry): Promise<void> {
    await transaction(this.db, async (manager) => {
      await runIn(manager, put, [integrationId, new Date(at), actor, reason ?? null, missing]);
      await appendAudit(manager, audit);
    });
  }

  end(integrationId: string, audit: AuditEntry): Promise<boolean> {
    return transaction(this.db, async (manager) => {
      const removed = await runIn(manager, remove, [integrationId]);
      if (removed.length > 0) await appendAudit(manager, audit);
      return removed.length > 0;
    });
  }
}

const liveFrom = (row: LiveIntegrationRow): Live => ({
  integrationId: row.integration_id,
  at: row.at.getTime(),
  actor: row.actor,
  reason: row.reason ?? undefined,
  missing: row.missing,
});

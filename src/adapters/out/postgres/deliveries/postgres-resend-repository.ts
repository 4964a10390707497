import type { DataSource, EntityManager } from 'typeorm';
import type { ResendRepository } from '../../../../domain/deliveries/ports';
import {
  resendRules,
  type Resend,
  type ResendFilter,
  type ResendPreview,
  type ResendProgress,
  type ResendStart,
} from '../../../../domain/deliveries/resend';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { stateShown, type DeliveryRow } from './delivery.schema';
import { lockKey, promoteNext } from './delivery-statements';
import { filteredStatement, type Conditions } from '../connection/filtered-statement';
import type { ResendRow } from './resend.schema';
import * as statements from './resend-statements';
import { run, runIn, transaction } from '../connection/statement';

const since = (column: string): string => `${column} >= to_timestamp(?::double precision / 1000)`;

const conditions: Conditions<ResendFilter & { resendId?: string }> = {
  resendId: 'r.id = ?',
  clientId: 'i.client_id = ?',
  appId: 'i.app_id = ?',
  kind: 'd.kind = ?',
  state: `${stateShown} = ?`,
  from: since('d.created_at'),
  to: 'd.created_at < to_timestamp(?::double precision / 1000)',
  failedSince: `d.state = 'failed' and ${since('d.ended_at')}`,
  missingSince: `d.state <> 'delivered' and ${since('d.created_at')}`,
};

const of = 'deliveries d left join integrations i on i.id = d.integration_id';
const counted = { select: `select count(*)::integer as count from ${of}`, end: '' };
const first = { select: `select d.id from ${of}`, end: 'order by d.seq limit ?' };
const keep = {
  select: `
    with added as (
      insert into resend_items (resend_id, seq, delivery_id, state_before)
      select r.id, d.seq, d.id, d.state from resends r cross join ${of}`,
  end: 'limit ? returning 1) select count(*)::integer as count from added',
};

/** The maximum number of deliveries that one transaction restores: each key takes a lock. */
const restoredAtOnce = 200;

type Owned = Pick<DeliveryRow, 'id' | 'key'>;

/** Resends by filter, in Postgres. The batch stores its deliveries, which are queued again step by step. */
export class PostgresResendRepository implements ResendRepository {
  constructor(private readonly db: DataSource) {}

  async preview(filter: ResendFilter): Promise<ResendPreview> {
    const count = filteredStatement(counted, conditions, filter);
    const [row] = await run<{ count: number }>(this.db, count.statement, count.values);
    const some = filteredStatement(first, conditions, filter);
    const ids = await run<{ id: string }>(this.db, some.statement, [...some.values, resendRules.previewed]);
    return { count: row?.count ?? 0, ids: ids.map(({ id }) => id) };
  }

  async start({ id, filter, perSecond }: Omit<ResendStart, 'at'>, audit: (count: number) => AuditEntry): Promise<Resend | undefined> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      await runIn(manager, statements.insert, [id, JSON.stringify(filter), perSecond]);
      const { statement, values } = filteredStatement(keep, conditions, { ...filter, resendId: id });
      const [added] = await runIn<{ count: number }>(manager, statement, [...values, resendRules.maxDeliveries + 1]);
      const count = added?.count ?? 0;
      if (count > resendRules.maxDeliveries) throw new TooMany();
      const [row] = await runIn<ResendRow>(manager, statements.setCount, [id, count]);
      await appendAudit(manager, audit(count));
      return row && resendFrom(row);
    }).catch((error: unknown) => {
      if (error instanceof TooMany) return undefined;
      throw error;
    });
  }

  async list({ limit, after }: PageRequest): Promise<readonly Resend[]> {
    const { statement, values } = filteredStatement(statements.list, statements.listConditions, { after });
    return (await run<ResendRow>(this.db, statement, [...values, limit])).map(resendFrom);
  }

  async find(id: string): Promise<ResendProgress | undefined> {
    requireIds({ id });
    const [row] = await run<ResendRow>(this.db, statements.find, [id]);
    if (!row) return undefined;
    const [counts] = await run<Counts>(this.db, statements.progress, [id]);
    return progressFrom(row, counts);
  }

  async cancel(id: string, audit: (before: ResendProgress) => AuditEntry): Promise<ResendProgress | undefined> {
    requireIds({ id });
    await transaction(this.db, async (manager) => {
      const [row] = await runIn<ResendRow>(manager, statements.lock, [id]);
      if (!row || row.state === 'cancelled') return;
      const [counts] = await runIn<Counts>(manager, statements.progress, [id]);
      await runIn(manager, statements.cancel, [id]);
      await appendAudit(manager, audit(progressFrom(row, counts)));
    });
    while (await transaction(this.db, (manager) => restoreSome(manager, id)));
    return this.find(id);
  }

  async step(): Promise<number> {
    return transaction(this.db, async (manager) => {
      const [batch] = await runIn<ResendRow>(manager, statements.turn, [resendRules.stepMs]);
      if (!batch) return 0;
      const values = [batch.id, batch.fed_to, batch.per_second];
      const items = await runIn<Owned & { seq: string; delivery_id: string }>(manager, statements.nextItems, values);
      await requeueAll(
        manager,
        batch.id,
        items.map((item) => ({ id: item.delivery_id, key: item.key })),
      );
      const isLast = items.length < batch.per_second;
      await runIn(manager, statements.goOn, [batch.id, items.at(-1)?.seq ?? batch.fed_to, isLast]);
      return 1;
    });
  }
}

/** The batch has more deliveries than it may have. */
class TooMany extends Error {}

/** Queues deliveries that share a key one by one under the lock of the key, because each must find out whether it is the first. */
async function requeueAll(manager: EntityManager, resendId: string, items: readonly Owned[]): Promise<void> {
  const alone = items.filter(({ id, key }) => id === key).map(({ id }) => id);
  const ordered = items.filter(({ id, key }) => id !== key);
  await lockKeys(manager, ordered);
  for (const { id } of ordered) await runIn(manager, statements.requeue, [resendId, [id]]);
  if (alone.length > 0) await runIn(manager, statements.requeue, [resendId, alone]);
}

/** Restores some deliveries and resolves to true when there may be more. Leaves deliveries that an attempt has claimed since. */
async function restoreSome(manager: EntityManager, resendId: string): Promise<boolean> {
  const some = await runIn<Owned>(manager, statements.unattempted, [resendId, restoredAtOnce]);
  const ordered = some.filter(({ id, key }) => id !== key);
  await lockKeys(manager, ordered);
  const ids = some.map(({ id }) => id);
  const restored = await runIn(manager, statements.restore, [resendId, ids]);
  for (const key of keysOf(ordered)) await runIn(manager, promoteNext, [key]);
  return restored.length > 0;
}

/** Locks keys in one order, so that two transactions with the same keys cannot deadlock. */
async function lockKeys(manager: EntityManager, ordered: readonly Owned[]): Promise<void> {
  for (const key of keysOf(ordered)) await runIn(manager, lockKey, [key]);
}

const keysOf = (ordered: readonly Owned[]): string[] => [...new Set(ordered.map(({ key }) => key))].sort();

type Counts = Pick<ResendProgress, 'waiting' | 'delivered' | 'failed'>;

const progressFrom = (row: ResendRow, counts: Counts = { waiting: 0, delivered: 0, failed: 0 }): ResendProgress => ({
  ...resendFrom(row),
  waiting: counts.waiting,
  delivered: counts.delivered,
  failed: counts.failed,
});

const resendFrom = (row: ResendRow): Resend => ({
  id: row.id,
  filter: row.filter,
  perSecond: row.per_second,
  state: row.state,
  count: row.count,
  at: row.created_at.getTime(),
  endedAt: row.ended_at?.getTime(),
});

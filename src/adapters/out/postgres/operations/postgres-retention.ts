import type { DataSource } from 'typeorm';
import { alone, batch, foundIn, isAlone, pruneExpired, pruneStatement } from '../connection/prune-expired';
import type { Statement } from '../connection/statement';

/** How many days ended records are kept. */
export interface RetentionDays {
  readonly exchanges: number;
  /** Days for deliveries that were received. */
  readonly delivered: number;
  /** Days for deliveries that were given up; until then they can be resent. */
  readonly failed: number;
}

const days = (parameter: string): string => `now() - ${parameter}::integer * interval '1 day'`;

const exchanges = pruneStatement('exchanges', 'at', `at < ${days('$1')}`);

/**
 * Removes deliveries with their attempts. `chosen` is a query for the row locations (`ctid`) of removable deliveries, none of them pending.
 */
const pruneDeliveries = (name: string, chosen: string): Statement => ({
  name: `deliveries.prune-${name}`,
  text: `
    with ${alone}, ended as (${chosen} limit ${String(batch)} for update of d skip locked),
    gone as (delete from deliveries where ${foundIn('ended')} returning id),
    attempts as (delete from delivery_attempts where delivery_id = any (array(select id from gone))),
    erased as (delete from erased_deliveries where delivery_id = any (array(select id from gone)))
    select id from gone`,
});

/** While a resend runs no delivery is removed, because the deliveries it has not reached ended long ago. */
const nothingIsResent = `not exists (select from resends where state = 'running')`;

const ended = pruneDeliveries(
  'ended',
  `select d.ctid from deliveries d where ${isAlone} and d.state = $1 and d.ended_at < ${days('$2')} and ${nothingIsResent} order by d.ended_at`,
);

/** Removes ended deliveries to a miniapp that were pending when their user was erased. */
const erased = pruneDeliveries(
  'erased',
  `select d.ctid from erased_deliveries e join deliveries d on d.id = e.delivery_id where ${isAlone} and d.state <> 'ready'`,
);

const resendItems: Statement = {
  name: 'resend-items.prune',
  text: `
    with ${alone}, old as (
      select i.resend_id, i.seq from resends r join resend_items i on i.resend_id = r.id
      where ${isAlone} and r.state <> 'running' and r.created_at < ${days('$1')} and r.ended_at < ${days('$1')} limit ${String(batch)}
    )
    delete from resend_items using old where resend_items.resend_id = old.resend_id and resend_items.seq = old.seq returning 1`,
};

const resends = pruneStatement(
  'resends',
  'created_at',
  `state <> 'running' and created_at < ${days('$1')} and ended_at < ${days('$1')}
    and not exists (select from resend_items where resend_items.resend_id = resends.id)`,
);

/** Removes ended records after their retention time, never pending deliveries. Payments, reports, consents and the audit trail stay. */
export class PostgresRetention {
  constructor(private readonly deps: { readonly db: DataSource; readonly days: RetentionDays }) {}

  /** Resolves to the number of removed exchanges, deliveries and resends. */
  async prune(): Promise<number> {
    const { db, days: kept } = this.deps;
    let removed = await pruneExpired(db, exchanges, [kept.exchanges]);
    removed += await pruneExpired(db, ended, ['delivered', kept.delivered]);
    removed += await pruneExpired(db, ended, ['failed', kept.failed]);
    removed += await pruneExpired(db, erased);
    await pruneExpired(db, resendItems, [kept.failed]);
    return removed + (await pruneExpired(db, resends, [kept.failed]));
  }
}

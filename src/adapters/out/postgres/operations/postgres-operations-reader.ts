import type { DataSource } from 'typeorm';
import {
  backlogRules,
  type Backlog,
  type BacklogSample,
  type DatabaseDetails,
  type LimitUse,
  type OperationsReader,
  type Standing,
} from '../../../../domain/operations/ports';
import { firstOfQueues } from '../deliveries/endpoint-queue-statements';
import type { BacklogSampleRow } from './operations.schema';
import { mayChangeAuditTrail } from '../connection/audit-rights';
import { run, type Statement } from '../connection/statement';

const ms = (interval: string): string => `greatest(0, extract(epoch from ${interval}) * 1000)::bigint`;

/** The count uses the index of pending deliveries and stops at a bound. The lateness takes one index step per queue. */
const present = `
  ${firstOfQueues}, present as (
    select
      (select count(*)::integer from (
        select from deliveries where state = 'ready' and parked_by is null limit ${String(backlogRules.counted)}
      ) counted) as waiting,
      coalesce(${ms(`now() - (select min(created_at) from deliveries where state = 'ready' and parked_by is null)`)}, 0) as oldest_ms,
      coalesce(${ms(`now() - (
        select min(w.due_at) from waiting w where not exists (select from endpoint_queues l where l.queue = w.queue and l.paused_at is not null)
      )`)}, 0) as late_ms
  )`;

const backlog: Statement = { name: 'operations.backlog', text: `${present} select waiting, oldest_ms, late_ms from present` };
const counted = (what: string): string =>
  `(select count(*)::integer from (select from ${what} limit ${String(backlogRules.counted)}) counted)`;

/**
 * Uses the indexes of parked and of failed deliveries, and one index step per queue. Few queues are in trouble and few host apps are
 * polled, so those are counted in full.
 */
const standing: Statement = {
  name: 'operations.standing',
  text: `
    ${firstOfQueues}, late as (
      select ${ms('now() - min(w.due_at)')} as ms, case
          when l.paused_at is not null then 'paused' when l.circuit_open and l.recovering_since is null then 'open' when l.circuit_open then 'half-open' else 'closed'
        end as circuit
      from waiting w left join endpoint_queues l on l.queue = w.queue group by circuit
    )
    select (select json_object_agg(circuit, ms) from late) as late, ${counted(`deliveries where state = 'ready' and parked_by is not null`)} as parked,
      ${counted(`deliveries where state = 'failed'`)} as failed,
      (select count(*)::integer from polled_host_apps where backoff_until > now()) as left_alone,
      count(*) filter (where paused_at is not null)::integer as paused,
      count(*) filter (where paused_at is null and recovering_since is not null and not circuit_open)::integer as recovering,
      count(*) filter (where paused_at is null and recovering_since is not null and circuit_open)::integer as half_open,
      count(*) filter (where paused_at is null and recovering_since is null and circuit_open)::integer as open,
      count(*) filter (where paused_at is null and recovering_since is null and not circuit_open)::integer as failing
    from endpoint_queues`,
};
const isSampled: Statement = {
  name: 'operations.is-sampled',
  text: `select exists (select from backlog_samples where at = date_trunc('minute', now())) as sampled`,
};
const sample: Statement = {
  name: 'operations.sample',
  text: `${present}
    insert into backlog_samples (at, waiting, oldest_ms, late_ms)
    select date_trunc('minute', now()), waiting, oldest_ms, late_ms from present
    on conflict (at) do nothing`,
};
const forget: Statement = {
  name: 'operations.forget-samples',
  text: `
    delete from backlog_samples where at in (
      select at from backlog_samples where at < now() - interval '${String(backlogRules.keptMs)} ms' order by at limit 100
    )`,
};
/** Samples from $1 to $2. Groups $3 minutes into one point with their worst values. */
const samples: Statement = {
  name: 'operations.samples',
  text: `
    select to_timestamp(floor(extract(epoch from at) / (60 * $3::integer)) * 60 * $3::integer) as at,
      max(waiting) as waiting, max(oldest_ms) as oldest_ms, max(late_ms) as late_ms
    from backlog_samples
    where at >= to_timestamp($1::double precision / 1000) and at < to_timestamp($2::double precision / 1000)
    group by 1 order by 1`,
};
/** Takes the limits and their allowed calls as JSON in $1. Ignores counters whose window has ended. */
const limits: Statement = {
  name: 'operations.limits',
  text: `
    with allowed as (select key as name, value::integer as points from json_each_text($1::json))
    select a.name, count(r.key)::integer as subjects, coalesce(max(r.points), 0)::integer as busiest,
      (count(r.key) filter (where r.points >= a.points))::integer as reached
    from allowed a
    left join rate_limits r on split_part(r.key, ':', 1) = a.name and r.expire > extract(epoch from now()) * 1000
    group by a.name order by a.name`,
};
const database: Statement = {
  name: 'operations.database',
  text: `
    select current_setting('server_version') as version, pg_database_size(current_database())::double precision as size,
      (select count(*)::integer from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::integer as max_connections, not ${mayChangeAuditTrail} as audit_protected`,
};
const applied: Statement = { name: 'operations.migrations', text: 'select name from migrations order by "timestamp"' };

type StandingRow = { late: Partial<Standing['lateMs']> | null } & Record<
  'parked' | 'failed' | 'left_alone' | 'failing' | 'open' | 'half_open' | 'recovering' | 'paused',
  number
>;
type BacklogRow = Omit<BacklogSampleRow, 'at'>;

interface DatabaseRow {
  readonly version: string;
  readonly size: number;
  readonly connections: number;
  readonly max_connections: number;
  readonly audit_protected: boolean;
}

const minuteMs = 60_000;

/** Reads the state of the whole service from Postgres. */
export class PostgresOperationsReader implements OperationsReader {
  constructor(private readonly db: DataSource) {}

  async backlog(): Promise<Backlog> {
    const [row] = await run<BacklogRow>(this.db, backlog, []);
    return row ? backlogFrom(row) : { waiting: 0, oldestMs: 0, lateMs: 0 };
  }

  async standing(): Promise<Standing> {
    const [row] = await run<StandingRow>(this.db, standing, []);
    const { parked = 0, failed = 0, left_alone: hostAppsLeftAlone = 0, failing = 0 } = row ?? {};
    const { open = 0, half_open: halfOpen = 0, recovering = 0, paused = 0 } = row ?? {};
    const lateMs = { closed: 0, open: 0, 'half-open': 0, paused: 0, ...row?.late };
    return { parked, failed, queues: { failing, open, 'half-open': halfOpen, recovering, paused }, lateMs, hostAppsLeftAlone };
  }

  async sample(): Promise<void> {
    const [row] = await run<{ sampled: boolean }>(this.db, isSampled, []);
    if (row?.sampled) return;
    await run(this.db, sample, []);
    await run(this.db, forget, []);
  }

  async samples({ from, to }: { readonly from: number; readonly to: number }): Promise<readonly BacklogSample[]> {
    const minutes = Math.max(1, Math.ceil((to - from) / minuteMs / backlogRules.points));
    const rows = await run<BacklogSampleRow>(this.db, samples, [from, to, minutes]);
    return rows.map((row) => ({ at: row.at.getTime(), ...backlogFrom(row) }));
  }

  async limits(points: Readonly<Record<string, number>>): Promise<readonly LimitUse[]> {
    const rows = await run<Omit<LimitUse, 'limit'> & { name: string }>(this.db, limits, [JSON.stringify(points)]);
    return rows.map(({ name, subjects, busiest, reached }) => ({ limit: name, subjects, busiest, reached }));
  }

  async database(): Promise<DatabaseDetails> {
    const [row] = await run<DatabaseRow>(this.db, database, []);
    const names = (await run<{ name: string }>(this.db, applied, [])).map(({ name }) => name);
    const known = this.db.migrations.map((migration) => migration.name ?? migration.constructor.name);
    const { version = '', size = 0, connections = 0, max_connections: maxConnections = 0 } = row ?? {};
    const auditTrailProtected = row?.audit_protected === true;
    return {
      ...{ version, size, connections, maxConnections, auditTrailProtected },
      migrations: {
        applied: names,
        pending: known.filter((name) => !names.includes(name)),
        unknown: names.filter((name) => !known.includes(name)),
      },
    };
  }
}

const backlogFrom = ({ waiting, oldest_ms: oldestMs, late_ms: lateMs }: BacklogRow): Backlog => ({
  waiting,
  oldestMs: Number(oldestMs),
  lateMs: Number(lateMs),
});

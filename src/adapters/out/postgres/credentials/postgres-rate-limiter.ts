import { hash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import type { RateBucket, RateLimiter } from '../../../../domain/credentials/ports';
import { refusal, Unavailable } from '../../../../domain/shared/errors';
import type { RateCount } from '../../../../domain/shared/rate-count';
import { requireIds } from '../../../../domain/shared/required-id';
import { columnParameters } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { run, type Statement } from '../connection/statement';

const windowS = 60;
/**
 * How long an instance counts alone after the database failed to count, in milliseconds, so that the next calls do not wait for the failure
 * again.
 */
const aloneForMs = 2000;

const nowMs = '(extract(epoch from now()) * 1000)::bigint';
const prune = pruneStatement('rate_limits', 'expire', `expire < ${nowMs}`);

/**
 * Counts points for many keys. Takes arrays of distinct keys, points and window lengths in milliseconds, which apply to a window that
 * begins now. `left_ms` is the rest of the window.
 */
const count: Statement = {
  name: 'rate-limits.count',
  text: `
    insert into rate_limits as r (key, points, expire)
    select key, points, ${nowMs} + window_ms from unnest($1::text[], $2::integer[], $3::integer[]) as g (key, points, window_ms) order by key
    on conflict (key) do update set
      points = case when r.expire <= ${nowMs} then excluded.points else r.points + excluded.points end,
      expire = case when r.expire <= ${nowMs} then excluded.expire else r.expire end
    returning key, points, (expire - ${nowMs})::float8 as left_ms`,
};

/** The maximum number of counts in one statement. */
const maxGroupSize = 64;

/** Points to add to one key. */
interface Count {
  readonly key: string;
  readonly points: number;
  readonly windowMs: number;
}

/** The points of a key in its window and the milliseconds left in the window. */
interface Counted {
  readonly points: number;
  readonly left_ms: number;
}

/**
 * Counts in Postgres, so that all instances share the counts. A caller at its limit is refused from memory until the window ends. While the
 * database fails to count, and for two seconds afterwards, each instance counts alone.
 */
export class PostgresRateLimiter implements RateLimiter {
  private readonly limiters: ReadonlyMap<string, RateLimiterPostgres>;
  private readonly counts = new GroupedStatements<Count, Counted>({ maxGroupSize, run: (counts) => this.countAll(counts) });
  /** The last failure and the end of the pause after it, by the monotonic clock. */
  private outage: { readonly error: Unavailable; readonly until: number } | undefined;

  /** `limits`: the allowed points per minute by the name of the limit. */
  constructor(private readonly deps: { readonly db: DataSource; readonly limits: Readonly<Record<string, number>> }) {
    const entries = Object.entries(deps.limits).map(([limit, points]) => [limit, this.limiterOf(limit, points)] as const);
    this.limiters = new Map(entries);
  }

  async count({ limit, subject }: RateBucket): Promise<RateCount> {
    requireIds({ limit, subject });
    const limiter = this.limiters.get(limit);
    if (!limiter) throw new Error(`No limit is named ${limit}`);
    try {
      return countOf(limiter.points, await limiter.consume(hash('sha256', subject, 'base64url')));
    } catch (reached) {
      if (!(reached instanceof RateLimiterRes)) throw reached;
      const rate = countOf(limiter.points, reached);
      throw refusal('too-many', 'RATE_LIMITED', { retryAfterS: rate.resetS, rate, side: 'platform' });
    }
  }

  /** Removes the counters of windows that have ended; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  private limiterOf(limit: string, points: number): RateLimiterPostgres {
    const common = { keyPrefix: limit, points, duration: windowS };
    return new RateLimiterPostgres({
      ...common,
      // Runs statements through `run`, which reuses connections and maps errors. The library only needs `query`.
      storeClient: { query: (query: Query) => this.query(query) },
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory(common),
    });
  }

  /**
   * The library's own statement ends windows by this process's clock, while windows here end by the database's clock. Converts `expire`
   * back to what the library expects.
   */
  private async query({ name, values: [key, points, expire, now] }: Query): Promise<{ rows: unknown[]; rowCount: number }> {
    if (!name.endsWith(countingName)) throw new Error(`Not known how to do ${name}`);
    if (this.outage && performance.now() < this.outage.until) throw this.outage.error;
    try {
      const counted = await this.counts.add({ key, points, windowMs: expire - now });
      return { rows: [{ points: counted.points, expire: Date.now() + counted.left_ms }], rowCount: 1 };
    } catch (error) {
      if (error instanceof Unavailable) this.outage = { error, until: performance.now() + aloneForMs };
      throw error;
    }
  }

  /**
   * A statement can change a row only once, so points of one key are added up first. Each caller gets the points up to and including its
   * own.
   */
  private async countAll(counts: readonly Count[]): Promise<Counted[]> {
    const sums = new Map<string, Count>();
    for (const one of counts) sums.set(one.key, { ...one, points: one.points + (sums.get(one.key)?.points ?? 0) });
    const given = [...sums.values()].map(({ key, points, windowMs }) => [key, points, windowMs]);
    const rows = await run<Counted & Pick<Count, 'key'>>(this.deps.db, count, columnParameters(['text', 'integer', 'integer'], given));
    const counted = new Map(rows.map((row) => [row.key, { points: row.points - (sums.get(row.key)?.points ?? 0), left_ms: row.left_ms }]));
    return counts.map(({ key, points }) => {
      const found = counted.get(key);
      if (!found) throw new Error('The database has told no count');
      found.points += points;
      return { points: found.points, left_ms: found.left_ms };
    });
  }
}

/** The library's call of its store. */
interface Query {
  readonly name: string;
  /** The key, the points, the end of the window and the current time (milliseconds since the epoch). */
  readonly values: readonly [string, number, number, number];
}

/** The end of the name of the only statement that `consume` runs. */
const countingName = ':rlflx-upsert';

const countOf = (limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): RateCount => ({
  limit,
  remaining: Math.max(0, remainingPoints),
  resetS: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});

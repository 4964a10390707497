import { setTimeout as pause } from 'node:timers/promises';
import { MigrationExecutor, QueryFailedError, type DataSource, type QueryRunner } from 'typeorm';

/** The name of the advisory lock of migrations. It must be the same in every version of the service. */
const LOCK_NAME = 'pierhead-migrations';
const POLL_MS = 100;
const MAX_WAIT_MS = 10 * 60_000;
/**
 * The lock timeout is a quarter of the time that a call waits for a connection. After it the migration pauses for STAND_ASIDE_MS, so that
 * calls proceed.
 */
const LOCK_WITHIN_MS = 500;
const STAND_ASIDE_MS = 1000;

interface MigrateOptions {
  readonly maxWaitMs?: number;
  /** When aborted, stops waiting for the lock and rejects with the abort reason. */
  readonly stopped?: AbortSignal | undefined;
  /** Runs before pending migrations; not called when there are none. */
  readonly before?: (runner: QueryRunner) => Promise<void>;
  readonly afterwards?: (runner: QueryRunner) => Promise<void>;
}

/**
 * Migrates the tables once: the first of several starting instances does it, the others wait and find nothing to do. Uses a single
 * connection, so a pool of one is enough. Each migration is a separate transaction; it waits at most half a second for a table, then pauses
 * and tries again. Open `db` with `limits: 'none'` on Postgres, and directly: a pooler in transaction mode does not keep the lock.
 * `afterwards` runs on the same connection while the lock is held, even when no migration was pending.
 * @returns the names of the migrations that ran here.
 * @throws Error when another instance holds the lock, or another session a table, for longer than ten minutes; the error of the failed
 * migration, which is rolled back.
 */
export async function migrate(
  db: DataSource,
  { maxWaitMs = MAX_WAIT_MS, stopped, before, afterwards }: MigrateOptions = {},
): Promise<string[]> {
  const runner = db.createQueryRunner();
  try {
    await runner.connect();
    await lock(runner, maxWaitMs, stopped);
    try {
      if (before && (await isPending(db, runner))) await before(runner);
      const migrated = await runPending(db, runner, { giveUpAt: performance.now() + maxWaitMs, stopped });
      await afterwards?.(runner);
      return migrated;
    } finally {
      // If the connection is lost, the server has released the lock.
      await runner.query('select pg_advisory_unlock(hashtext($1))', [LOCK_NAME]).catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}

async function isPending(db: DataSource, runner: QueryRunner): Promise<boolean> {
  const [row] = (await runner.query(`select to_regclass('migrations') is not null as begun`)) as { begun: boolean }[];
  return !row?.begun || (await new MigrationExecutor(db, runner).getPendingMigrations()).length > 0;
}

interface Patience {
  /** The end of the attempts on the monotonic clock, in milliseconds. */
  readonly giveUpAt: number;
  readonly stopped: AbortSignal | undefined;
}

/**
 * Runs pending migrations and repeats those that could not lock a table in time. Other statements queue behind a waiting migration, so it
 * gives up its place in the queue before the calls of serving instances fail.
 */
async function runPending(db: DataSource, runner: QueryRunner, { giveUpAt, stopped }: Patience): Promise<string[]> {
  const migrated: string[] = [];
  await runner.query(`set lock_timeout = ${String(LOCK_WITHIN_MS)}`);
  try {
    for (;;) {
      const executor = new MigrationExecutor(db, runner);
      executor.transaction = 'each';
      const before = await executor.getPendingMigrations();
      try {
        const ran = await executor.executePendingMigrations();
        return [...migrated, ...ran.map(({ name }) => name)];
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() > giveUpAt) throw error;
        const left = await executor.getPendingMigrations();
        migrated.push(...before.slice(0, before.length - left.length).map(({ name }) => name));
      }
      stopped?.throwIfAborted();
      await pause(STAND_ASIDE_MS);
    }
  } finally {
    await runner.query('reset lock_timeout').catch(() => undefined);
  }
}

/** Postgres' `lock_not_available`. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code === '55P03';

/** Polls instead of waiting inside Postgres, because a waiting statement would block `create index concurrently` of the holder. */
async function lock(runner: QueryRunner, maxWaitMs: number, stopped: AbortSignal | undefined): Promise<void> {
  const giveUpAt = performance.now() + maxWaitMs;
  for (;;) {
    const [row] = (await runner.query('select pg_try_advisory_lock(hashtext($1)) as held', [LOCK_NAME])) as { held: boolean }[];
    if (row?.held) return;
    stopped?.throwIfAborted();
    if (performance.now() > giveUpAt) throw new Error('Another instance has been migrating this database for too long; see its log');
    await pause(POLL_MS);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { MigrationExecutor, QueryFailedError, type DataSource, type QueryRunner } from 'typeorm';

/** Any number, the same in every version of the service: whoever migrates holds the lock of this name. */
const LOCK_NAME = 'pierhead-migrations';
const LOOK_AGAIN_MS = 100;
const WAIT_AT_MOST_MS = 10 * 60_000;
/** A quarter of what a call waits for a connection; and how long calls are let by then. */
const LOCK_WITHIN_MS = 500;
const STAND_ASIDE_MS = 1000;

interface MigrateOptions {
  readonly waitAtMostMs?: number;
  /** Aborted: whoever waits for the lock gives up with its reason. */
  readonly stopped?: AbortSignal | undefined;
  /** Runs where something is pending, before it does. */
  readonly before?: (runner: QueryRunner) => Promise<void>;
  readonly afterwards?: (runner: QueryRunner) => Promise<void>;
}

/**
 * Brings the tables up to date, once, whichever of several starting instances is first; the others wait and find nothing to do.
 * Everything happens on one connection, so a pool of one serves. Each migration is a transaction of its own, and
 * waits no longer than half a second for a table, then stands aside and begins again. Open `db` with
 * `limits: 'none'` on Postgres, and directly: a pooler in transaction mode does not keep the lock. `afterwards` runs on the same
 * connection while the lock is held, whether anything was pending or not.
 * @returns the names of the migrations that ran here.
 * @throws Error when another instance holds the lock, or somebody a table, for longer than ten minutes; the error of the failed migration, rolled back.
 */
export async function migrate(
  db: DataSource,
  { waitAtMostMs = WAIT_AT_MOST_MS, stopped, before, afterwards }: MigrateOptions = {},
): Promise<string[]> {
  const runner = db.createQueryRunner();
  try {
    await runner.connect();
    await lock(runner, waitAtMostMs, stopped);
    try {
      if (before && (await isPending(db, runner))) await before(runner);
      const migrated = await runPending(db, runner, { giveUpAt: performance.now() + waitAtMostMs, stopped });
      await afterwards?.(runner);
      return migrated;
    } finally {
      // A lost connection has given the lock back by itself.
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
  /** By the monotonic clock, in milliseconds. */
  readonly giveUpAt: number;
  readonly stopped: AbortSignal | undefined;
}

/**
 * Runs pending migrations, and repeats those that found a table in use for too long: whoever comes to a table for which somebody waits with a
 * change stands behind him, so a migration stands aside before the calls of those who serve fail.
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

/** Asks again and again rather than wait inside Postgres: a waiting statement would block `create index concurrently` of the holder. */
async function lock(runner: QueryRunner, waitAtMostMs: number, stopped: AbortSignal | undefined): Promise<void> {
  const giveUpAt = performance.now() + waitAtMostMs;
  for (;;) {
    const [row] = (await runner.query('select pg_try_advisory_lock(hashtext($1)) as held', [LOCK_NAME])) as { held: boolean }[];
    if (row?.held) return;
    stopped?.throwIfAborted();
    if (performance.now() > giveUpAt) throw new Error('Another instance has been migrating this database for too long; see its log');
    await pause(LOOK_AGAIN_MS);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';

/** Any number, the same in every version of the service: whoever migrates holds the lock of this name. */
const LOCK_NAME = 'pierhead-migrations';
const LOOK_AGAIN_MS = 100;
const WAIT_AT_MOST_MS = 10 * 60_000;

interface MigrateOptions {
  readonly waitAtMostMs?: number;
  /** Aborted: whoever waits for the lock gives up with its reason. */
  readonly stopped?: AbortSignal | undefined;
  readonly afterwards?: (runner: QueryRunner) => Promise<void>;
}

/**
 * Brings the tables up to date, once, whichever of several starting instances is first; the others wait and find nothing to do.
 * Everything happens on one connection, so a pool of one serves. Each migration is a transaction of its own. Open `db` with
 * `limits: 'none'` on Postgres, and directly: a pooler in transaction mode does not keep the lock. `afterwards` runs on the same
 * connection while the lock is held, whether anything was pending or not.
 * @returns the names of the migrations that ran here.
 * @throws Error when another instance holds the lock for longer than ten minutes; the error of the failed migration, rolled back.
 */
export async function migrate(
  db: DataSource,
  { waitAtMostMs = WAIT_AT_MOST_MS, stopped, afterwards }: MigrateOptions = {},
): Promise<string[]> {
  const runner = db.createQueryRunner();
  try {
    await runner.connect();
    await lock(runner, waitAtMostMs, stopped);
    try {
      const executor = new MigrationExecutor(db, runner);
      executor.transaction = 'each';
      const migrated = (await executor.executePendingMigrations()).map((migration) => migration.name);
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

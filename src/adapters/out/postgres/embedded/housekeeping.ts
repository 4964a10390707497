import type { DataSource } from 'typeorm';

const EVERY_MS = 5 * 60_000;
/** The minimum number of dead rows for a vacuum, which blocks all statements for about 50 ms. */
const DEAD_ROWS_WORTH_IT = 1000;

/** The maintenance that a server's background processes do and the embedded database does not. */
export interface Housekeeping {
  /** Resolves when the current round has ended; no round starts afterwards. */
  stop(): Promise<void>;
}

/**
 * Every five minutes: removes dead rows, updates the planner's statistics and limits the WAL that a start must replay. Does not keep the
 * process alive.
 */
export function startHousekeeping(db: DataSource, onFailure: (error: Error) => void): Housekeeping {
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => keepHouse(db)).catch((error: unknown) => onFailure(error as Error));
  }, EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return round;
    },
  };
}

/** Runs one round. Uses the pool, because a vacuum cannot run inside a transaction. */
export async function keepHouse(db: DataSource): Promise<void> {
  const tables: { name: string }[] = await db.query('select quote_ident(relname) as name from pg_stat_user_tables where n_dead_tup >= $1', [
    DEAD_ROWS_WORTH_IT,
  ]);
  for (const { name } of tables) await db.query(`vacuum (analyze) ${name}`);
  await db.query('checkpoint');
}

import type { DataSource } from 'typeorm';

const EVERY_MS = 5 * 60_000;
/** Below this a table is not worth the 50 ms that its vacuum holds up everybody else. */
const DEAD_ROWS_WORTH_IT = 1000;

/** What a server's background processes would do and the embedded database leaves undone. */
export interface Housekeeping {
  /** Resolves when a round that is under way has ended; none starts after it. */
  stop(): Promise<void>;
}

/** Frees dead rows, refreshes the planner's figures and bounds the log to be replayed, every five minutes. Keeps no process alive. */
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

/** One round. Goes through the pool, as a vacuum inside somebody's transaction would break it. */
export async function keepHouse(db: DataSource): Promise<void> {
  const tables: { name: string }[] = await db.query('select quote_ident(relname) as name from pg_stat_user_tables where n_dead_tup >= $1', [
    DEAD_ROWS_WORTH_IT,
  ]);
  for (const { name } of tables) await db.query(`vacuum (analyze) ${name}`);
  await db.query('checkpoint');
}

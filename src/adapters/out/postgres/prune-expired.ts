import type { DataSource } from 'typeorm';
import { run, type Statement } from './statement';

/** Rows in one statement, so that none runs long; batches in one call, so that each call ends. */
export const batch = 1000;
const batchesAtMost = 100;

/** Repeats a statement that removes `batch` expired rows and returns them, until fewer are left. Resolves to their number. */
export async function pruneExpired(db: DataSource, statement: Statement): Promise<number> {
  let removed = 0;
  for (let i = 0; i < batchesAtMost; i++) {
    const rows = await run(db, statement, []);
    removed += rows.length;
    if (rows.length < batch) break;
  }
  return removed;
}

import type { DataSource } from 'typeorm';
import { run, type Statement } from './statement';

/** Rows in one statement, so that none runs long; batches in one call, so that each call ends. */
export const batch = 1000;
const batchesAtMost = 100;

/**
 * The beginning of every statement that prunes: `alone.held` is true for one of them at a time over all instances and tables,
 * until it ends. Who comes second removes nothing, and finds less to do at the next beat.
 */
export const alone = `alone as materialized (select pg_try_advisory_xact_lock(hashtextextended('pierhead-prune', 0)) as held)`;
export const isAlone = '(select held from alone)';

/** Of all rows those whose places, as of this very statement, a query has found: nothing is joined, whatever the planner believes of a table. */
export const foundIn = (query: string): string => `ctid = any (array(select ctid from ${query}))`;

/** A statement that removes a batch of rows, the first of them by the column `by`, which has an index. `expired` says which may go, by it. */
export function pruneStatement(table: string, by: string, expired: string): Statement {
  return {
    name: `${table}.prune`,
    text: `
      with ${alone}, expired as (
        select ctid from ${table} where ${isAlone} and ${expired} order by ${by} limit ${String(batch)} for update skip locked
      )
      delete from ${table} where ${foundIn('expired')} returning 1`,
  };
}

/** Repeats a statement that removes `batch` expired rows and returns them, until fewer are left. Resolves to their number. */
export async function pruneExpired(db: DataSource, statement: Statement, values: readonly unknown[] = []): Promise<number> {
  let removed = 0;
  for (let i = 0; i < batchesAtMost; i++) {
    const rows = await run(db, statement, values);
    removed += rows.length;
    if (rows.length < batch) break;
  }
  return removed;
}

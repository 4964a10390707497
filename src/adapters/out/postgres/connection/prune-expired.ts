import type { DataSource } from 'typeorm';
import { run, type Statement } from './statement';

/** The maximum rows per statement and batches per call, so that neither runs long. */
export const batch = 1000;
const maxBatches = 100;

/**
 * Part of every pruning statement: `alone.held` is true for one of them at a time, over all instances and tables, until it ends. The others
 * remove nothing and try again next time.
 */
export const alone = `alone as materialized (select pg_try_advisory_xact_lock(hashtextextended('pierhead-prune', 0)) as held)`;
export const isAlone = '(select held from alone)';

/**
 * Selects rows by the locations (`ctid`) that a subquery in the same statement finds. This avoids a join, whatever the planner's statistics
 * say.
 */
export const foundIn = (query: string): string => `ctid = any (array(select ctid from ${query}))`;

/** A statement that removes a batch of rows, ordered by the indexed column `by`. `expired` is the condition on that column. */
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
  for (let i = 0; i < maxBatches; i++) {
    const rows = await run(db, statement, values);
    removed += rows.length;
    if (rows.length < batch) break;
  }
  return removed;
}

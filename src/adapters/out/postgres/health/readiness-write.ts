import type { DataSource } from 'typeorm';
import { runTogether } from '../connection/statement';

/** Truncates and refills the table, which needs 64 kB of new disk space. An update in place needs none and would succeed on a full disk. */
const makeAnew = `
  set local lock_timeout = '500ms';
  set local statement_timeout = '2s';
  truncate readiness_writes;
  insert into readiness_writes (slot, filling) select n, repeat('x', 200) from generate_series(1, 280) as n`;

/** For a role without the right to truncate the table. */
const writeAgain = `
  set local lock_timeout = '500ms';
  set local statement_timeout = '2s';
  delete from readiness_writes;
  insert into readiness_writes (slot, filling) select n, repeat('x', 200) from generate_series(1, 280) as n`;

/** SQLSTATE insufficient_privilege, lock_not_available. */
const [mayNot, isLocked] = ['42501', '55P03'];

const codeOf = (error: unknown): unknown => {
  const inner: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error && 'code' in inner ? inner.code : undefined;
};

/**
 * Writes and commits 64 kB, which shows that the database answers, has disk space and is no standby. If another instance holds the table's
 * lock, the database is answering, so the check passes.
 * @throws Unavailable when the database cannot serve; otherwise the driver's error.
 */
export async function writeForReadiness(db: DataSource): Promise<void> {
  try {
    await runTogether(db, makeAnew).catch((error: unknown) => {
      if (codeOf(error) !== mayNot) throw error;
      return runTogether(db, writeAgain);
    });
  } catch (error) {
    if (codeOf(error) !== isLocked) throw error;
  }
}

import type { DataSource } from 'typeorm';
import { runTogether } from '../statement';

/** The table is made anew, so that 64 kB of new room must be found: a row that is changed in its place needs none, and passes on a full disk. */
const makeAnew = `
  set local lock_timeout = '500ms';
  set local statement_timeout = '2s';
  truncate readiness_writes;
  insert into readiness_writes (slot, filling) select n, repeat('x', 200) from generate_series(1, 280) as n`;

/** For a role that may not truncate it. */
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
 * Writes 64 kB, commits them, and so finds out whether the database takes writes now: that it answers, has room, and is no standby. One that
 * finds another instance at it has its answer: the database answers.
 * @throws Unavailable when the database cannot serve; the driver's error otherwise.
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

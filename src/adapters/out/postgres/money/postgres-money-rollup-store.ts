import type { DataSource, EntityManager } from 'typeorm';
import type { FigureRollupStore } from '../../../../domain/figures/ports';
import { floorTo } from '../../../../domain/figures/slots';
import { run, runIn, transaction } from '../connection/statement';
import type { MoneySumProgressRow } from './money-sum.schema';
import { moneySums, type MoneySumStatements } from './money-sum-statements';

/** The maximum number of changes in one transaction. */
const maxBatchSize = 20_000;
/** A time after every record. */
const never = new Date(Date.UTC(9999, 0, 1));

/**
 * Sums the amounts of reported transactions and of paid payments by hours and days, with the same method as payments are counted (ADR 039).
 * Each counts once: a change moves into the sums in one transaction, and records older than the triggers are summed backwards, hour by
 * hour. Only one instance sums at a time. Sums are kept as long as the records: forever.
 */
export class PostgresMoneyRollupStore implements FigureRollupStore {
  constructor(private readonly db: DataSource) {}

  /** Sums at most 20,000 changes of each kind, then the latest hour of each that is not summed. True: there is more. */
  async advance(): Promise<boolean> {
    const more: boolean[] = [];
    for (const statements of Object.values(moneySums)) more.push(await this.advanceOne(statements));
    return more.some(Boolean);
  }

  private async advanceOne(statements: MoneySumStatements): Promise<boolean> {
    await run(this.db, statements.begin, [never]);
    return transaction(this.db, async (manager) => {
      const [progress] = await runIn<Pick<MoneySumProgressRow, 'since'>>(manager, statements.lock, []);
      if (!progress) return false;
      const [{ taken } = { taken: 0 }] = await runIn<{ taken: number }>(manager, statements.takeChanges, [
        maxBatchSize,
        atOf(progress.since),
      ]);
      if (progress.since === -Infinity) return taken === maxBatchSize;
      return (await sumBefore(manager, statements, progress.since)) || taken === maxBatchSize;
    });
  }
}

/** The driver reads `-infinity` as a number, but Postgres accepts only the text. */
const atOf = (since: Date | number): Date | string => (since instanceof Date ? since : '-infinity');

/** Sums the last hour before `since` that has records. True: there are more. */
async function sumBefore(manager: EntityManager, statements: MoneySumStatements, since: Date | number): Promise<boolean> {
  const [last] = await runIn<{ at: Date | null }>(manager, statements.lastBefore, [since]);
  const from = last?.at ? new Date(floorTo(last.at.getTime(), 3600)) : null;
  if (from) await runIn(manager, statements.sumRecords, [from, since]);
  await runIn(manager, statements.note, [from]);
  return from !== null;
}

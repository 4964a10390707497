import type { DataSource, EntityManager } from 'typeorm';
import type { FigureRollupStore } from '../../../../domain/figures/ports';
import { floorTo, hoursKeptMs } from '../../../../domain/figures/slots';
import type { PaymentFigureProgressRow } from './payment-figure.schema';
import * as statements from './payment-figure-statements';
import { run, runIn, transaction } from '../connection/statement';

const hourMs = 3_600_000;
/** The maximum number of changes in one transaction. */
const atOnce = 20_000;
/** Retention is rounded down to a whole half-day (seconds). */
const keptByS = 43_200;
/** A time after every payment. */
const never = new Date(Date.UTC(9999, 0, 1));

/**
 * Sums payments by the hour and half-day of their creation. Each counts once: a change moves into the sums in one transaction, and an older
 * hour is summed together with its changes. Only one instance sums at a time. Source: ADR 039.
 */
export class PostgresPaymentFigureRollupStore implements FigureRollupStore {
  /** When old rows were last removed, in milliseconds since the epoch. */
  private prunedAt = 0;

  constructor(private readonly db: DataSource) {}

  /** Sums at most 20,000 changes, then the latest hour of the last forty days that is not summed. True: there is more. */
  async advance(now: number): Promise<boolean> {
    await run(this.db, statements.beginSums, [never]);
    const keptFrom = floorTo(now - hoursKeptMs, keptByS);
    const isPruned = now - this.prunedAt >= hourMs;
    const more = await transaction(this.db, async (manager) => {
      const [progress] = await runIn<Pick<PaymentFigureProgressRow, 'since'>>(manager, statements.lockSums, []);
      if (!progress) return undefined;
      if (isPruned) await runIn(manager, statements.pruneSums, [new Date(keptFrom)]);
      const since = Math.max(progress.since.getTime(), isPruned ? keptFrom : 0);
      const [{ taken } = { taken: 0 }] = await runIn<{ taken: number }>(manager, statements.takeChanges, [atOnce, new Date(since)]);
      const reached = since > keptFrom ? await sumBefore(manager, since, keptFrom) : since;
      if (reached !== progress.since.getTime()) await runIn(manager, statements.noteSince, [new Date(reached)]);
      return taken === atOnce || reached > keptFrom;
    });
    if (isPruned && more !== undefined) this.prunedAt = now;
    return more ?? false;
  }
}

/** Sums the last hour before `since` in which a payment was created. Resolves to the new start of the summed time. */
async function sumBefore(manager: EntityManager, since: number, keptFrom: number): Promise<number> {
  const [last] = await runIn<{ at: Date | null }>(manager, statements.lastBefore, [new Date(keptFrom), new Date(since)]);
  const from = last?.at ? floorTo(last.at.getTime(), hourMs / 1000) : keptFrom;
  await runIn(manager, statements.sumPayments, [new Date(from), new Date(since)]);
  return from;
}

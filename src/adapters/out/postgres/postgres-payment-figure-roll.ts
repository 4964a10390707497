import type { DataSource, EntityManager } from 'typeorm';
import type { FigureRoll } from '../../../domain/figures/ports';
import { floorTo, hoursKeptMs } from '../../../domain/figures/slots';
import type { PaymentFigureProgressRow } from './payment-figure.schema';
import * as statements from './payment-figure-statements';
import { run, runIn, transaction } from './statement';

const hourMs = 3_600_000;
/** Changes that are taken in one transaction. */
const atOnce = 20_000;
/** Sums are kept by whole half-days. */
const keptByS = 43_200;
/** No payment is created from then on. */
const never = new Date(Date.UTC(9999, 0, 1));

/**
 * Sums payments by hours and half-days of their creation, each one once: a change goes from the changes into the sums in one
 * transaction, and an hour of before is summed together with what has changed of it. Over all instances one sums at a time.
 * Source: ADR 039.
 */
export class PostgresPaymentFigureRoll implements FigureRoll {
  /** When old rows were removed last, in milliseconds since the epoch. */
  private prunedAt = 0;

  constructor(private readonly db: DataSource) {}

  /** Takes in 20,000 changes at most, then the last hour that is not summed yet, of forty days. True: there is more. */
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

/** Sums the last hour before `since` in which a payment was created. Resolves to since when payments are summed then. */
async function sumBefore(manager: EntityManager, since: number, keptFrom: number): Promise<number> {
  const [last] = await runIn<{ at: Date | null }>(manager, statements.lastBefore, [new Date(keptFrom), new Date(since)]);
  const from = last?.at ? floorTo(last.at.getTime(), hourMs / 1000) : keptFrom;
  await runIn(manager, statements.sumPayments, [new Date(from), new Date(since)]);
  return from;
}

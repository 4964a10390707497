import type { DataSource, EntityManager } from 'typeorm';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { Moved, ShiftedPair, TimeShiftRepository, Upcoming, UpcomingStep } from '../../../../domain/timeshift/ports';
import { appendAudit } from '../audit/audit-statement';
import { run, runIn, transaction, type Statement } from '../connection/statement';
import * as statements from './time-shift-statements';

type UpcomingRow = { in_flight: number } & ({ what: UpcomingStep['what']; id: string; at: Date } | { what: null; id: null; at: null });

/** Shifts the stored times of one integration, in Postgres, as if time had passed. */
export class PostgresTimeShiftRepository implements TimeShiftRepository {
  constructor(private readonly db: DataSource) {}

  async upcoming({ clientId, appId }: ShiftedPair): Promise<Upcoming | undefined> {
    requireIds({ clientId, appId });
    const [pair] = await run<{ id: string }>(this.db, statements.findPair, [clientId, appId]);
    if (!pair) return undefined;
    const [row] = await run<UpcomingRow>(this.db, statements.upcoming, [pair.id]);
    if (!row || row.what === null) return { inFlight: row?.in_flight ?? 0 };
    return { inFlight: row.in_flight, next: { what: row.what, id: row.id, at: row.at.getTime() } };
  }

  async advance(
    { clientId, appId, ms }: ShiftedPair & { readonly ms: number },
    audit: (moved: Moved) => AuditEntry,
  ): Promise<Moved | undefined> {
    requireIds({ clientId, appId });
    return transaction(this.db, async (manager) => {
      const [pair] = await runIn<{ id: string }>(manager, statements.lockPair, [clientId, appId]);
      if (!pair) return undefined;
      const deliveries = await countOf(manager, statements.shiftDeliveries, [pair.id, ms]);
      await runIn(manager, statements.shiftQueues, [pair.id, ms]);
      const payments = await countOf(manager, statements.shiftPayments, [pair.id, ms]);
      await runIn(manager, statements.shiftEarlyResults, [pair.id, ms]);
      await runIn(manager, statements.shiftHostApp, [clientId, ms]);
      const moved = { deliveries, payments };
      await appendAudit(manager, audit(moved));
      return moved;
    });
  }
}

async function countOf(manager: EntityManager, statement: Statement, values: readonly unknown[]): Promise<number> {
  const [row] = await runIn<{ count: number }>(manager, statement, values);
  return row?.count ?? 0;
}

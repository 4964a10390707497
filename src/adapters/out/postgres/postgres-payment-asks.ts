import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { askRules } from '../../../domain/payments/ask-plan';
import type { AskClaim, AskEnd, DueAsk, Overdue, PaymentAsks } from '../../../domain/payments/payment-asks';
import { requireIds } from '../../../domain/shared/required-id';
import * as statements from './ask-statements';
import { run, runIn, transaction } from './statement';

interface TurnRow {
  readonly client_id: string;
  readonly failures: number;
}

interface DueRow {
  readonly id: string;
  readonly integration_id: string;
  readonly order_payment_id: string;
  readonly asked_of: string;
  readonly failures: number;
}

/** Asks about payments, in Postgres. Claims last by the database's clock; nothing is held between the calls. */
export class PostgresPaymentAsks implements PaymentAsks {
  constructor(private readonly db: DataSource) {}

  async claimDue({ limit, leaseMs }: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueAsk[]> {
    const { places, turnEveryMs } = askRules;
    const found = await run<{ client_id: string }>(this.db, statements.hostAppsToAsk, [limit]);
    if (found.length === 0) return [];
    const clientIds = found.map(({ client_id: clientId }) => clientId);
    const lease = randomUUID();
    const rows = await transaction(this.db, async (manager) => {
      await runIn(manager, statements.meetHostApps, [clientIds]);
      const turns = await runIn<TurnRow>(manager, statements.takeTurns, [clientIds, turnEveryMs]);
      const asked = [turns.map((turn) => turn.client_id), turns.map(({ failures }) => failures)];
      return runIn<DueRow>(manager, statements.claimAsks, [...asked, places, limit, lease, leaseMs]);
    });
    return rows.map((row) => dueFrom(row, lease));
  }

  async finish({ id, clientId, failures, lease }: AskClaim, { askedAt, outcome, nextAt, quietUntil }: AskEnd): Promise<boolean> {
    requireIds({ id, clientId, lease });
    if (quietUntil !== undefined) await run(this.db, statements.leaveAlone, [clientId, failures, new Date(quietUntil)]);
    else if (askedAt !== undefined && failures > 0) await run(this.db, statements.reached, [clientId, failures]);
    const values = [id, lease, dateOf(askedAt), outcome, dateOf(nextAt)];
    return (await run(this.db, statements.finishAsk, values)).length === 1;
  }

  async endOverdue({
    createdBefore,
    reportedBefore,
  }: {
    readonly createdBefore: number;
    readonly reportedBefore: number;
  }): Promise<Overdue> {
    const asks = await run(this.db, statements.endOverdueAsks, [new Date(createdBefore)]);
    const results = await run(this.db, statements.markUnmatched, [new Date(reportedBefore)]);
    return { asks: asks.length, results: results.length };
  }
}

const dueFrom = (row: DueRow, lease: string): DueAsk => ({
  id: row.id,
  integrationId: row.integration_id,
  orderPaymentId: row.order_payment_id,
  clientId: row.asked_of,
  failures: row.failures,
  lease,
});

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at));

import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { AskClaim, AskEnd, AskRequest, DueAsk, Overdue, PaymentAsks } from '../../../domain/payments/payment-asks';
import { pollPlaces } from '../../../domain/payments/poll-pace';
import { requireIds } from '../../../domain/shared/required-id';
import { columnParameters } from './array-parameters';
import * as statements from './ask-statements';
import { GroupedStatements } from './grouped-statements';
import { hostAppNotes } from './host-app-notes';
import { run, runIn, transaction } from './statement';

interface TurnRow {
  readonly client_id: string;
  readonly failures: number;
  readonly troubles: number;
  readonly pace: number;
  readonly quota: number;
  readonly most: number;
}

interface DueRow {
  readonly id: string;
  readonly integration_id: string;
  readonly order_payment_id: string;
  readonly asked_of: string;
  /** How many could be claimed there. */
  readonly most: number;
}

/** An ask that has ended. */
interface Ended {
  readonly claim: AskClaim;
  readonly end: AskEnd;
}

const endTypes = ['text', 'text', 'timestamptz', 'text', 'integer'] as const;
/** Asks that one statement ends at most. */
const most = 100;

/** Asks about payments, in Postgres. Claims last by the database's clock; nothing is held between the calls. */
export class PostgresPaymentAsks implements PaymentAsks {
  private readonly ends = new GroupedStatements<Ended, boolean>({
    most,
    run: (ended) => this.finishAll(ended),
    nameOf: ({ claim }) => claim.id,
  });

  constructor(private readonly db: DataSource) {}

  async claimDue({ limit, leaseMs, maxPerSecond }: AskRequest): Promise<readonly DueAsk[]> {
    const found = await run<{ client_id: string }>(this.db, statements.hostAppsToAsk, [limit]);
    if (found.length === 0) return [];
    const clientIds = found.map(({ client_id: clientId }) => clientId);
    const lease = randomUUID();
    return transaction(this.db, async (manager) => {
      await runIn(manager, statements.meetHostApps, [clientIds]);
      const turns = await runIn<TurnRow>(manager, statements.takeTurns, [clientIds, maxPerSecond]);
      if (turns.length === 0) return [];
      const places = turns.map(({ failures, pace }) => pollPlaces({ failures, perSecond: pace }));
      const asked = [turns.map(({ client_id: clientId }) => clientId), turns.map(({ quota }) => quota)];
      const rows = await runIn<DueRow>(manager, statements.claimAsks, [...asked, limit, lease, leaseMs, places]);
      return dueFrom(rows, turns, lease);
    });
  }

  async finish(claim: AskClaim, end: AskEnd): Promise<boolean> {
    const { id, clientId, lease } = claim;
    requireIds({ id, clientId, lease });
    return this.ends.add({ claim, end });
  }

  private async finishAll(ended: readonly Ended[]): Promise<readonly boolean[]> {
    const notes = hostAppNotes(ended);
    if (notes) await run(this.db, statements.noteHostApps, notes);
    const rows = ended.map(({ claim: { id, lease }, end: { askedAt, outcome, nextAfterMs } }) => {
      return [id, lease, askedAt === undefined ? null : new Date(askedAt), outcome, nextAfterMs ?? null];
    });
    const held = await run<{ id: string }>(this.db, statements.finishAsks, [...columnParameters(endTypes, rows), rows.length]);
    const ids = new Set(held.map(({ id }) => id));
    return ended.map(({ claim }) => ids.has(claim.id));
  }

  async endOverdue({ asksAfterMs, resultsAfterMs }: { readonly asksAfterMs: number; readonly resultsAfterMs: number }): Promise<Overdue> {
    const asks = await run(this.db, statements.endOverdueAsks, [asksAfterMs]);
    const results = await run(this.db, statements.markUnmatched, [resultsAfterMs]);
    return { asks: asks.length, results: results.length };
  }
}

function dueFrom(rows: readonly DueRow[], turns: readonly TurnRow[], lease: string): DueAsk[] {
  return turns.flatMap(({ client_id: clientId, failures, troubles, most: mostPerSecond }) => {
    const claimed = rows.filter((row) => row.asked_of === clientId);
    return claimed.map((row) => {
      const turn = { failures, troubles, isFull: claimed.length === row.most, mostPerSecond };
      return { id: row.id, integrationId: row.integration_id, orderPaymentId: row.order_payment_id, clientId, turn, lease };
    });
  });
}

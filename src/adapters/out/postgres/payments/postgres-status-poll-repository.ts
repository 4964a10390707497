import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type {
  PollClaim,
  PollEnd,
  PollRequest,
  DueStatusPoll,
  Overdue,
  StatusPollRepository,
} from '../../../../domain/payments/status-poll-repository';
import { pollSlots } from '../../../../domain/payments/poll-pace';
import { requireIds } from '../../../../domain/shared/required-id';
import { columnParameters } from '../connection/array-parameters';
import * as statements from './status-poll-statements';
import { GroupedStatements } from '../connection/grouped-statements';
import { hostAppNotes } from './host-app-notes';
import { run, runIn, transaction } from '../connection/statement';

interface TurnRow {
  readonly client_id: string;
  readonly failures: number;
  readonly troubles: number;
  readonly pace: number;
  readonly quota: number;
  readonly max_pace: number;
}

interface DueRow {
  readonly id: string;
  readonly integration_id: string;
  readonly order_payment_id: string;
  readonly polled_host_app: string;
  /** The maximum number of polls to claim at the host app. */
  readonly max_polls: number;
}

/** A poll that has ended. */
interface Ended {
  readonly claim: PollClaim;
  readonly end: PollEnd;
}

const endTypes = ['text', 'text', 'timestamptz', 'text', 'integer'] as const;
/** The maximum number of polls that one statement ends. */
const maxGroupSize = 100;

/** Status polls of payments, in Postgres. Claims expire by the database's clock. No lock or connection is held between calls. */
export class PostgresStatusPollRepository implements StatusPollRepository {
  private readonly ends = new GroupedStatements<Ended, boolean>({
    maxGroupSize,
    run: (ended) => this.finishAll(ended),
    nameOf: ({ claim }) => claim.id,
  });

  constructor(private readonly db: DataSource) {}

  async claimDue({ limit, leaseMs, maxPerSecond }: PollRequest): Promise<readonly DueStatusPoll[]> {
    const found = await run<{ client_id: string }>(this.db, statements.hostAppsToPoll, [limit]);
    if (found.length === 0) return [];
    const clientIds = found.map(({ client_id: clientId }) => clientId);
    const lease = randomUUID();
    return transaction(this.db, async (manager) => {
      await runIn(manager, statements.meetHostApps, [clientIds]);
      const turns = await runIn<TurnRow>(manager, statements.takeTurns, [clientIds, maxPerSecond]);
      if (turns.length === 0) return [];
      const slots = turns.map(({ failures, pace }) => pollSlots({ failures, perSecond: pace }));
      const turnColumns = [turns.map(({ client_id: clientId }) => clientId), turns.map(({ quota }) => quota)];
      const rows = await runIn<DueRow>(manager, statements.claimPolls, [...turnColumns, limit, lease, leaseMs, slots]);
      return dueFrom(rows, turns, lease);
    });
  }

  async finish(claim: PollClaim, end: PollEnd): Promise<boolean> {
    const { id, clientId, lease } = claim;
    requireIds({ id, clientId, lease });
    return this.ends.add({ claim, end });
  }

  private async finishAll(ended: readonly Ended[]): Promise<readonly boolean[]> {
    const notes = hostAppNotes(ended);
    if (notes) await run(this.db, statements.noteHostApps, notes);
    const rows = ended.map(({ claim: { id, lease }, end: { polledAt, outcome, nextAfterMs } }) => {
      return [id, lease, polledAt === undefined ? null : new Date(polledAt), outcome, nextAfterMs ?? null];
    });
    const held = await run<{ id: string }>(this.db, statements.finishPolls, [...columnParameters(endTypes, rows), rows.length]);
    const ids = new Set(held.map(({ id }) => id));
    return ended.map(({ claim }) => ids.has(claim.id));
  }

  async endOverdue({
    pollsEndAfterMs,
    resultsAfterMs,
  }: {
    readonly pollsEndAfterMs: number;
    readonly resultsAfterMs: number;
  }): Promise<Overdue> {
    const polls = await run(this.db, statements.endOverduePolls, [pollsEndAfterMs]);
    const results = await run(this.db, statements.markUnmatched, [resultsAfterMs]);
    return { polls: polls.length, results: results.length };
  }
}

function dueFrom(rows: readonly DueRow[], turns: readonly TurnRow[], lease: string): DueStatusPoll[] {
  return turns.flatMap(({ client_id: clientId, failures, troubles, max_pace: maxPace }) => {
    const claimed = rows.filter((row) => row.polled_host_app === clientId);
    return claimed.map((row) => {
      const turn = { failures, troubles, isFull: claimed.length === row.max_polls, maxPace };
      return { id: row.id, integrationId: row.integration_id, orderPaymentId: row.order_payment_id, clientId, turn, lease };
    });
  });
}

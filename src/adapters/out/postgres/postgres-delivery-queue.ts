import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import type { Attempt, AttemptReason, DueDelivery } from '../../../domain/deliveries/delivery';
import { laneRules } from '../../../domain/deliveries/lane';
import type { LaneTrouble } from '../../../domain/deliveries/circuit';
import { less, placesIn } from '../../../domain/deliveries/claim-room';
import type { Claim, DeliveryQueue, FailedEndpoint, Failure, LaneNews, NextDue, Overdue, ParkedOf } from '../../../domain/deliveries/ports';
import type { ClaimRequest } from '../../../domain/deliveries/claim-room';
import { requireIds } from '../../../domain/shared/required-id';
import { columnParameters, type ArrayValue } from './array-parameters';
import { bodyPlace, owedFrom, type DeliveryRow } from './delivery.schema';
import * as statements from './delivery-statements';
import { GroupedStatements } from './grouped-statements';
import * as lanes from './lane-statements';
import { run, runIn, transaction, type Statement } from './statement';

/** After how long an unreadable delivery is tried again, in milliseconds. */
const unreadableForMs = 3_600_000;
/** Attempts whose ends are written by one statement at most. */
const mostEnds = 100;

type DueRow = Pick<DeliveryRow, 'id' | 'integration_id' | 'kind' | 'receiver' | 'lane' | 'body' | 'tries' | 'by_operator'> & {
  /** A number of its type `numeric`, as text. */
  age_ms: string;
  in_order: boolean;
  /** Null, as are the next three: the endpoint is well. */
  troubled_ms: string | null;
  closed: boolean | null;
  released: boolean | null;
  failing: boolean | null;
  is_due: boolean;
};

/** Pending deliveries, in Postgres. Claims last by the database's clock; no transaction or connection is held between the calls. */
export class PostgresDeliveryQueue implements DeliveryQueue {
  private readonly ends = new GroupedStatements<readonly ArrayValue[], boolean>({
    most: mostEnds,
    run: (ended) => this.endAll(ended),
  });

  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox }) {}

  async claimDue(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    if (request.lanes) return this.claimIn(request.lanes, request);
    const { db } = this.deps;
    await run(db, statements.wakeDue, []);
    const asked = await this.claimAsked(request);
    const probes = await this.probe(less(request, asked));
    const taken = [...asked, ...probes];
    const rest = less(request, taken);
    if (rest.limit === 0) return taken;
    const full = rest.room.busy.filter((lane) => rest.room.of(lane).places === 0);
    const due = await run<{ lane: string }>(db, lanes.dueLanes, [rest.limit, full]);
    const names = due.map(({ lane }) => lane);
    return [...taken, ...(await this.claimIn(names, rest))];
  }

  async nextDue(fullLanes: readonly string[]): Promise<NextDue> {
    const [row] = await run<{ waits: boolean; in_ms: number | null }>(this.deps.db, lanes.nextDue, [fullLanes]);
    return { waits: row?.waits ?? false, inMs: row?.in_ms ?? undefined };
  }

  async wake({ clientId, appId }: ParkedOf, limit: number): Promise<number> {
    return (await run(this.deps.db, statements.wake, [clientId ?? null, appId ?? null, limit])).length;
  }

  async delivered(claim: Claim, attempt: Attempt, news?: LaneNews): Promise<boolean> {
    const held = await this.end(claim, attempt, 'delivered');
    if (held && news !== undefined) await run(this.deps.db, laneStatements[news], [claim.lane]);
    return held;
  }

  async retry(claim: Claim, attempt: Attempt, { dueInMs, trouble }: Failure): Promise<boolean> {
    const held = (await run(this.deps.db, statements.retryDelivery, [...valuesOf(claim, attempt), dueInMs ?? null])).length === 1;
    await this.tellLane(claim, trouble);
    return held;
  }

  async giveUp(claim: Claim, attempt: Attempt, { trouble }: Pick<Failure, 'trouble'>): Promise<boolean> {
    const held = await this.end(claim, attempt, 'failed');
    await this.tellLane(claim, trouble);
    return held;
  }

  async park({ id, lease, lane, trouble }: Claim, code: string, inMs: number): Promise<boolean> {
    requireIds({ id, lease });
    const { db } = this.deps;
    const held = (await run(db, statements.park, [id, lease, code, inMs])).length === 1;
    if (trouble !== undefined) await run(db, lanes.lookAgain, [lane]);
    return held;
  }

  async giveUpOverdue({ owedForMs, overdueByMs }: Overdue): Promise<number> {
    return (await run(this.deps.db, lanes.giveUpOverdue, [owedForMs, overdueByMs])).length;
  }

  /** One attempt in each lane whose circuit is open and whose turn it is. Lanes in which nothing is left to do are in trouble no more. */
  private async probe(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    const { probeAfterMs, settledAfterMs } = laneRules;
    if (request.limit === 0) return [];
    const looks = await run<{ lane: string; is_open: boolean }>(this.deps.db, lanes.lookIntoLanes, [probeAfterMs, settledAfterMs]);
    if (looks.length === 0) return [];
    const names = looks.map(({ lane }) => lane);
    const places = looks.map(({ lane, is_open: isOpen }) => (isOpen ? request.room.of(lane).places : 0));
    const claimed = await this.claim(statements.claimProbes, request, [names, places]);
    const empty = names.filter((lane) => !claimed.some((delivery) => delivery.lane === lane));
    if (empty.length > 0) await run(this.deps.db, lanes.forgetLanes, [empty]);
    return claimed;
  }

  private async claimIn(names: readonly string[], request: ClaimRequest): Promise<readonly DueDelivery[]> {
    if (names.length === 0) return [];
    const windows = names.map((lane) => request.room.of(lane).window);
    return this.claim(statements.claim, request, [names, placesIn(names, request)], [windows]);
  }

  private claimAsked(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    const { room } = request;
    const places = room.busy.map((lane) => room.of(lane).places);
    return this.claim(statements.claimAsked, request, [room.busy, places], [laneRules.places]);
  }

  /** Of the lanes in `[names, places]`. */
  private async claim(
    statement: Statement,
    { limit, leaseMs }: ClaimRequest,
    [names, places]: readonly [readonly string[], readonly number[]],
    more: readonly unknown[] = [],
  ): Promise<readonly DueDelivery[]> {
    const lease = randomUUID();
    const rows = await run<DueRow>(this.deps.db, statement, [names, places, lease, leaseMs, limit, ...more]);
    return this.readable(rows, lease);
  }

  private async readable(rows: readonly DueRow[], lease: string): Promise<readonly DueDelivery[]> {
    const due: DueDelivery[] = [];
    for (const row of rows) {
      const delivery = this.dueFrom(row, lease);
      if ('owed' in delivery) due.push(delivery);
      else await this.park(delivery, 'DATA_INTEGRITY_ERROR', unreadableForMs);
    }
    return due;
  }

  /** Those that stand alone end together; behind one of a key the next comes to the head. */
  private end(claim: Claim, attempt: Attempt, state: DeliveryRow['state']): Promise<boolean> {
    const values = [...valuesOf(claim, attempt), state];
    return claim.inOrder === true ? this.endOfKey(claim, values) : this.ends.add(values);
  }

  /** Which of the claims were still held. Of a claim that is ended twice at once the second comes too late. */
  private async endAll(ends: readonly (readonly ArrayValue[])[]): Promise<boolean[]> {
    const values = [...columnParameters(statements.endTypes, ends), ends.length];
    const rows = await run<Pick<Claim, 'id' | 'lease'>>(this.deps.db, statements.endDeliveries, values);
    const held = new Set(rows.map(({ id, lease }) => `${lease} ${id}`));
    return ends.map(([id, lease]) => held.delete(`${String(lease)} ${String(id)}`));
  }

  /** The key is held before the row: who asks for another of the key again does it in this order too. */
  private async endOfKey({ id }: Claim, values: readonly ArrayValue[]): Promise<boolean> {
    const [row] = await run<Pick<DeliveryRow, 'key'>>(this.deps.db, statements.keyOf, [id]);
    if (!row) return false;
    return transaction(this.deps.db, async (manager) => {
      await runIn(manager, statements.lockKey, [row.key]);
      const ended = await runIn(manager, statements.endDelivery, values);
      if (ended.length === 0) return false;
      await runIn(manager, statements.promoteNext, [row.key]);
      return true;
    });
  }

  private async tellLane({ lane }: Claim, trouble: FailedEndpoint | undefined): Promise<void> {
    if (trouble) await run(this.deps.db, lanes.laneFailed, [lane, trouble.quietMs, trouble.opensAfter]);
  }

  /** Only its claim where it cannot be read, as when the key that sealed it is not there. That one must not stop the others. */
  private dueFrom(row: DueRow, lease: string): DueDelivery | Claim {
    const { id, integration_id: integrationId, tries, age_ms: ageMs, lane, in_order: inOrder } = row;
    const claim: Claim = { id, lease, lane, trouble: troubleOf(row), inOrder, reason: reasonOf(row) };
    try {
      const owed = owedFrom(row, this.deps.box.open(row.body, bodyPlace(id)));
      return { integrationId, owed, ageMs: Number(ageMs), tries, ...claim };
    } catch {
      return claim;
    }
  }
}

function reasonOf({ by_operator: byOperator, is_due: isDue, released }: DueRow): AttemptReason {
  if (byOperator) return 'operator';
  if (isDue) return 'schedule';
  return released ? 'release' : 'look';
}

function troubleOf({ troubled_ms: forMs, closed, released, failing }: DueRow): LaneTrouble | undefined {
  if (forMs === null) return undefined;
  const circuit = closed === true ? (released === true ? 'half-open' : 'open') : 'closed';
  return { forMs: Number(forMs), circuit, isFailing: failing === true };
}

const laneStatements = {
  answers: lanes.laneAnswers,
  recovers: lanes.laneRecovers,
  'keeps-up': lanes.laneKeepsUp,
} as const;

/** The first eight values of the statements that end an attempt. */
function valuesOf({ id, lease }: Claim, { reason, at, ms, status, errorCode, cause }: Attempt): ArrayValue[] {
  requireIds({ id, lease });
  return [id, lease, reason, new Date(at), Math.round(ms), status ?? null, errorCode ?? null, cause ?? null];
}

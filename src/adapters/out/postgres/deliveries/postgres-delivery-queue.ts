import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { Attempt, AttemptReason, DueDelivery } from '../../../../domain/deliveries/delivery';
import { endpointQueueRules } from '../../../../domain/deliveries/endpoint-queue';
import type { EndpointTrouble } from '../../../../domain/deliveries/circuit';
import { less, claimableSlots } from '../../../../domain/deliveries/claim-capacity';
import type {
  Claim,
  DeliveryQueue,
  FailedEndpoint,
  Failure,
  EndpointNews,
  NextDue,
  Overdue,
  ParkedOf,
} from '../../../../domain/deliveries/ports';
import type { ClaimRequest } from '../../../../domain/deliveries/claim-capacity';
import { requireIds } from '../../../../domain/shared/required-id';
import { columnParameters, type ArrayValue } from '../connection/array-parameters';
import { bodySealContext, contentFrom, type DeliveryRow } from './delivery.schema';
import * as statements from './delivery-statements';
import { GroupedStatements } from '../connection/grouped-statements';
import * as queues from './endpoint-queue-statements';
import { run, runIn, transaction, type Statement } from '../connection/statement';

/** The milliseconds until an unreadable delivery is tried again. */
const unreadableForMs = 3_600_000;
/** The maximum number of attempts that one statement ends. */
const maxGroupSize = 100;

type DueRow = Pick<DeliveryRow, 'id' | 'integration_id' | 'kind' | 'receiver' | 'queue' | 'body' | 'tries' | 'by_operator'> & {
  /** The age in milliseconds. The driver returns `numeric` as text. */
  age_ms: string;
  in_order: boolean;
  /** This and the next three columns are null when the endpoint is healthy. */
  failing_ms: string | null;
  circuit_open: boolean | null;
  recovering: boolean | null;
  failing: boolean | null;
  is_due: boolean;
};

/** Pending deliveries, in Postgres. Claims expire by the database's clock. No transaction or connection is held between calls. */
export class PostgresDeliveryQueue implements DeliveryQueue {
  private readonly ends = new GroupedStatements<readonly ArrayValue[], boolean>({
    maxGroupSize,
    run: (ended) => this.endAll(ended),
  });

  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher }) {}

  async claimDue(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    if (request.queues) return this.claimIn(request.queues, request);
    const { db } = this.deps;
    await run(db, statements.wakeDue, []);
    const requested = await this.claimRequested(request);
    const probes = await this.probe(less(request, requested));
    const taken = [...requested, ...probes];
    const rest = less(request, taken);
    if (rest.limit === 0) return taken;
    const full = rest.capacity.busy.filter((queue) => rest.capacity.of(queue).slots === 0);
    const due = await run<{ queue: string }>(db, queues.dueQueues, [rest.limit, full]);
    const names = due.map(({ queue }) => queue);
    return [...taken, ...(await this.claimIn(names, rest))];
  }

  async nextDue(fullQueues: readonly string[]): Promise<NextDue> {
    const [row] = await run<{ waits: boolean; in_ms: number | null }>(this.deps.db, queues.nextDue, [fullQueues]);
    return { waits: row?.waits ?? false, inMs: row?.in_ms ?? undefined };
  }

  async wake({ clientId, appId }: ParkedOf, limit: number): Promise<number> {
    return (await run(this.deps.db, statements.wake, [clientId ?? null, appId ?? null, limit])).length;
  }

  async delivered(claim: Claim, attempt: Attempt, news?: EndpointNews): Promise<boolean> {
    const held = await this.end(claim, attempt, 'delivered');
    if (held && news !== undefined) await run(this.deps.db, endpointQueueStatements[news], [claim.queue]);
    return held;
  }

  async retry(claim: Claim, attempt: Attempt, { dueInMs, trouble }: Failure): Promise<boolean> {
    const held = (await run(this.deps.db, statements.retryDelivery, [...valuesOf(claim, attempt), dueInMs ?? null])).length === 1;
    await this.reportQueue(claim, trouble);
    return held;
  }

  async giveUp(claim: Claim, attempt: Attempt, { trouble }: Pick<Failure, 'trouble'>): Promise<boolean> {
    const held = await this.end(claim, attempt, 'failed');
    await this.reportQueue(claim, trouble);
    return held;
  }

  async park({ id, lease, queue, trouble }: Claim, code: string, inMs: number): Promise<boolean> {
    requireIds({ id, lease });
    const { db } = this.deps;
    const held = (await run(db, statements.park, [id, lease, code, inMs])).length === 1;
    if (trouble !== undefined) await run(db, queues.probeAgain, [queue]);
    return held;
  }

  async giveUpOverdue({ waitingForMs, overdueByMs }: Overdue): Promise<number> {
    return (await run(this.deps.db, queues.giveUpOverdue, [waitingForMs, overdueByMs])).length;
  }

  /**
   * Claims one attempt in each queue whose circuit is open and whose probe is due. Forgets the trouble of queues without a delivery to
   * attempt.
   */
  private async probe(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    const { probeAfterMs, settledAfterMs } = endpointQueueRules;
    if (request.limit === 0) return [];
    const probed = await run<{ queue: string; is_open: boolean }>(this.deps.db, queues.probeQueues, [probeAfterMs, settledAfterMs]);
    if (probed.length === 0) return [];
    const names = probed.map(({ queue }) => queue);
    const slots = probed.map(({ queue, is_open: isOpen }) => (isOpen ? request.capacity.of(queue).slots : 0));
    const claimed = await this.claim(statements.claimProbes, request, [names, slots]);
    const empty = names.filter((queue) => !claimed.some((delivery) => delivery.queue === queue));
    if (empty.length > 0) await run(this.deps.db, queues.forgetQueues, [empty]);
    return claimed;
  }

  private async claimIn(names: readonly string[], request: ClaimRequest): Promise<readonly DueDelivery[]> {
    if (names.length === 0) return [];
    const windows = names.map((queue) => request.capacity.of(queue).window);
    return this.claim(statements.claim, request, [names, claimableSlots(names, request)], [windows]);
  }

  private claimRequested(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    const { capacity } = request;
    const slots = capacity.busy.map((queue) => capacity.of(queue).slots);
    return this.claim(statements.claimRequested, request, [capacity.busy, slots], [endpointQueueRules.slots]);
  }

  /** Claims in the given queues, in each as many as it has slots. */
  private async claim(
    statement: Statement,
    { limit, leaseMs }: ClaimRequest,
    [names, slots]: readonly [readonly string[], readonly number[]],
    more: readonly unknown[] = [],
  ): Promise<readonly DueDelivery[]> {
    const lease = randomUUID();
    const rows = await run<DueRow>(this.deps.db, statement, [names, slots, lease, leaseMs, limit, ...more]);
    return this.readable(rows, lease);
  }

  private async readable(rows: readonly DueRow[], lease: string): Promise<readonly DueDelivery[]> {
    const due: DueDelivery[] = [];
    for (const row of rows) {
      const delivery = await this.dueFrom(row, lease);
      if ('content' in delivery) due.push(delivery);
      else await this.park(delivery, 'DATA_INTEGRITY_ERROR', unreadableForMs);
    }
    return due;
  }

  /** Deliveries without others of their key end in groups. For a delivery in a sequence, the next of its key moves to the head. */
  private end(claim: Claim, attempt: Attempt, state: DeliveryRow['state']): Promise<boolean> {
    const values = [...valuesOf(claim, attempt), state];
    return claim.inOrder === true ? this.endOfKey(claim, values) : this.ends.add(values);
  }

  /** Tells which claims were still held. If one claim ends twice at once, the second result is false. */
  private async endAll(ends: readonly (readonly ArrayValue[])[]): Promise<boolean[]> {
    const values = [...columnParameters(statements.endTypes, ends), ends.length];
    const rows = await run<Pick<Claim, 'id' | 'lease'>>(this.deps.db, statements.endDeliveries, values);
    const held = new Set(rows.map(({ id, lease }) => `${lease} ${id}`));
    return ends.map(([id, lease]) => held.delete(`${String(lease)} ${String(id)}`));
  }

  /** Locks the key before the row. A resend or an abort locks in the same order, so they cannot deadlock. */
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

  private async reportQueue({ queue }: Claim, trouble: FailedEndpoint | undefined): Promise<void> {
    if (trouble) await run(this.deps.db, queues.queueFailed, [queue, trouble.backoffMs, trouble.opensAfter]);
  }

  /** Returns only the claim when the delivery cannot be decrypted, for example because its key is missing. It must not stop the others. */
  private async dueFrom(row: DueRow, lease: string): Promise<DueDelivery | Claim> {
    const { id, integration_id: integrationId, tries, age_ms: ageMs, queue, in_order: inOrder } = row;
    const claim: Claim = { id, lease, queue, trouble: troubleOf(row), inOrder, reason: reasonOf(row) };
    try {
      const content = await contentFrom(row, this.deps.box.open(row.body, bodySealContext(id)));
      return { integrationId, content, ageMs: Number(ageMs), tries, ...claim };
    } catch {
      return claim;
    }
  }
}

function reasonOf({ by_operator: byOperator, is_due: isDue, recovering }: DueRow): AttemptReason {
  if (byOperator) return 'operator';
  if (isDue) return 'schedule';
  return recovering ? 'release' : 'probe';
}

function troubleOf({ failing_ms: forMs, circuit_open: circuitOpen, recovering, failing }: DueRow): EndpointTrouble | undefined {
  if (forMs === null) return undefined;
  const circuit = circuitOpen === true ? (recovering === true ? 'half-open' : 'open') : 'closed';
  return { forMs: Number(forMs), circuit, isFailing: failing === true };
}

const endpointQueueStatements = {
  answers: queues.queueAnswers,
  recovers: queues.queueRecovers,
  'keeps-up': queues.queueKeepsUp,
} as const;

/** The first eight parameters of the statements that end an attempt. */
function valuesOf({ id, lease }: Claim, { reason, at, ms, status, errorCode, cause }: Attempt): ArrayValue[] {
  requireIds({ id, lease });
  return [id, lease, reason, new Date(at), Math.round(ms), status ?? null, errorCode ?? null, cause ?? null];
}

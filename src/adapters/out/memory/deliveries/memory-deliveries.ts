import {
  attemptsShown,
  type Attempt,
  type AttemptReason,
  type DeliveryHistory,
  type DeliveryRecord,
  type DueDelivery,
} from '../../../../domain/deliveries/delivery';
import type { EndpointTrouble } from '../../../../domain/deliveries/circuit';
import type {
  AbortOutcome,
  Claim,
  DeliveryAbort,
  DeliveryRepository,
  DeliveryFilter,
  DeliveryQueue,
  EventOutboxStore,
  Failure,
  EndpointNews,
  NextDue,
  Overdue,
  OutboxEvent,
  ParkedOf,
} from '../../../../domain/deliveries/ports';
import type { ClaimRequest } from '../../../../domain/deliveries/claim-capacity';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import type { PendingCompletion } from '../../../../domain/payments/order-payment';
import type { Clock, IdGenerator } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { selectClaims } from './select-claims';
import { MemoryEndpointQueues } from './memory-endpoint-queues';
import { MemoryPendingDeliveries, type Entry } from './memory-pending-deliveries';
import type { MemoryRegistry } from '../partners/memory-registry';

interface Deps {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly registry: MemoryRegistry;
  /** The pending completions of the payments in this memory, oldest first. The list grows. */
  readonly completions: readonly PendingCompletion[];
}

/** Deliveries in memory: events from the outbox, completions from settled payments. */
export class MemoryDeliveries implements DeliveryQueue, EventOutboxStore, DeliveryRepository {
  readonly pending: MemoryPendingDeliveries;
  readonly queues = new MemoryEndpointQueues();

  constructor(private readonly deps: Deps) {
    this.pending = new MemoryPendingDeliveries(deps);
  }

  async add(event: OutboxEvent): Promise<void> {
    const { id, integrationId, receiver, queue } = event;
    requireIds({ id, integrationId, receiver, queue });
    this.pending.add(event);
  }

  async claimDue(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    const { leaseMs, queues } = request;
    const now = this.deps.clock.now();
    if (!queues) this.unpark(({ dueAt }) => dueAt <= now);
    const { probes, others } = selectClaims({ pending: this.pending, queues: this.queues, now }, request);
    const reasonOf = (entry: Entry): AttemptReason => {
      if (entry.byOperator) return 'operator';
      if (entry.dueAt <= now) return 'schedule';
      return probes.includes(entry) ? 'probe' : 'release';
    };
    return [...probes, ...others].map((entry) => this.claimed(entry, reasonOf(entry), now + leaseMs));
  }

  async delivered(claim: Claim, attempt: Attempt, news?: EndpointNews): Promise<boolean> {
    const held = this.end(claim, attempt, { state: 'delivered', endedAt: this.deps.clock.now() });
    if (held && news !== undefined) this.queues.note(claim.queue, news, this.deps.clock.now());
    return held;
  }

  async retry(claim: Claim, attempt: Attempt, { dueInMs, trouble }: Failure): Promise<boolean> {
    const now = this.deps.clock.now();
    const entry = this.held(claim);
    const next = entry && (entry.resumeAt ?? (dueInMs === undefined ? entry.dueAt : now + dueInMs));
    if (trouble) this.queues.fail(claim.queue, trouble, now);
    return next !== undefined && this.end(claim, attempt, { dueAt: next, attemptedAt: now });
  }

  async giveUp(claim: Claim, attempt: Attempt, { trouble }: Pick<Failure, 'trouble'>): Promise<boolean> {
    if (trouble) this.queues.fail(claim.queue, trouble, this.deps.clock.now());
    return this.end(claim, attempt, { state: 'failed', endedAt: this.deps.clock.now() });
  }

  async giveUpOverdue({ waitingForMs, overdueByMs }: Overdue): Promise<number> {
    const now = this.deps.clock.now();
    const overdue = this.pending.heads().filter(({ key, id, queue, dueAt, resentAt, createdAt }) => {
      const isLeft = this.queues.circuit(queue) === 'closed' || this.queues.find(queue)?.paused !== undefined;
      return key === id && !isLeft && (resentAt ?? createdAt) < now - waitingForMs && dueAt < now - overdueByMs;
    });
    for (const entry of overdue) Object.assign(entry, { state: 'failed', endedAt: now, claim: undefined, ...unasked });
    return overdue.length;
  }

  async park(claim: Claim, code: string, inMs: number): Promise<boolean> {
    const entry = this.held(claim);
    if (entry) Object.assign(entry, { parkedBy: code, dueAt: this.deps.clock.now() + inMs, claim: undefined });
    this.queues.probeAgain(claim.queue, this.deps.clock.now());
    return entry !== undefined;
  }

  async wake({ clientId, appId }: ParkedOf, limit: number): Promise<number> {
    const integrations = [...this.deps.registry.integrations.values()].filter(
      (one) => (clientId === undefined || one.clientId === clientId) && (appId === undefined || one.appId === appId),
    );
    return this.unpark(({ integrationId }) => integrations.some(({ id }) => id === integrationId), limit);
  }

  async nextDue(fullQueues: readonly string[]): Promise<NextDue> {
    const now = this.deps.clock.now();
    const waiting = this.pending.firstOfKeys();
    const canBegin = (queue: string): boolean => !fullQueues.includes(queue);
    const open = waiting.filter(
      ({ queue, parkedBy }) => parkedBy !== undefined || (canBegin(queue) && this.queues.circuit(queue) !== 'open'),
    );
    const unpaused = this.queues.all().filter(({ queue, paused }) => !paused && canBegin(queue));
    const times = [...open.map(({ dueAt }) => dueAt), ...unpaused.map(({ probeAt }) => probeAt)];
    const waits = this.queues.all().length > 0 || waiting.some(({ parkedBy }) => parkedBy === undefined);
    return { waits, inMs: times.length > 0 ? Math.min(...times) - now : undefined };
  }

  async list(filter: DeliveryFilter, { limit, after }: PageRequest): Promise<readonly DeliveryRecord[]> {
    const newest = this.pending.all().toReversed();
    const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) return [];
    const shown = newest.slice(start).map((entry) => this.pending.record(entry));
    return shown.filter((record) => matches(record, filter)).slice(0, limit);
  }

  async find(id: string): Promise<DeliveryHistory | undefined> {
    requireIds({ id });
    const entry = this.pending.find(id);
    return entry && { ...this.pending.record(entry), tries: entry.tries, attempts: entry.attempts.slice(-attemptsShown) };
  }

  async resend(id: string, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined> {
    requireIds({ id });
    const entry = this.pending.find(id);
    if (!entry) return undefined;
    this.deps.registry.audit.push(audit(this.pending.record(entry)));
    this.pending.requeue(entry);
    return this.pending.record(entry);
  }

  async abort(id: string, { reason }: DeliveryAbort, audit: (before: DeliveryRecord) => AuditEntry): Promise<AbortOutcome | undefined> {
    requireIds({ id });
    const entry = this.pending.find(id);
    if (!entry) return undefined;
    if (entry.state !== 'ready') return 'ended';
    if (entry.claim && entry.claim.until > this.deps.clock.now()) return 'in-flight';
    this.deps.registry.audit.push(audit(this.pending.record(entry)));
    Object.assign(entry, {
      state: 'failed',
      endedAt: this.deps.clock.now(),
      abortedReason: reason,
      parkedBy: undefined,
      claim: undefined,
      ...unasked,
    });
    return this.pending.record(entry);
  }

  private unpark(isMeant: (entry: Entry) => boolean, limit = Infinity): number {
    const all = this.pending.all().filter((entry) => entry.state === 'ready' && entry.parkedBy !== undefined && isMeant(entry));
    const parked = all.slice(0, limit);
    for (const entry of parked) Object.assign(entry, { parkedBy: undefined, dueAt: this.deps.clock.now() });
    return parked.length;
  }

  private claimed(entry: Entry, reason: AttemptReason, until: number): DueDelivery {
    const lease = this.deps.ids.next();
    entry.claim = { lease, until };
    const { id, key, integrationId, queue, content, resentAt, createdAt, tries } = entry;
    const ageMs = this.deps.clock.now() - (resentAt ?? createdAt);
    return { id, integrationId, content, ageMs, tries, lease, queue, trouble: this.troubleOf(queue), inOrder: key !== id, reason };
  }

  private troubleOf(queue: string): EndpointTrouble | undefined {
    const trouble = this.queues.find(queue);
    if (!trouble) return undefined;
    return { forMs: this.deps.clock.now() - trouble.since, circuit: this.queues.circuit(queue), isFailing: trouble.failures > 0 };
  }

  private held({ id, lease }: Claim): Entry | undefined {
    requireIds({ id, lease });
    const entry = this.pending.find(id);
    return entry?.state === 'ready' && entry.claim?.lease === lease ? entry : undefined;
  }

  private end(claim: Claim, attempt: Attempt, change: Partial<Entry>): boolean {
    const entry = this.held(claim);
    if (!entry) return false;
    entry.attempts.push(attempt);
    const tries = entry.tries + (attempt.reason === 'schedule' ? 1 : 0);
    Object.assign(entry, { tries, claim: undefined, parkedBy: undefined, ...unasked, ...change });
    return true;
  }
}

/** Clears the operator's resend request. */
const unasked = { byOperator: false, resumeAt: undefined, resendId: undefined } as const;

function matches({ id, pair, kind, state, queue, createdAt }: DeliveryRecord, filter: DeliveryFilter): boolean {
  const { from = -Infinity, to = Infinity } = filter;
  const has: Partial<DeliveryFilter> = { id, kind, state, queue, ...pair };
  const equal = (['id', 'kind', 'state', 'queue', 'clientId', 'appId'] as const).every(
    (name) => filter[name] === undefined || filter[name] === has[name],
  );
  return equal && createdAt >= from && createdAt < to;
}

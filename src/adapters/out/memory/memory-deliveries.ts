import {
  attemptsShown,
  type Attempt,
  type AttemptReason,
  type DeliveryHistory,
  type DeliveryRecord,
  type DueDelivery,
} from '../../../domain/deliveries/delivery';
import type { LaneTrouble } from '../../../domain/deliveries/circuit';
import type {
  AbortOutcome,
  Claim,
  DeliveryAbort,
  DeliveryBook,
  DeliveryFilter,
  DeliveryQueue,
  EventOutbox,
  Failure,
  LaneNews,
  NextDue,
  Overdue,
  OwedEvent,
  ParkedOf,
} from '../../../domain/deliveries/ports';
import type { ClaimRequest } from '../../../domain/deliveries/claim-room';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import type { OwedCompletion } from '../../../domain/payments/order-payment';
import type { Clock, IdSource } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { selectClaims } from './deliveries/select-claims';
import { MemoryLanes } from './memory-lanes';
import { MemoryOwed, type Entry } from './memory-owed';
import type { MemoryRegistry } from './memory-registry';

interface Deps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly registry: MemoryRegistry;
  /** What the payments of this memory owe, oldest first; it grows. */
  readonly completions: readonly OwedCompletion[];
}

/** Deliveries in memory: events by way of the outbox, completions as the payments beside it settle. */
export class MemoryDeliveries implements DeliveryQueue, EventOutbox, DeliveryBook {
  readonly owed: MemoryOwed;
  readonly lanes = new MemoryLanes();

  constructor(private readonly deps: Deps) {
    this.owed = new MemoryOwed(deps);
  }

  async owe(event: OwedEvent): Promise<void> {
    const { id, integrationId, receiver, lane } = event;
    requireIds({ id, integrationId, receiver, lane });
    this.owed.add(event);
  }

  async claimDue(request: ClaimRequest): Promise<readonly DueDelivery[]> {
    const { leaseMs, lanes } = request;
    const now = this.deps.clock.now();
    if (!lanes) this.unpark(({ dueAt }) => dueAt <= now);
    const { probes, others } = selectClaims({ owed: this.owed, lanes: this.lanes, now }, request);
    const reasonOf = (entry: Entry): AttemptReason => {
      if (entry.byOperator) return 'operator';
      if (entry.dueAt <= now) return 'schedule';
      return probes.includes(entry) ? 'look' : 'release';
    };
    return [...probes, ...others].map((entry) => this.claimed(entry, reasonOf(entry), now + leaseMs));
  }

  async delivered(claim: Claim, attempt: Attempt, news?: LaneNews): Promise<boolean> {
    const held = this.end(claim, attempt, { state: 'delivered', endedAt: this.deps.clock.now() });
    if (held && news !== undefined) this.lanes.note(claim.lane, news, this.deps.clock.now());
    return held;
  }

  async retry(claim: Claim, attempt: Attempt, { dueInMs, trouble }: Failure): Promise<boolean> {
    const now = this.deps.clock.now();
    const entry = this.held(claim);
    const next = entry && (entry.resumeAt ?? (dueInMs === undefined ? entry.dueAt : now + dueInMs));
    if (trouble) this.lanes.fail(claim.lane, trouble, now);
    return next !== undefined && this.end(claim, attempt, { dueAt: next, attemptedAt: now });
  }

  async giveUp(claim: Claim, attempt: Attempt, { trouble }: Pick<Failure, 'trouble'>): Promise<boolean> {
    if (trouble) this.lanes.fail(claim.lane, trouble, this.deps.clock.now());
    return this.end(claim, attempt, { state: 'failed', endedAt: this.deps.clock.now() });
  }

  async giveUpOverdue({ owedForMs, overdueByMs }: Overdue): Promise<number> {
    const now = this.deps.clock.now();
    const overdue = this.owed.heads().filter(({ key, id, lane, dueAt, resentAt, createdAt }) => {
      const isLeft = this.lanes.circuit(lane) === 'closed' || this.lanes.find(lane)?.paused !== undefined;
      return key === id && !isLeft && (resentAt ?? createdAt) < now - owedForMs && dueAt < now - overdueByMs;
    });
    for (const entry of overdue) Object.assign(entry, { state: 'failed', endedAt: now, claim: undefined, ...unasked });
    return overdue.length;
  }

  async park(claim: Claim, code: string, inMs: number): Promise<boolean> {
    const entry = this.held(claim);
    if (entry) Object.assign(entry, { parkedBy: code, dueAt: this.deps.clock.now() + inMs, claim: undefined });
    this.lanes.lookAgain(claim.lane, this.deps.clock.now());
    return entry !== undefined;
  }

  async wake({ clientId, appId }: ParkedOf, limit: number): Promise<number> {
    const agreements = [...this.deps.registry.agreements.values()].filter(
      (one) => (clientId === undefined || one.clientId === clientId) && (appId === undefined || one.appId === appId),
    );
    return this.unpark(({ integrationId }) => agreements.some(({ id }) => id === integrationId), limit);
  }

  async nextDue(fullLanes: readonly string[]): Promise<NextDue> {
    const now = this.deps.clock.now();
    const waiting = this.owed.firstOfKeys();
    const canBegin = (lane: string): boolean => !fullLanes.includes(lane);
    const open = waiting.filter(({ lane, parkedBy }) => parkedBy !== undefined || (canBegin(lane) && this.lanes.circuit(lane) !== 'open'));
    const looks = this.lanes.all().filter(({ lane, paused }) => !paused && canBegin(lane));
    const times = [...open.map(({ dueAt }) => dueAt), ...looks.map(({ lookAt }) => lookAt)];
    const waits = this.lanes.all().length > 0 || waiting.some(({ parkedBy }) => parkedBy === undefined);
    return { waits, inMs: times.length > 0 ? Math.min(...times) - now : undefined };
  }

  async list(filter: DeliveryFilter, { limit, after }: PageRequest): Promise<readonly DeliveryRecord[]> {
    const newest = this.owed.all().toReversed();
    const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) return [];
    const shown = newest.slice(start).map((entry) => this.owed.record(entry));
    return shown.filter((record) => isAskedFor(record, filter)).slice(0, limit);
  }

  async find(id: string): Promise<DeliveryHistory | undefined> {
    requireIds({ id });
    const entry = this.owed.find(id);
    return entry && { ...this.owed.record(entry), tries: entry.tries, attempts: entry.attempts.slice(-attemptsShown) };
  }

  async resend(id: string, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined> {
    requireIds({ id });
    const entry = this.owed.find(id);
    if (!entry) return undefined;
    this.deps.registry.audit.push(audit(this.owed.record(entry)));
    this.owed.oweAgain(entry);
    return this.owed.record(entry);
  }

  async abort(id: string, { reason }: DeliveryAbort, audit: (before: DeliveryRecord) => AuditEntry): Promise<AbortOutcome | undefined> {
    requireIds({ id });
    const entry = this.owed.find(id);
    if (!entry) return undefined;
    if (entry.state !== 'ready') return 'ended';
    if (entry.claim && entry.claim.until > this.deps.clock.now()) return 'under-way';
    this.deps.registry.audit.push(audit(this.owed.record(entry)));
    Object.assign(entry, {
      state: 'failed',
      endedAt: this.deps.clock.now(),
      abortedReason: reason,
      parkedBy: undefined,
      claim: undefined,
      ...unasked,
    });
    return this.owed.record(entry);
  }

  private unpark(isMeant: (entry: Entry) => boolean, limit = Infinity): number {
    const all = this.owed.all().filter((entry) => entry.state === 'ready' && entry.parkedBy !== undefined && isMeant(entry));
    const parked = all.slice(0, limit);
    for (const entry of parked) Object.assign(entry, { parkedBy: undefined, dueAt: this.deps.clock.now() });
    return parked.length;
  }

  private claimed(entry: Entry, reason: AttemptReason, until: number): DueDelivery {
    const lease = this.deps.ids.next();
    entry.claim = { lease, until };
    const { id, key, integrationId, lane, owed, resentAt, createdAt, tries } = entry;
    const ageMs = this.deps.clock.now() - (resentAt ?? createdAt);
    return { id, integrationId, owed, ageMs, tries, lease, lane, trouble: this.troubleOf(lane), inOrder: key !== id, reason };
  }

  private troubleOf(lane: string): LaneTrouble | undefined {
    const trouble = this.lanes.find(lane);
    if (!trouble) return undefined;
    return { forMs: this.deps.clock.now() - trouble.since, circuit: this.lanes.circuit(lane), isFailing: trouble.failures > 0 };
  }

  private held({ id, lease }: Claim): Entry | undefined {
    requireIds({ id, lease });
    const entry = this.owed.find(id);
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

/** The operator does not ask for it any more. */
const unasked = { byOperator: false, resumeAt: undefined, resendId: undefined } as const;

function isAskedFor({ id, pair, kind, state, lane, createdAt }: DeliveryRecord, filter: DeliveryFilter): boolean {
  const { from = -Infinity, to = Infinity } = filter;
  const has: Partial<DeliveryFilter> = { id, kind, state, lane, ...pair };
  const equal = (['id', 'kind', 'state', 'lane', 'clientId', 'appId'] as const).every(
    (name) => filter[name] === undefined || filter[name] === has[name],
  );
  return equal && createdAt >= from && createdAt < to;
}

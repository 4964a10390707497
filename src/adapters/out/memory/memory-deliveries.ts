import {
  attemptsShown,
  type Attempt,
  type AttemptReason,
  type DeliveryHistory,
  type DeliveryRecord,
  type DueDelivery,
} from '../../../domain/deliveries/delivery';
import { laneRules } from '../../../domain/deliveries/lane';
import type {
  AbortOutcome,
  Claim,
  ClaimRequest,
  DeliveryAbort,
  DeliveryBook,
  DeliveryFilter,
  DeliveryQueue,
  EventOutbox,
  Failure,
  NextDue,
  Overdue,
  OwedEvent,
  ParkedOf,
} from '../../../domain/deliveries/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import type { OwedCompletion } from '../../../domain/payments/order-payment';
import type { Clock, IdSource } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { MemoryLanes, type Trouble } from './memory-lanes';
import { MemoryOwed, type Entry } from './memory-owed';
import type { MemoryRegistry } from './memory-registry';

interface Deps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly registry: MemoryRegistry;
  /** What the payments of this memory owe, oldest first; it grows. */
  readonly completions: readonly OwedCompletion[];
}

/** What is owed, in memory: events by way of the outbox, completions as the payments beside it settle. */
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

  async claimDue({ limit, leaseMs, free: places, lanes: asked }: ClaimRequest): Promise<readonly DueDelivery[]> {
    const now = this.deps.clock.now();
    if (!asked) this.unpark(({ dueAt }) => dueAt <= now);
    const free = this.owed.heads().sort((a, b) => a.dueAt - b.dueAt);
    const taken = new Map<Entry, AttemptReason>();
    const left = new Map(places);
    const take = (entries: readonly Entry[], most: number, reason: (entry: Entry) => AttemptReason): void => {
      let more = most;
      for (const entry of entries) {
        const leftIn = left.get(entry.lane) ?? laneRules.places;
        if (taken.has(entry) || more <= 0 || taken.size >= limit || leftIn <= 0) continue;
        taken.set(entry, entry.byOperator ? 'operator' : reason(entry));
        left.set(entry.lane, leftIn - 1);
        more--;
      }
    };
    const due = free.filter(({ dueAt }) => dueAt <= now);
    if (!asked) {
      take(
        due.filter(({ byOperator, resendId }) => byOperator && resendId === undefined),
        limit,
        () => 'operator',
      );
      for (const lane of this.lanes.lookInto(now)) this.look(lane, free, take);
    }
    const open = due.filter(({ lane }) => this.lanes.isOpen(lane) && (asked?.includes(lane) ?? true));
    take(open, limit, () => 'schedule');
    return [...taken].map(([entry, reason]) => this.claimed(entry, reason, now + leaseMs));
  }

  async delivered(claim: Claim, attempt: Attempt): Promise<boolean> {
    const held = this.end(claim, attempt, { state: 'delivered', endedAt: this.deps.clock.now() });
    if (held && claim.laneTroubledSince !== undefined) this.lanes.release(claim.lane, this.deps.clock.now());
    return held;
  }

  async retry(claim: Claim, attempt: Attempt, { dueAt, laneQuietUntil }: Failure): Promise<boolean> {
    const entry = this.held(claim);
    const next = entry && (entry.resumeAt ?? dueAt ?? entry.dueAt);
    if (laneQuietUntil !== undefined) this.lanes.fail(claim.lane, laneQuietUntil, this.deps.clock.now());
    return next !== undefined && this.end(claim, attempt, { dueAt: next, attemptedAt: this.deps.clock.now() });
  }

  async giveUp(claim: Claim, attempt: Attempt, { laneQuietUntil }: Pick<Failure, 'laneQuietUntil'>): Promise<boolean> {
    if (laneQuietUntil !== undefined) this.lanes.fail(claim.lane, laneQuietUntil, this.deps.clock.now());
    return this.end(claim, attempt, { state: 'failed', endedAt: this.deps.clock.now() });
  }

  async giveUpOverdue({ owedSince, dueBefore }: Overdue): Promise<number> {
    const now = this.deps.clock.now();
    const overdue = this.owed.heads().filter(({ key, id, lane, dueAt, resentAt, createdAt }) => {
      return (
        key === id && !this.lanes.isOpen(lane) && !this.lanes.find(lane)?.paused && (resentAt ?? createdAt) < owedSince && dueAt < dueBefore
      );
    });
    for (const entry of overdue) Object.assign(entry, { state: 'failed', endedAt: now, claim: undefined, ...unasked });
    return overdue.length;
  }

  async park(claim: Claim, code: string, dueAt: number): Promise<boolean> {
    const entry = this.held(claim);
    if (entry) Object.assign(entry, { parkedBy: code, dueAt, claim: undefined });
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
    const open = waiting.filter(({ lane, parkedBy }) => parkedBy !== undefined || (canBegin(lane) && this.lanes.isOpen(lane)));
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

  async resend(id: string, at: number, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined> {
    requireIds({ id });
    const entry = this.owed.find(id);
    if (!entry) return undefined;
    this.deps.registry.audit.push(audit(this.owed.record(entry)));
    this.owed.oweAgain(entry, at);
    return this.owed.record(entry);
  }

  async abort(id: string, { at, reason }: DeliveryAbort, audit: (before: DeliveryRecord) => AuditEntry): Promise<AbortOutcome | undefined> {
    requireIds({ id });
    const entry = this.owed.find(id);
    if (!entry) return undefined;
    if (entry.state !== 'ready') return 'ended';
    if (entry.claim && entry.claim.until > this.deps.clock.now()) return 'under-way';
    this.deps.registry.audit.push(audit(this.owed.record(entry)));
    Object.assign(entry, { state: 'failed', endedAt: at, abortedReason: reason, parkedBy: undefined, claim: undefined, ...unasked });
    return this.owed.record(entry);
  }

  private look(
    { lane, releasedAt }: Readonly<Trouble>,
    free: readonly Entry[],
    take: (entries: readonly Entry[], most: number, reason: (entry: Entry) => AttemptReason) => void,
  ): void {
    const now = this.deps.clock.now();
    const isUntried = ({ dueAt, attemptedAt }: Entry): boolean =>
      releasedAt === undefined || dueAt <= now || attemptedAt === undefined || attemptedAt <= releasedAt;
    const waiting = free.filter((entry) => entry.lane === lane && isUntried(entry));
    const isUnderWay = this.owed.firstOfKeys().some(({ lane: of, claim }) => of === lane && claim && claim.until > now);
    if (waiting.length === 0 && !isUnderWay) this.lanes.forget(lane);
    const longestAgo = waiting
      .slice(0, 16)
      .sort((a, b) => (a.attemptedAt ?? -Infinity) - (b.attemptedAt ?? -Infinity) || a.dueAt - b.dueAt);
    const reason = releasedAt === undefined ? 'look' : 'release';
    take(longestAgo, releasedAt === undefined ? 1 : laneRules.batch, ({ dueAt }) => (dueAt <= now ? 'schedule' : reason));
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
    const laneTroubledSince = this.lanes.find(lane)?.since;
    const inOrder = key !== id;
    return { id, integrationId, owed, owedSince: resentAt ?? createdAt, tries, lease, lane, laneTroubledSince, inOrder, reason };
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

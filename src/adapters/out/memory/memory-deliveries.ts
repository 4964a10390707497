import type { Attempt, DeliveryHistory, DeliveryRecord, DueDelivery, Owed, Receiver } from '../../../domain/deliveries/delivery';
import type { Claim, DeliveryBook, DeliveryFilter, DeliveryQueue, EventOutbox, OwedEvent } from '../../../domain/deliveries/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import type { OwedCompletion } from '../../../domain/payments/order-payment';
import type { Clock, IdSource } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { MemoryRegistry } from './memory-registry';

interface Entry {
  readonly id: string;
  readonly integrationId: string;
  readonly receiver: Receiver;
  readonly owed: Owed;
  /** Deliveries of one key leave in order. */
  readonly key: string;
  readonly createdAt: number;
  state: 'ready' | 'delivered' | 'failed';
  parkedBy: string | undefined;
  dueAt: number;
  tries: number;
  resentAt: number | undefined;
  endedAt: number | undefined;
  claim: { readonly lease: string; readonly until: number } | undefined;
  readonly attempts: Attempt[];
}

interface Deps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly registry: MemoryRegistry;
  /** What the payments of this memory owe, oldest first; it grows. */
  readonly completions: readonly OwedCompletion[];
}

/** What is owed, in memory: events by way of the outbox, completions as the payments beside it settle. */
export class MemoryDeliveries implements DeliveryQueue, EventOutbox, DeliveryBook {
  private readonly entries: Entry[] = [];
  private taken = 0;

  constructor(private readonly deps: Deps) {}

  async owe({ id, integrationId, receiver, orderingKey, body, requestId, at }: OwedEvent): Promise<void> {
    requireIds({ id, integrationId, receiver });
    if (this.entry(id)) throw new Error('This event is owed already');
    const key = orderingKey === undefined ? id : JSON.stringify([integrationId, receiver, orderingKey]);
    this.entries.push(owedAt(at, { id, integrationId, receiver, key, owed: { kind: 'event', receiver, body, requestId }, createdAt: at }));
  }

  async claimDue({ limit, leaseMs }: { limit: number; leaseMs: number }): Promise<readonly DueDelivery[]> {
    const now = this.deps.clock.now();
    const heads = new Map<string, Entry>();
    for (const entry of this.all()) if (entry.state === 'ready' && !heads.has(entry.key)) heads.set(entry.key, entry);
    const due = [...heads.values()].filter(({ dueAt, claim }) => dueAt <= now && (!claim || claim.until <= now));
    due.sort((a, b) => a.dueAt - b.dueAt);
    return due.slice(0, limit).map((entry) => {
      const lease = this.deps.ids.next();
      entry.claim = { lease, until: now + leaseMs };
      const { id, integrationId, owed, resentAt, createdAt, tries } = entry;
      return { id, integrationId, owed, owedSince: resentAt ?? createdAt, tries, lease };
    });
  }

  async delivered(claim: Claim, attempt: Attempt): Promise<boolean> {
    return this.end(claim, attempt, { state: 'delivered', endedAt: this.deps.clock.now() });
  }

  async retry(claim: Claim, attempt: Attempt, dueAt: number): Promise<boolean> {
    return this.end(claim, attempt, { dueAt });
  }

  async giveUp(claim: Claim, attempt: Attempt): Promise<boolean> {
    return this.end(claim, attempt, { state: 'failed', endedAt: this.deps.clock.now() });
  }

  async park(claim: Claim, code: string, dueAt: number): Promise<boolean> {
    const entry = this.held(claim);
    if (entry) Object.assign(entry, { parkedBy: code, dueAt, claim: undefined });
    return entry !== undefined;
  }

  async list(filter: DeliveryFilter, { limit, after }: PageRequest): Promise<readonly DeliveryRecord[]> {
    const newest = this.all().toReversed();
    const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) return [];
    const shown = newest.slice(start).map((entry) => this.record(entry));
    return shown.filter((record) => isAskedFor(record, filter)).slice(0, limit);
  }

  async find(id: string): Promise<DeliveryHistory | undefined> {
    requireIds({ id });
    const entry = this.entry(id);
    return entry && { ...this.record(entry), attempts: [...entry.attempts] };
  }

  async resend(id: string, at: number, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined> {
    requireIds({ id });
    const entry = this.entry(id);
    if (!entry) return undefined;
    this.deps.registry.audit.push(audit(this.record(entry)));
    Object.assign(entry, { state: 'ready', dueAt: at, resentAt: at, tries: 0, parkedBy: undefined, endedAt: undefined });
    return this.record(entry);
  }

  /** Oldest first. */
  private all(): readonly Entry[] {
    for (const { id, integrationId, completion, dueAt } of this.deps.completions.slice(this.taken)) {
      const owed = { kind: 'completion', completion } as const;
      this.entries.push(owedAt(dueAt, { id, integrationId, receiver: 'miniapp', key: id, owed, createdAt: completion.at }));
    }
    this.taken = this.deps.completions.length;
    return this.entries;
  }

  private entry(id: string): Entry | undefined {
    return this.all().find((entry) => entry.id === id);
  }

  private held({ id, lease }: Claim): Entry | undefined {
    requireIds({ id, lease });
    const entry = this.entry(id);
    return entry?.state === 'ready' && entry.claim?.lease === lease ? entry : undefined;
  }

  private end(claim: Claim, attempt: Attempt, change: Partial<Entry>): boolean {
    const entry = this.held(claim);
    if (!entry) return false;
    entry.attempts.push(attempt);
    Object.assign(entry, { tries: entry.tries + 1, claim: undefined, parkedBy: undefined, ...change });
    return true;
  }

  private record({ owed, attempts, ...entry }: Entry): DeliveryRecord {
    const { id, integrationId, receiver, parkedBy, dueAt, createdAt, endedAt, resentAt } = entry;
    const agreement = [...this.deps.registry.agreements.values()].find((one) => one.id === integrationId);
    const state = entry.state === 'ready' && parkedBy !== undefined ? 'parked' : entry.state;
    return {
      ...{ id, integrationId, kind: owed.kind, receiver, state, parkedBy, attemptCount: attempts.length, createdAt, endedAt, resentAt },
      pair: agreement && { clientId: agreement.clientId, appId: agreement.appId },
      dueAt: entry.state === 'ready' ? dueAt : undefined,
    };
  }
}

const owedAt = (dueAt: number, what: Pick<Entry, 'id' | 'integrationId' | 'receiver' | 'owed' | 'key' | 'createdAt'>): Entry => ({
  ...what,
  state: 'ready',
  parkedBy: undefined,
  dueAt,
  tries: 0,
  resentAt: undefined,
  endedAt: undefined,
  claim: undefined,
  attempts: [],
});

function isAskedFor({ id, pair, kind, state, createdAt }: DeliveryRecord, filter: DeliveryFilter): boolean {
  const { from = -Infinity, to = Infinity } = filter;
  const has: Partial<DeliveryFilter> = { id, kind, state, ...pair };
  const equal = (['id', 'kind', 'state', 'clientId', 'appId'] as const).every(
    (name) => filter[name] === undefined || filter[name] === has[name],
  );
  return equal && createdAt >= from && createdAt < to;
}

import type { Attempt, DeliveryRecord, DeliveryContent, Receiver } from '../../../../domain/deliveries/delivery';
import { queueOfCompletion } from '../../../../domain/deliveries/endpoint-queue';
import type { OutboxEvent } from '../../../../domain/deliveries/ports';
import type { PendingCompletion } from '../../../../domain/payments/order-payment';
import type { Clock } from '../../../../domain/shared/ports';
import type { MemoryRegistry } from '../partners/memory-registry';

/** A delivery in memory. Times are milliseconds since the epoch. */
export interface Entry {
  readonly id: string;
  readonly integrationId: string;
  readonly receiver: Receiver;
  readonly content: DeliveryContent;
  /** Deliveries of one key are sent in order. */
  readonly key: string;
  readonly queue: string;
  readonly createdAt: number;
  state: 'ready' | 'delivered' | 'failed';
  parkedBy: string | undefined;
  dueAt: number;
  tries: number;
  resentAt: number | undefined;
  endedAt: number | undefined;
  byOperator: boolean;
  /** When the delivery is due again after the attempt that the operator asked for. */
  resumeAt: number | undefined;
  /** The operator's batch that its next attempt belongs to. */
  resendId: string | undefined;
  /** When its last failed attempt ended. */
  attemptedAt: number | undefined;
  claim: { readonly lease: string; readonly until: number } | undefined;
  readonly attempts: Attempt[];
  abortedReason: string | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly registry: MemoryRegistry;
  /** The pending completions of the payments in this memory, oldest first. The list grows. */
  readonly completions: readonly PendingCompletion[];
}

/** All pending and ended deliveries, in memory. */
export class MemoryPendingDeliveries {
  private readonly entries: Entry[] = [];
  private readonly byId = new Map<string, Entry>();
  private taken = 0;

  constructor(private readonly deps: Deps) {}

  add({ id, integrationId, receiver, queue, orderingKey, body, requestId, span }: OutboxEvent): void {
    if (this.find(id)) throw new Error('This event is pending already');
    const key = orderingKey === undefined ? id : JSON.stringify([integrationId, receiver, orderingKey]);
    const content = { kind: 'event', receiver, body, requestId, span } as const;
    this.keep(entryOf({ id, integrationId, receiver, key, queue, content, createdAt: this.deps.clock.now() }));
  }

  /** Oldest first. */
  all(): readonly Entry[] {
    if (this.taken === this.deps.completions.length) return this.entries;
    for (const { id, integrationId, completion } of this.deps.completions.slice(this.taken)) {
      const content = { kind: 'completion', completion } as const;
      const queue = queueOfCompletion(completion);
      this.keep(entryOf({ id, integrationId, receiver: 'miniapp', key: id, queue, content, createdAt: completion.at }));
    }
    this.taken = this.deps.completions.length;
    return this.entries;
  }

  find(id: string): Entry | undefined {
    this.all();
    return this.byId.get(id);
  }

  private keep(entry: Entry): void {
    this.entries.push(entry);
    this.byId.set(entry.id, entry);
  }

  /** Deliveries that can be claimed, due or not: the first pending one of each key, if it is neither claimed nor parked. */
  heads(): Entry[] {
    const now = this.deps.clock.now();
    return this.firstOfKeys().filter(({ claim, parkedBy }) => parkedBy === undefined && (!claim || claim.until <= now));
  }

  /** The first pending delivery of each key, claimed or not, parked or not. */
  firstOfKeys(): Entry[] {
    const heads = new Map<string, Entry>();
    for (const entry of this.all()) if (entry.state === 'ready' && !heads.has(entry.key)) heads.set(entry.key, entry);
    return [...heads.values()];
  }

  /** Queues a delivery again, due now. A pending one continues its schedule afterwards. */
  requeue(entry: Entry, resendId?: string): void {
    const at = this.deps.clock.now();
    const goesOn = entry.state === 'ready' && entry.parkedBy === undefined;
    const resumeAt = goesOn ? (entry.resumeAt ?? entry.dueAt) : undefined;
    Object.assign(entry, {
      state: 'ready',
      dueAt: at,
      byOperator: true,
      resumeAt,
      parkedBy: undefined,
      endedAt: undefined,
      resendId,
      abortedReason: undefined,
    });
    if (!goesOn) Object.assign(entry, { resentAt: at, tries: 0 });
  }

  record({ content, attempts, ...entry }: Entry): DeliveryRecord {
    const { id, integrationId, receiver, queue, parkedBy, dueAt, createdAt, endedAt, resentAt, abortedReason } = entry;
    const last = attempts.at(-1);
    const integrationRecord = [...this.deps.registry.integrations.values()].find((one) => one.id === integrationId);
    const state = entry.state === 'ready' && parkedBy !== undefined ? 'parked' : entry.state;
    return {
      ...{
        id,
        integrationId,
        kind: content.kind,
        receiver,
        queue,
        state,
        parkedBy,
        attemptCount: attempts.length,
        createdAt,
        endedAt,
        resentAt,
        abortedReason,
      },
      last: last && { at: last.at, status: last.status, errorCode: last.errorCode, cause: last.cause },
      pair: integrationRecord && { clientId: integrationRecord.clientId, appId: integrationRecord.appId },
      dueAt: entry.state === 'ready' ? dueAt : undefined,
    };
  }
}

const entryOf = (what: Pick<Entry, 'id' | 'integrationId' | 'receiver' | 'content' | 'key' | 'queue' | 'createdAt'>): Entry => ({
  ...what,
  state: 'ready',
  parkedBy: undefined,
  dueAt: what.createdAt,
  tries: 0,
  resentAt: undefined,
  endedAt: undefined,
  byOperator: false,
  resumeAt: undefined,
  resendId: undefined,
  attemptedAt: undefined,
  claim: undefined,
  attempts: [],
  abortedReason: undefined,
});

import type { Attempt, DeliveryRecord, Owed, Receiver } from '../../../domain/deliveries/delivery';
import { laneOfCompletion } from '../../../domain/deliveries/lane';
import type { OwedEvent } from '../../../domain/deliveries/ports';
import type { OwedCompletion } from '../../../domain/payments/order-payment';
import type { Clock } from '../../../domain/shared/ports';
import type { MemoryRegistry } from './memory-registry';

/** A delivery in memory. Times are milliseconds since the epoch. */
export interface Entry {
  readonly id: string;
  readonly integrationId: string;
  readonly receiver: Receiver;
  readonly owed: Owed;
  /** Deliveries of one key leave in order. */
  readonly key: string;
  readonly lane: string;
  readonly createdAt: number;
  state: 'ready' | 'delivered' | 'failed';
  parkedBy: string | undefined;
  dueAt: number;
  tries: number;
  resentAt: number | undefined;
  endedAt: number | undefined;
  byOperator: boolean;
  /** When it is due again after an attempt that the operator asked for. */
  resumeAt: number | undefined;
  /** The batch of the operator's that its next attempt belongs to. */
  resendId: string | undefined;
  /** When its last attempt that was not received ended. */
  attemptedAt: number | undefined;
  claim: { readonly lease: string; readonly until: number } | undefined;
  readonly attempts: Attempt[];
  abortedReason: string | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly registry: MemoryRegistry;
  /** What the payments of this memory owe, oldest first; it grows. */
  readonly completions: readonly OwedCompletion[];
}

/** All that is or was owed, in memory. */
export class MemoryOwed {
  private readonly entries: Entry[] = [];
  private readonly byId = new Map<string, Entry>();
  private taken = 0;

  constructor(private readonly deps: Deps) {}

  add({ id, integrationId, receiver, lane, orderingKey, body, requestId, span }: OwedEvent): void {
    if (this.find(id)) throw new Error('This event is owed already');
    const key = orderingKey === undefined ? id : JSON.stringify([integrationId, receiver, orderingKey]);
    const owed = { kind: 'event', receiver, body, requestId, span } as const;
    this.keep(owedAt({ id, integrationId, receiver, key, lane, owed, createdAt: this.deps.clock.now() }));
  }

  /** Oldest first. */
  all(): readonly Entry[] {
    if (this.taken === this.deps.completions.length) return this.entries;
    for (const { id, integrationId, completion } of this.deps.completions.slice(this.taken)) {
      const owed = { kind: 'completion', completion } as const;
      const lane = laneOfCompletion(completion);
      this.keep(owedAt({ id, integrationId, receiver: 'miniapp', key: id, lane, owed, createdAt: completion.at }));
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

  /** What can be claimed, due or not: the first of each key that is still owed and held by nobody. */
  heads(): Entry[] {
    const now = this.deps.clock.now();
    return this.firstOfKeys().filter(({ claim, parkedBy }) => parkedBy === undefined && (!claim || claim.until <= now));
  }

  /** Held by somebody or not, parked or not. */
  firstOfKeys(): Entry[] {
    const heads = new Map<string, Entry>();
    for (const entry of this.all()) if (entry.state === 'ready' && !heads.has(entry.key)) heads.set(entry.key, entry);
    return [...heads.values()];
  }

  /** Owed again from now on; what waits for its next step goes on with it afterwards. */
  oweAgain(entry: Entry, resendId?: string): void {
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

  record({ owed, attempts, ...entry }: Entry): DeliveryRecord {
    const { id, integrationId, receiver, lane, parkedBy, dueAt, createdAt, endedAt, resentAt, abortedReason } = entry;
    const last = attempts.at(-1);
    const agreement = [...this.deps.registry.agreements.values()].find((one) => one.id === integrationId);
    const state = entry.state === 'ready' && parkedBy !== undefined ? 'parked' : entry.state;
    return {
      ...{
        id,
        integrationId,
        kind: owed.kind,
        receiver,
        lane,
        state,
        parkedBy,
        attemptCount: attempts.length,
        createdAt,
        endedAt,
        resentAt,
        abortedReason,
      },
      last: last && { at: last.at, status: last.status, errorCode: last.errorCode, cause: last.cause },
      pair: agreement && { clientId: agreement.clientId, appId: agreement.appId },
      dueAt: entry.state === 'ready' ? dueAt : undefined,
    };
  }
}

const owedAt = (what: Pick<Entry, 'id' | 'integrationId' | 'receiver' | 'owed' | 'key' | 'lane' | 'createdAt'>): Entry => ({
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

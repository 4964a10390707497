import type { Clock } from '../shared/ports';
import { EndpointHealth } from './endpoint-health';
import { endpointQueueRules } from './endpoint-queue';
import type { EndpointTrouble } from './circuit';
import type { EndpointNews } from './ports';
import type { QueueCapacity, ClaimCapacity } from './claim-capacity';

/** A slot of a queue, reserved for one attempt until `leave`. */
export interface AttemptSlot {
  /** Resolves when the slot is left; `true` when the queue may hold more than the last claim began. Never rejects. */
  readonly free: Promise<boolean>;
  /** Records that the endpoint received the delivery after `ms`. Returns news of the endpoint that the other instances need. */
  received(ms: number): EndpointNews | undefined;
  /** Records that the attempt failed because of the endpoint. Returns the number of consecutive failures that opens the circuit. */
  endpointFailed(retryAfterS?: number): number;
  /** Records an attempt that failed for another reason, or with an unknown result. */
  failed(): void;
  /** Frees the slot. Further calls do nothing. */
  leave(): void;
}

/** A finished claim and its result. */
interface FinishedClaim {
  /** The queues claimed from. Absent: all queues. */
  readonly queues: readonly string[] | undefined;
  /** The capacity that limited the claim. */
  readonly capacity: ClaimCapacity;
  /** The queue of each claimed delivery. */
  readonly claimed: readonly string[];
  /** Maximum number of deliveries that the claim could take. */
  readonly limit: number;
}

/** Slots that cannot be reserved in a queue with a backlog, so that earlier deliveries are attempted as well. */
const leftToClaims = 8;
/** Maximum number of idle queues that are remembered. */
const maxKnown = 10_000;

/** The attempts in flight in this process by queue, and their limits (`endpointQueueRules`). */
export class EndpointSlots {
  private readonly queues = new Map<string, EndpointHealth>();
  /** Queues with an attempt in flight. */
  private readonly busy = new Map<string, EndpointHealth>();
  private total = 0;
  /** Queues where the last claim took as many as it could, so that more deliveries may be due. */
  private readonly full = new Set<string>();
  /** How many deliveries of a queue the running claim may take. */
  private promised: (queue: string) => number = () => 0;

  constructor(private readonly clock: Clock) {}

  /** Runs a claim from these queues (absent: all). While it runs, the slots that it may use cannot be reserved. */
  async claiming<T>(queues: readonly string[] | undefined, claim: (capacity: ClaimCapacity) => Promise<T>): Promise<T> {
    const capacity = this.capacity();
    this.promised = (queue) => (queues && !queues.includes(queue) ? 0 : capacity.of(queue).slots);
    try {
      return await claim(capacity);
    } finally {
      this.promised = () => 0;
    }
  }

  /** Whether a slot is free that the running claim cannot take. */
  canBeReserved(queue: string): boolean {
    return this.freeIn(queue) > Math.max(this.promised(queue), this.full.has(queue) ? leftToClaims : 0);
  }

  /** Queues in which no attempt can begin now. */
  withoutFreeSlot(): readonly string[] {
    const some = this.total < endpointQueueRules.unprovenSlots ? this.busy : this.queues;
    return [...some.keys()].filter((queue) => this.freeIn(queue) === 0);
  }

  /** Takes a slot. `claimed` is the delivery with the endpoint's state at its claim; absent when nothing is claimed yet. */
  enter(queue: string, claimed?: { readonly trouble?: EndpointTrouble | undefined }): AttemptSlot {
    const health = this.healthOf(queue);
    const begunAt = this.clock.now();
    if (claimed) health.noteTrouble(begunAt, claimed.trouble);
    const end = health.begin(begunAt);
    this.busy.set(queue, health);
    this.total++;
    let resolveFree: ((mayBeMore: boolean) => void) | undefined;
    const free = new Promise<boolean>((resolve) => (resolveFree = resolve));
    return {
      free,
      received: (ms) => health.received({ ms, now: this.clock.now(), trouble: claimed?.trouble }),
      endpointFailed: (retryAfterS) => health.endpointFailed({ begunAt, now: this.clock.now(), retryAfterS }),
      failed: () => health.failed(),
      leave: () => {
        const resolve = resolveFree;
        resolveFree = undefined;
        if (!resolve) return;
        end();
        resolve(this.left(queue, health));
      },
    };
  }

  /** Notes which queues may hold more deliveries after a claim: those where it took as many as it was allowed. */
  noteFull({ queues, capacity, claimed, limit }: FinishedClaim): void {
    const took = new Map<string, number>();
    for (const queue of claimed) took.set(queue, (took.get(queue) ?? 0) + 1);
    const share = queues && claimed.length < limit ? Math.ceil(limit / queues.length) : 0;
    for (const queue of queues ?? new Set([...capacity.busy, ...claimed])) {
      const { slots, window } = capacity.of(queue);
      const maxClaims = this.queues.get(queue)?.limitedTo() === Infinity ? slots : Math.min(slots, window);
      if ((took.get(queue) ?? 0) >= Math.min(maxClaims, share)) this.full.add(queue);
      else this.full.delete(queue);
    }
  }

  /** What a claim may take. A queue with more slots than the default gives only half of its free ones, so that some are left to reserve. */
  private capacity(): ClaimCapacity {
    const known = new Map<string, QueueCapacity>();
    const of = (queue: string): QueueCapacity => {
      const capacity = known.get(queue) ?? this.capacityOf(queue);
      known.set(queue, capacity);
      return capacity;
    };
    // Copied now, because the claim's own attempts begin before `noteFull` reads it.
    const busy = [...this.busy.keys()];
    busy.forEach(of);
    return { of, busy, unproven: this.unprovenLeft() };
  }

  private capacityOf(queue: string): QueueCapacity {
    const health = this.queues.get(queue);
    const free = this.freeIn(queue);
    const slots = this.maxSlotsOf(health) > endpointQueueRules.slots ? Math.ceil(free / 2) : free;
    const window = Math.max(0, (health?.windowSlots() ?? endpointQueueRules.firstWindow) - (health?.count ?? 0));
    return { slots, window, isProven: health?.answers(this.clock.now()) ?? false, isUnknown: health?.isUnknown() ?? true };
  }

  private freeIn(queue: string): number {
    const health = this.queues.get(queue);
    const free = Math.max(0, this.maxSlotsOf(health) - (health?.count ?? 0));
    if (this.total < endpointQueueRules.unprovenSlots || health?.answers(this.clock.now())) return free;
    // An unknown endpoint gets one attempt in any case, to show whether it answers.
    return Math.min(free, Math.max(this.unprovenLeft(), health?.isUnknown() === false ? 0 : 1));
  }

  private maxSlotsOf(health: EndpointHealth | undefined): number {
    if (!health) return endpointQueueRules.slots;
    const maxSlots = this.total < endpointQueueRules.slotsOfAll / 2 ? health.maxSlots() : endpointQueueRules.slots;
    return Math.min(maxSlots, health.limitedTo());
  }

  /** Slots left for all endpoints together that do not answer. */
  private unprovenLeft(): number {
    if (this.total === 0) return endpointQueueRules.unprovenSlots;
    const now = this.clock.now();
    let taken = 0;
    for (const health of this.busy.values()) if (!health.answers(now)) taken += health.count;
    return Math.max(0, endpointQueueRules.unprovenSlots - taken);
  }

  private healthOf(queue: string): EndpointHealth {
    const known = this.queues.get(queue);
    if (known) return known;
    if (this.queues.size >= maxKnown) for (const [name, { count }] of this.queues) if (count === 0) this.queues.delete(name);
    const health = new EndpointHealth();
    this.queues.set(queue, health);
    return health;
  }

  /** Counts one attempt fewer. Returns whether the queue may hold more deliveries. */
  private left(queue: string, health: EndpointHealth): boolean {
    this.total--;
    const mayBeMore = this.full.has(queue);
    if (health.count === 0) {
      this.full.delete(queue);
      this.busy.delete(queue);
    }
    return mayBeMore;
  }
}

import { endpointQueueRules, type QueuePause } from '../../../../domain/deliveries/endpoint-queue';
import type { Circuit } from '../../../../domain/deliveries/circuit';
import type { FailedEndpoint, EndpointNews } from '../../../../domain/deliveries/ports';

/** An endpoint in trouble, or a recovering one with pending deliveries. */
export interface Trouble {
  readonly queue: string;
  /** The number of failures in a row. */
  failures: number;
  circuitOpen: boolean;
  /** Milliseconds since the epoch, as are the next two. */
  since: number;
  recoveringSince: number | undefined;
  probeAt: number;
  /** Set while an operator has paused the queue. */
  paused?: QueuePause | undefined;
}

/** The endpoint queues in trouble, in memory. */
export class MemoryEndpointQueues {
  private readonly queues = new Map<string, Trouble>();

  find(queue: string): Readonly<Trouble> | undefined {
    return this.queues.get(queue);
  }

  all(): readonly Readonly<Trouble>[] {
    return [...this.queues.values()];
  }

  circuit(queue: string): Circuit {
    const { circuitOpen = false, recoveringSince } = this.queues.get(queue) ?? {};
    if (!circuitOpen) return 'closed';
    return recoveringSince === undefined ? 'open' : 'half-open';
  }

  pause(name: string, pause: QueuePause): void {
    const { failures = 0, since = pause.at, probeAt = pause.at, paused } = this.queues.get(name) ?? {};
    const at = paused?.at ?? pause.at;
    this.queues.set(name, {
      queue: name,
      failures,
      circuitOpen: true,
      since,
      recoveringSince: undefined,
      probeAt,
      paused: { ...pause, at },
    });
  }

  resume(name: string, now: number): void {
    const queue = this.queues.get(name);
    if (queue) Object.assign(queue, { paused: undefined, failures: 0, recoveringSince: now, probeAt: now });
  }

  fail(queue: string, { backoffMs, opensAfter }: FailedEndpoint, now: number): void {
    const probeAt = now + backoffMs;
    const {
      failures = 0,
      circuitOpen = false,
      since = now,
      recoveringSince,
      probeAt: before = probeAt,
      paused,
    } = this.queues.get(queue) ?? {};
    const isOut = failures + 1 >= opensAfter;
    this.queues.set(queue, {
      queue,
      failures: failures + 1,
      circuitOpen: circuitOpen || isOut,
      since: isOut && recoveringSince !== undefined ? now : since,
      recoveringSince: isOut ? undefined : recoveringSince,
      probeAt: recoveringSince !== undefined && !isOut ? before : probeAt,
      paused,
    });
  }

  /** Records that the endpoint accepted a delivery. */
  note(name: string, news: EndpointNews, now: number): void {
    const queue = this.queues.get(name);
    if (!queue || queue.paused) return;
    queue.failures = 0;
    if (news === 'keeps-up' && queue.recoveringSince !== undefined) queue.circuitOpen = false;
    if (news === 'recovers' && queue.recoveringSince === undefined) queue.circuitOpen = true;
    if (queue.circuitOpen && queue.recoveringSince === undefined) Object.assign(queue, { recoveringSince: now, probeAt: now });
  }

  /** The probe was not sent, so the queue may be claimed from at once. */
  probeAgain(name: string, now: number): void {
    const queue = this.queues.get(name);
    if (queue?.circuitOpen && queue.recoveringSince === undefined) queue.probeAt = now;
  }

  /** Moves the trouble of a queue, with all its times, `ms` milliseconds back in time. */
  bringNearer(name: string, ms: number): void {
    const queue = this.queues.get(name);
    if (!queue) return;
    const recoveringSince = queue.recoveringSince === undefined ? undefined : queue.recoveringSince - ms;
    this.queues.set(name, { ...queue, since: queue.since - ms, probeAt: queue.probeAt - ms, recoveringSince });
  }

  forget(queue: string): void {
    this.queues.delete(queue);
  }

  /** Returns the queues whose probe is due, and plans the next one. */
  takeDue(now: number): readonly Readonly<Trouble>[] {
    const due = [...this.queues.values()].filter(({ probeAt, paused }) => !paused && probeAt <= now);
    for (const queue of due)
      queue.probeAt = now + (queue.recoveringSince === undefined ? endpointQueueRules.probeAfterMs : endpointQueueRules.settledAfterMs);
    return due;
  }
}

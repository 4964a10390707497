import type { Attempt, DeliveryKind, Receiver } from './delivery';

/**
 * All deliveries for one endpoint of one partner share a queue, so that an endpoint that hangs delays only its own
 * (contract/deliveries#order). A queue has a circuit breaker, shared by all instances. Closed: due deliveries are attempted. Open, after
 * `opensAfter` failures in a row: one probe at a time. Half-open, after a received probe: waiting deliveries are attempted as fast as the
 * endpoint accepts them (`RecoveryWindow`); the circuit closes when the endpoint keeps up, even while deliveries still wait
 * (contract/deliveries#recovery).
 */
export const endpointQueueRules = {
  /** Maximum attempts in flight per endpoint, in one process. */
  slots: 16,
  /** The same for an endpoint that answers (`answersWithinMs`) while half of `slotsOfAll` are free. Its slots are soon free again. */
  quickSlots: 192,
  /**
   * An endpoint answers while its receipts take at most so many milliseconds, and no attempt has been in flight longer without a receipt
   * since.
   */
  answersWithinMs: 1000,
  /** Maximum attempts in flight in all queues together, in one process. */
  slotsOfAll: 512,
  /** The part of `slotsOfAll` that endpoints without answers may use together; the rest is kept for endpoints that answer. */
  unprovenSlots: 256,
  /** Consecutive failures, over all instances, that open the circuit if nothing was received for `answersWithinMs`. */
  opensAfter: 5,
  /** Maximum milliseconds between two probes: an endpoint that works again is found within 30 s. */
  probeAfterMs: 25_000,
  /** Minimum milliseconds between two probes. The first probes come sooner: each waits half the time for which the trouble has lasted. */
  firstProbeAfterMs: 5000,
  /** Attempts in flight at once, in one process, when a circuit has just become half-open. */
  firstWindow: 2,
  /** Minimum milliseconds for which an attempt of a half-open circuit holds its slot, so that a slot makes at most 10 attempts a second. */
  heldForMs: 100,
  /** A failing endpoint has recovered when more than this share of its attempts was received within `wellWithinMs`. */
  wellShare: 0.9,
  wellWithinMs: 10_000,
  /** Milliseconds between two checks whether deliveries still wait for a recovered endpoint. */
  settledAfterMs: 1000,
  /** Maximum number of waiting deliveries that are counted per queue for the operator. */
  counted: 100_000,
} as const;

/** The parts of a queue's name: a partner and one of its endpoints. */
export interface QueueParts {
  readonly receiver: Receiver;
  readonly clientId: string;
  readonly appId: string;
  readonly kind: DeliveryKind;
}

/** Returns the name of a queue. */
export const queueOf = ({ receiver, clientId, appId, kind }: QueueParts): string =>
  `${receiver}:${receiver === 'hostapp' ? clientId : appId}:${kind}`;

/** The name of the queue for a miniapp's completions. */
export const queueOfCompletion = ({ clientId, appId }: Pick<QueueParts, 'clientId' | 'appId'>): string =>
  queueOf({ clientId, appId, receiver: 'miniapp', kind: 'completion' });

/** Whether a failed attempt counts against the endpoint, and not only against this delivery or our settings for it. */
export const isTrouble = ({ status, cause }: Attempt): boolean =>
  status === undefined ? cause !== undefined : status >= 500 || status === 429 || status === 408;

/**
 * `clear`: no trouble; `failing`: attempts failed, and the circuit is closed; `open`: only probes are attempted; `half-open`: the endpoint
 * works again, and waiting deliveries are attempted at a growing rate; `recovering`: it keeps up, the circuit is closed, and waiting
 * deliveries are attempted ahead of their schedule; `paused`: an operator paused the queue; only single deliveries that an operator
 * resends are attempted.
 */
export const queueStates = ['clear', 'failing', 'open', 'half-open', 'recovering', 'paused'] as const;
export type QueueState = (typeof queueStates)[number];

/** A queue as shown to the operator. Times are milliseconds since the epoch. */
export interface EndpointQueueRecord {
  readonly queue: string;
  readonly state: QueueState;
  /** Consecutive failures. */
  readonly failures: number;
  /** Deliveries that wait in the queue without the parked ones, counted up to `endpointQueueRules.counted`. */
  readonly waiting: number;
  /** When the oldest of the counted deliveries was queued. */
  readonly oldest?: number | undefined;
  /** When the next probe is due. */
  readonly nextProbeAt?: number | undefined;
  readonly paused?: QueuePause | undefined;
}

/** An operator's pause: since when (milliseconds since the epoch), by which person, and why. */
export interface QueuePause {
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

export const queueStateOf = (
  trouble: { readonly isOpen: boolean; readonly isRecovering: boolean; readonly isPaused: boolean } | undefined,
): QueueState => {
  if (!trouble) return 'clear';
  if (trouble.isPaused) return 'paused';
  if (trouble.isRecovering) return trouble.isOpen ? 'half-open' : 'recovering';
  return trouble.isOpen ? 'open' : 'failing';
};

/**
 * Milliseconds until the next probe of an endpoint, after a failed attempt that took `attemptMs` and began `failingForMs` into the
 * trouble.
 */
export const nextProbeInMs = ({
  attemptMs,
  failingForMs = 0,
}: {
  readonly attemptMs: number;
  readonly failingForMs?: number | undefined;
}) => Math.max(0, Math.min(endpointQueueRules.probeAfterMs, Math.max(endpointQueueRules.firstProbeAfterMs, failingForMs / 2)) - attemptMs);

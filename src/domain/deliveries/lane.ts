import type { Attempt, DeliveryKind, Receiver } from './delivery';

/**
 * What goes to one endpoint of one partner goes by one lane, so that an endpoint that hangs delays only its own deliveries (contract/deliveries#order).
 * A lane has a circuit breaker, shared by all instances. Closed: due deliveries are attempted. Open, after `opensAfter` failures in a row:
 * one probe at a time. Half-open, once one is received: what waits is attempted, as fast as the endpoint takes it (`RecoveryWindow`);
 * when it keeps up the circuit closes, also while more waits (contract/deliveries#recovery).
 */
export const laneRules = {
  /** Attempts under way at once, in one process: at any endpoint. */
  places: 16,
  /** At one that answers (`answersWithinMs`), as long as half of `placesOfAll` are free. What such an endpoint holds comes free soon. */
  quickPlaces: 192,
  /** An endpoint answers while receipts take no longer, in milliseconds, and nothing is under way for longer without a receipt meanwhile. */
  answersWithinMs: 1000,
  /** In all lanes together. */
  placesOfAll: 512,
  /** Of those, in all lanes together whose endpoints do not answer; the rest is kept for those that do. */
  unprovenPlaces: 256,
  /** Failures in a row, over all instances, with nothing received for `answersWithinMs`. */
  opensAfter: 5,
  /** Milliseconds between two probes: an endpoint that is back is found within 30 s. */
  probeAfterMs: 25_000,
  /** The first probes come sooner: half as long after the last one as the trouble has lasted, but no sooner than this. */
  firstProbeAfterMs: 5000,
  /** Attempts under way at once in one process, where a circuit has just become half-open. */
  firstWindow: 2,
  /** An attempt of a half-open circuit holds its place so long at least, in milliseconds: each place is 10 attempts a second at most. */
  heldForMs: 100,
  /** An endpoint in trouble is well again when more than this share was received within `wellWithinMs`. */
  wellShare: 0.9,
  wellWithinMs: 10_000,
  /** Milliseconds between two looks at whether anything still waits for an endpoint that is back. */
  settledAfterMs: 1000,
  /** Deliveries that are counted in one lane for the operator at most. */
  counted: 100_000,
} as const;

/** A partner, and one of its endpoints. */
export interface LaneParts {
  readonly receiver: Receiver;
  readonly clientId: string;
  readonly appId: string;
  readonly kind: DeliveryKind;
}

/** The name of a lane. */
export const laneOf = ({ receiver, clientId, appId, kind }: LaneParts): string =>
  `${receiver}:${receiver === 'hostapp' ? clientId : appId}:${kind}`;

/** The lane by which completions go to a miniapp. */
export const laneOfCompletion = ({ clientId, appId }: Pick<LaneParts, 'clientId' | 'appId'>): string =>
  laneOf({ clientId, appId, receiver: 'miniapp', kind: 'completion' });

/** Whether a failed attempt says that the endpoint is in trouble, and not only this one delivery or our settings for it. */
export const isTrouble = ({ status, cause }: Attempt): boolean =>
  status === undefined ? cause !== undefined : status >= 500 || status === 429 || status === 408;

/**
 * `clear`: no trouble; `troubled`: it failed, and the circuit is closed; `open`: nothing is attempted but probes; `half-open`: it is back,
 * and what waits is attempted at a growing rate; `recovering`: it keeps up, the circuit is closed, and what waits is attempted ahead of
 * its schedule; `paused`: somebody paused it; only single deliveries that an operator asks for are attempted.
 */
export const laneStates = ['clear', 'troubled', 'open', 'half-open', 'recovering', 'paused'] as const;
export type LaneState = (typeof laneStates)[number];

/** A lane as the operator sees it. Times are milliseconds since the epoch. */
export interface LaneRecord {
  readonly lane: string;
  readonly state: LaneState;
  /** In a row. */
  readonly failures: number;
  /** Deliveries that wait there, parked ones apart; counted up to `laneRules.counted`. */
  readonly waiting: number;
  /** When the one that waits longest was owed, of those that were counted. */
  readonly oldest?: number | undefined;
  /** When it is tried next. */
  readonly nextLookAt?: number | undefined;
  readonly paused?: LanePause | undefined;
}

/** Who wants nothing to be attempted there, since when (milliseconds since the epoch), and why. */
export interface LanePause {
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

export const laneStateOf = (
  trouble: { readonly closed: boolean; readonly released: boolean; readonly paused: boolean } | undefined,
): LaneState => {
  if (!trouble) return 'clear';
  if (trouble.paused) return 'paused';
  if (trouble.released) return trouble.closed ? 'half-open' : 'recovering';
  return trouble.closed ? 'open' : 'troubled';
};

/** Until an endpoint is probed next that failed an attempt of `attemptMs`, in trouble for `troubledForMs` as it began; milliseconds, all. */
export const nextProbeInMs = ({
  attemptMs,
  troubledForMs = 0,
}: {
  readonly attemptMs: number;
  readonly troubledForMs?: number | undefined;
}) => Math.max(0, Math.min(laneRules.probeAfterMs, Math.max(laneRules.firstProbeAfterMs, troubledForMs / 2)) - attemptMs);

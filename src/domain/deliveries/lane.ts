import type { Attempt, DeliveryKind, Receiver } from './delivery';

/**
 * What goes to one endpoint of one partner goes by one lane: who hangs there waits for itself alone (threat T45). A lane
 * whose endpoint fails is troubled; after `closesAfter` failures in a row it is closed, and one attempt at a time looks
 * whether the endpoint is back; when one is received, all that waits in the lane is released, at a capped rate.
 */
export const laneRules = {
  /** Attempts under way at once, in one process: at any endpoint. */
  places: 16,
  /** At one whose last receipt took `quickMs` at most, as long as half of `placesOfAll` are free. What such an endpoint holds comes free soon. */
  quickPlaces: 192,
  /** Milliseconds. */
  quickMs: 100,
  /** In all lanes together. */
  placesOfAll: 512,
  closesAfter: 5,
  /** Milliseconds between two looks into a troubled lane, whatever is due there: found again within 30 s. */
  lookAfterMs: 25_000,
  /** The first looks come sooner: half as long after the last one as the trouble has lasted, but no sooner than this. */
  firstLookAfterMs: 5000,
  /** What is released at once, and how many milliseconds lie between two such batches: 50 a second. */
  batch: 10,
  batchEveryMs: 200,
  /** Deliveries that are counted in one lane for the operator at most. */
  counted: 100_000,
} as const;

/** Whose deliveries, to which of its endpoints. */
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
 * `clear`: no trouble; `troubled`: it failed last; `closed`: nothing is attempted but looks; `releasing`: it is back, and what
 * waits is released; `paused`: somebody wants nothing to be attempted, but what is asked for one by one.
 */
export const laneStates = ['clear', 'troubled', 'closed', 'releasing', 'paused'] as const;
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
  /** When it is looked into next. */
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
  if (trouble.released) return 'releasing';
  return trouble.closed ? 'closed' : 'troubled';
};

/** When an endpoint is looked at next that failed an attempt begun at `at`, in trouble since `since`; milliseconds since the epoch. */
export const nextLookAt = ({ at, since = at }: { readonly at: number; readonly since?: number | undefined }): number =>
  at + Math.min(laneRules.lookAfterMs, Math.max(laneRules.firstLookAfterMs, (at - since) / 2));

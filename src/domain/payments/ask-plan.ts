import type { Leg } from '../exchanges/exchange';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * When a payment that is in process is asked about, in milliseconds after its creation, rising: at 1, 2, 5, 15 and 60
 * minutes, then each hour to 24 h.
 */
export const askTimesMs: readonly number[] = [
  ...[1, 2, 5, 15].map((minutes) => minutes * minute),
  ...Array.from({ length: 24 }, (_, i) => (i + 1) * hour),
];

/** How a host app is spared, over all its payments and all instances. */
export const askRules = {
  /** Asks under way at once; one where it could not be reached the last time. */
  places: 4,
  /** So many milliseconds lie between two moments at which asks are begun: 20 a second at most. */
  turnEveryMs: 200,
  /** Milliseconds for which it is left alone after the first, second, … failure in a row; the last one repeats. */
  quietMs: [minute / 2, minute, 2 * minute, 5 * minute, 15 * minute, hour / 2, hour],
  /** The longest that its Retry-After is honoured, in milliseconds. */
  longestQuietMs: 10 * hour,
  /** What fell due and could not be asked is asked late, until a payment is this old (milliseconds), and then no more. */
  lateForMs: 7 * day,
} as const;

/** An ask that was made, or passed over. */
export interface PastAsk {
  /** Of the payment; milliseconds since the epoch, as is `now`. */
  readonly createdAt: number;
  readonly now: number;
  /** False: the host app could not be reached. */
  readonly isReached: boolean;
  readonly timesMs: readonly number[];
}

/**
 * When the next ask is due, in milliseconds since the epoch: at the next of the times, however many went by. `undefined`: no
 * more. A host app that is away as the last one is made is asked late, each hour.
 */
export function nextAskAt({ createdAt, now, isReached, timesMs }: PastAsk): number | undefined {
  const next = timesMs.map((ms) => createdAt + ms).find((at) => at > now);
  if (next !== undefined || isReached) return next;
  return now + hour < createdAt + askRules.lateForMs ? now + hour : undefined;
}

/** Until when a host app is left alone, in milliseconds since the epoch; `failures`: those in a row before this one. */
export function quietUntil({
  failures,
  now,
  retryAfterS = 0,
}: {
  failures: number;
  now: number;
  retryAfterS?: number | undefined;
}): number {
  const { quietMs, longestQuietMs } = askRules;
  const wait = quietMs[Math.min(failures, quietMs.length - 1)] ?? 0;
  return now + Math.max(wait, Math.min(retryAfterS * 1000, longestQuietMs));
}

/** Whether a call says that the host app is in trouble, and not only this one payment, or our settings for it. */
export const isTrouble = ({ status, cause }: Leg): boolean =>
  status === undefined ? cause !== undefined : status >= 500 || status === 429 || status === 408;

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

/** For how long a host app that fails is left alone, and for how long payments are asked about at all. */
export const askRules = {
  /** Milliseconds for which it is left alone after the first, second, … failure in a row; the last one repeats. */
  quietMs: [minute / 2, minute, 2 * minute, 5 * minute, 15 * minute, hour / 2, hour],
  /** The longest that its Retry-After is honoured, in milliseconds. */
  longestQuietMs: 10 * hour,
  /** What fell due and could not be asked is asked late, until a payment is this old (milliseconds), and then no more. */
  lateForMs: 7 * day,
} as const;

/** An ask that was made, or passed over. */
export interface PastAsk {
  /** Of the payment, in milliseconds. */
  readonly ageMs: number;
  /** False: the host app could not be reached. */
  readonly isReached: boolean;
  readonly timesMs: readonly number[];
}

/**
 * When the next ask is due, in milliseconds after the payment's creation: at the next of the times, however many went by.
 * `undefined`: no more. A host app that is away as the last one is made is asked late, each hour.
 */
export function nextAskAfterMs({ ageMs, isReached, timesMs }: PastAsk): number | undefined {
  const next = timesMs.find((ms) => ms > ageMs);
  if (next !== undefined || isReached) return next;
  return ageMs + hour < askRules.lateForMs ? ageMs + hour : undefined;
}

/** For how long a host app is left alone, in milliseconds; `failures`: those in a row before this one. */
export function quietMsAfter({ failures, retryAfterS = 0 }: { failures: number; retryAfterS?: number | undefined }): number {
  const { quietMs, longestQuietMs } = askRules;
  const wait = quietMs[Math.min(failures, quietMs.length - 1)] ?? 0;
  return Math.max(wait, Math.min(retryAfterS * 1000, longestQuietMs));
}

/** Whether a call says that the host app is in trouble, and not only this one payment, or our settings for it. */
export const isTrouble = ({ status, cause }: Leg): boolean =>
  status === undefined ? cause !== undefined : status >= 500 || status === 429 || status === 408;

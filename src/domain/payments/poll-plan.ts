import type { Leg } from '../exchanges/exchange';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * When a payment in process is polled, in milliseconds after its creation, ascending: at 1, 2, 5, 15 and 60 minutes, then each hour to 24
 * h.
 */
export const pollTimesMs: readonly number[] = [
  ...[1, 2, 5, 15].map((minutes) => minutes * minute),
  ...Array.from({ length: 24 }, (_, i) => (i + 1) * hour),
];

/** Backoff at a failing host app, and the maximum age of a polled payment. */
export const pollPlanRules = {
  /** Milliseconds of backoff after the first, second, … failure in a row; the last value repeats. */
  backoffMs: [minute / 2, minute, 2 * minute, 5 * minute, 15 * minute, hour / 2, hour],
  /** Maximum backoff, in milliseconds, that a Retry-After can ask for. */
  maxBackoffMs: 10 * hour,
  /** A payment whose polls were missed because of a failing host app is polled up to this age, in milliseconds. */
  lateForMs: 7 * day,
} as const;

/** A poll that was made or skipped. */
export interface PastPoll {
  /** Age of the payment, in milliseconds. */
  readonly ageMs: number;
  /** False when the host app could not be reached. */
  readonly isReached: boolean;
  readonly timesMs: readonly number[];
}

/**
 * When the next poll is due, in milliseconds after the payment's creation: at the next planned time, however many were missed.
 * `undefined`: never again. If the host app is unreachable at the last planned time, polling goes on each hour.
 */
export function nextPollAfterMs({ ageMs, isReached, timesMs }: PastPoll): number | undefined {
  const next = timesMs.find((ms) => ms > ageMs);
  if (next !== undefined || isReached) return next;
  return ageMs + hour < pollPlanRules.lateForMs ? ageMs + hour : undefined;
}

/** Milliseconds of backoff at a host app; `failures` is the number in a row before this one. */
export function backoffMsAfter({ failures, retryAfterS = 0 }: { failures: number; retryAfterS?: number | undefined }): number {
  const { backoffMs, maxBackoffMs } = pollPlanRules;
  const wait = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0;
  return Math.max(wait, Math.min(retryAfterS * 1000, maxBackoffMs));
}

/** Whether a call shows that the host app has trouble, and not only this payment or our settings for it. */
export const isTrouble = ({ status, cause }: Leg): boolean =>
  status === undefined ? cause !== undefined : status >= 500 || status === 429 || status === 408;

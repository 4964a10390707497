const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds to wait after the first, second, … failed attempt; the last value repeats (contract/deliveries#schedule). */
export const waitsMs: readonly number[] = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
export const longestWaitMs = 10 * hour;
/** Milliseconds for which a delivery is attempted before it is given up. */
export const deliveryLastsMs = 7 * day;
/** Maximum share by which a wait is shortened or lengthened at random, so that deliveries that failed together are not retried together. */
export const jitter = 0.2;

export interface FailedAttempt {
  /** Attempts so far, including this one. */
  readonly tries: number;
  /** Milliseconds for which the delivery has been pending. */
  readonly ageMs: number;
  /** A random number from 0 to 1. */
  readonly chance: number;
  /** Seconds from the receiver's `Retry-After`; more than ten hours count as ten. */
  readonly retryAfterS?: number | undefined;
}

/** Milliseconds until the next attempt is due. `undefined` when the seven days end before it: give up. */
export function nextAttemptInMs({ tries, ageMs, chance, retryAfterS = 0 }: FailedAttempt): number | undefined {
  const wait = waitsMs[tries - 1] ?? longestWaitMs;
  const jittered = wait * (1 + jitter * (2 * chance - 1));
  const retryAfterMs = Math.min(retryAfterS * second, longestWaitMs);
  const inMs = Math.round(Math.max(jittered, retryAfterMs));
  return ageMs + inMs <= deliveryLastsMs ? inMs : undefined;
}

/** Number of attempts in the whole schedule, without jitter and `Retry-After`. */
export const plannedAttempts: number = 1 + plannedTimes({ tries: 1, dueAt: waitsMs[0] ?? 0, pendingSince: 0 }).length;

/**
 * Times of the attempts from `dueAt` on if every attempt fails, after `tries` attempts and without jitter: milliseconds since the epoch,
 * ascending, `dueAt` first.
 */
export function plannedTimes({ tries, dueAt, pendingSince }: { tries: number; dueAt: number; pendingSince: number }): number[] {
  const times: number[] = [];
  for (let [made, at] = [tries, dueAt]; at <= pendingSince + deliveryLastsMs; at += waitsMs[made - 1] ?? longestWaitMs) {
    times.push(at);
    made += 1;
  }
  return times;
}

/**
 * Milliseconds until a parked delivery is checked again: a tenth of the time for which it has been pending, at least a minute and at most
 * an hour. A parked delivery is never given up.
 */
export function parkedForMs({ ageMs }: Pick<FailedAttempt, 'ageMs'>): number {
  return Math.min(Math.max(ageMs / 10, minute), hour);
}

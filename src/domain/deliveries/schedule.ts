const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Waits after the first, second, … failed attempt, in milliseconds; the last one repeats (contract/deliveries#schedule). */
export const waitsMs: readonly number[] = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
export const longestWaitMs = 10 * hour;
/** How long something is owed, in milliseconds. */
export const owedForMs = 7 * day;
/** Each wait is this much longer or shorter at most, so that what failed together does not come back together. */
export const jitter = 0.2;

export interface FailedAttempt {
  /** Attempts so far, this one included. */
  readonly tries: number;
  /** For how long it has been owed, in milliseconds. */
  readonly ageMs: number;
  /** From 0 to 1. */
  readonly chance: number;
  /** Seconds for which the receiver wants to be left alone; more than ten hours count as ten. */
  readonly retryAfterS?: number | undefined;
}

/** Milliseconds until the next attempt is due. `undefined`: seven days are over before it, give up. */
export function nextAttemptInMs({ tries, ageMs, chance, retryAfterS = 0 }: FailedAttempt): number | undefined {
  const wait = waitsMs[tries - 1] ?? longestWaitMs;
  const jittered = wait * (1 + jitter * (2 * chance - 1));
  const asked = Math.min(retryAfterS * second, longestWaitMs);
  const inMs = Math.round(Math.max(jittered, asked));
  return ageMs + inMs <= owedForMs ? inMs : undefined;
}

/** Attempts that the schedule has room for, without jitter and where nobody asks for more time. */
export const plannedAttempts: number = 1 + plannedTimes({ tries: 1, dueAt: waitsMs[0] ?? 0, owedSince: 0 }).length;

/**
 * When a delivery that was attempted `tries` times is attempted from `dueAt` on as long as every attempt fails, without jitter:
 * milliseconds since the epoch, rising, `dueAt` first.
 */
export function plannedTimes({ tries, dueAt, owedSince }: { tries: number; dueAt: number; owedSince: number }): number[] {
  const times: number[] = [];
  for (let [made, at] = [tries, dueAt]; at <= owedSince + owedForMs; at += waitsMs[made - 1] ?? longestWaitMs) {
    times.push(at);
    made += 1;
  }
  return times;
}

/**
 * Milliseconds until a parked delivery is checked again: a tenth of the time for which it has been owed, a minute at least, an
 * hour at most. It is never given up for being parked.
 */
export function parkedForMs({ ageMs }: Pick<FailedAttempt, 'ageMs'>): number {
  return Math.min(Math.max(ageMs / 10, minute), hour);
}

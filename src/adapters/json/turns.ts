import { setImmediate as turn } from 'node:timers/promises';

/** Long work that waits for a turn of the event loop. */
interface Waiting {
  /** When it is due: the earliest goes first. Milliseconds of the monotonic clock. */
  readonly dueAt: number;
  readonly resume: () => void;
}

/** In the order in which they began to wait. */
const waiting: Waiting[] = [];
/** The longest work is due so many milliseconds after it has begun; a call is answered after 5.6 s, ready or not. */
const longestMs = 3000;
const longestBytes = 262_144;
/** Work of an unknown size is due later by so many milliseconds for each turn that it has had. */
const msPerTurn = 20;

/**
 * Begins work that may take long on so many bytes; absent: it is not known how many. The function returned ends the work's turn and lets
 * other work run. In each turn of the event loop, one piece of all long work goes on: of twenty long bodies at once, each would otherwise
 * take its part of every turn. Short work is due sooner, so that a body of 10 kB does not wait for sixty of 250 kB; all work becomes due, so
 * that a stream of short work does not keep it waiting for ever.
 */
export function longWork(bytes?: number): () => Promise<void> {
  const begunAt = performance.now();
  const laterMs = (Math.min(bytes ?? 0, longestBytes) / longestBytes) * longestMs;
  let turns = 0;
  return () =>
    new Promise((resume) => {
      turns += 1;
      waiting.push({ dueAt: begunAt + (bytes === undefined ? turns * msPerTurn : laterMs), resume });
      if (waiting.length === 1) setImmediate(next);
    });
}

function next(): void {
  const soonest = waiting.reduce((first, one) => (one.dueAt < first.dueAt ? one : first));
  waiting.splice(waiting.indexOf(soonest), 1);
  soonest.resume();
  if (waiting.length > 0) setImmediate(next);
}

/** Ends the turn of work that holds a lock or a database session: it waits for no other work. */
export const nextTurn = (): Promise<void> => turn();

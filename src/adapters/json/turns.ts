import { setImmediate as turn } from 'node:timers/promises';

/** Long work that waits for a turn of the event loop. */
interface Waiting {
  /** Bytes. */
  readonly size: number;
  /** Grows with each piece of work that begins. */
  readonly order: number;
  readonly resume: () => void;
}

const waiting: Waiting[] = [];
let begun = 0;
/** Bytes that a turn stands for where the size of the work is not known. */
const bytesPerTurn = 8_192;

/**
 * Begins work that may take long on so many bytes; absent: it is not known how many. The function returned ends the work's turn and lets
 * other work run. In each turn of the event loop, one piece of all long work goes on: of twenty long bodies at once, each would otherwise
 * take its part of every turn. The shortest work goes first, so that a body of 10 kB does not wait for sixty of 250 kB; of equal ones, that
 * which began first, so that the last of them alone waits for all.
 */
export function longWork(bytes?: number): () => Promise<void> {
  const order = begun++;
  let turns = 0;
  return () =>
    new Promise((resume) => {
      turns += 1;
      waiting.push({ size: bytes ?? turns * bytesPerTurn, order, resume });
      if (waiting.length === 1) setImmediate(next);
    });
}

function next(): void {
  const shortest = waiting.reduce((first, one) => ((one.size - first.size || one.order - first.order) < 0 ? one : first));
  waiting.splice(waiting.indexOf(shortest), 1);
  shortest.resume();
  if (waiting.length > 0) setImmediate(next);
}

/** Ends the turn of work that holds a lock or a database session: it waits for no other work. */
export const nextTurn = (): Promise<void> => turn();

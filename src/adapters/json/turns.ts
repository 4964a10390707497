import { setImmediate as turn } from 'node:timers/promises';

/** Work that waits for a turn of the event loop, in the order in which it came. */
const waiting: (() => void)[] = [];

/**
 * Lets other work run. Of all work that pauses, one piece goes on in each turn of the event loop: of twenty long bodies at once, each would
 * otherwise take its part of every turn.
 */
export const pause = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/** Ends the turn of work that holds a lock or a database session: it waits for no other work. */
export const nextTurn = (): Promise<void> => turn();

import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage now: all, or what is young alone. */
export const collect = runInNewContext('gc') as (how?: { readonly type: 'minor' }) => void;

const mostTurns = 50;
const stillBytes = 100_000;

/** Bytes of the heap in use when nothing more goes: what others have left may need several turns of the event loop. */
export async function settledHeap(): Promise<number> {
  let used = Infinity;
  for (let n = 0; n < mostTurns; n++) {
    await turn();
    collect();
    const now = process.memoryUsage().heapUsed;
    if (n > 1 && used - now < stillBytes) return now;
    used = Math.min(used, now);
  }
  return used;
}

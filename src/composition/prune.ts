import { factsOfFault } from '../domain/shared/fault';
import type { Log } from '../domain/shared/ports';

/** A store that keeps expired records until it prunes them. */
export interface Pruned {
  prune(): Promise<number>;
}

const everyMs = 60_000;
const roundsADay = 1440;

/**
 * Removes what has expired, each minute, never twice at once; in the first round and once a day does `daily` besides. A failure
 * is said and tried again a minute later.
 */
export function startPruning(kept: readonly Pruned[], log: Log, daily: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let rounds = 0;
  const attempt = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      log.warn('prune-failed', { ...factsOfFault(error) });
    });
  const round = async (): Promise<void> => {
    if (rounds++ % roundsADay === 0) await attempt(daily());
    for (const one of kept) await attempt(one.prune());
  };
  const timer = setInterval(() => {
    running = running.then(round);
  }, everyMs);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

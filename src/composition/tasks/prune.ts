import { errorFields } from '../../domain/shared/fault';
import type { Log } from '../../domain/shared/ports';

/** A store that keeps expired records until it prunes them. */
export interface Pruned {
  prune(): Promise<number>;
}

const everyMs = 60_000;
const roundsADay = 1440;

/**
 * Removes expired records every minute, one round at a time. The first round and one round a day also run `daily`. Logs a failure and tries
 * again a minute later.
 */
export function startPruning(kept: readonly Pruned[], log: Log, daily: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let rounds = 0;
  const attempt = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      log.warn('prune-failed', { ...errorFields(error) });
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

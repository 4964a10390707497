import { factsOfFault } from '../domain/shared/fault';
import type { Log } from '../domain/shared/ports';

/** Something that keeps what has expired until it is told to forget it. */
export interface Pruned {
  prune(): Promise<number>;
}

const everyMs = 60_000;

/** Removes what has expired, each minute, never twice at once. A failure is said and tried again a minute later. */
export function startPruning(kept: readonly Pruned[], log: Log): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const round = async (): Promise<void> => {
    for (const one of kept) {
      await one.prune().catch((error: unknown) => {
        log.warn('prune-failed', { ...factsOfFault(error) });
      });
    }
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

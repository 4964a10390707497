import cluster from 'node:cluster';

/** Whether this process got a stop signal. */
export interface StopOrder {
  /** Aborted at the first order, with `ToldToStop` as the reason. */
  readonly given: AbortSignal;
}

/** Why a start ends before it serves: nobody has failed. */
export class ToldToStop extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`Told to stop by ${signal}`);
    this.name = new.target.name;
  }
}

/**
 * Hears SIGTERM and SIGINT from now on: to be called before anything is started, as a signal that nobody hears ends a process at
 * once, or, where it is the first of a container, is lost. A second signal ends at once with 1. A terminal or a supervisor may
 * signal each process: those that serve for another heed the first SIGTERM alone, and leave the rest to the one that started them.
 */
export function hearStopOrder(): StopOrder {
  const controller = new AbortController();
  const hear = (signal: NodeJS.Signals): void => {
    if (!controller.signal.aborted) controller.abort(new ToldToStop(signal));
    else if (cluster.isPrimary) process.exit(1);
  };
  process.on('SIGTERM', hear);
  process.on('SIGINT', cluster.isPrimary ? hear : () => undefined);
  return { given: controller.signal };
}

/** Resolves when the order is given. */
export const orderOf = ({ given }: StopOrder): Promise<ToldToStop> =>
  new Promise((resolve) => {
    if (given.aborted) resolve(given.reason as ToldToStop);
    given.addEventListener('abort', () => resolve(given.reason as ToldToStop), { once: true });
  });

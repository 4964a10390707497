import cluster from 'node:cluster';

/** Whether this process got a stop signal. */
export interface StopSignal {
  /** Aborted at the first signal, with `StopRequested` as the reason. */
  readonly given: AbortSignal;
}

/** A stop signal came while the service was starting. This is not a failure. */
export class StopRequested extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`Stopped by ${signal}`);
    this.name = new.target.name;
  }
}

/**
 * Handles SIGTERM and SIGINT. Call it before anything starts: an unhandled signal ends a process at once, and is lost on the first
 * process of a container. A second signal exits at once with 1. A terminal or a supervisor may signal every process: serving
 * processes act on the first SIGTERM only, and leave the rest to the process that started them.
 */
export function listenForStop(): StopSignal {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!controller.signal.aborted) controller.abort(new StopRequested(signal));
    else if (cluster.isPrimary) process.exit(1);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', cluster.isPrimary ? onSignal : () => undefined);
  return { given: controller.signal };
}

/** Resolves at the first stop signal. */
export const stopRequest = ({ given }: StopSignal): Promise<StopRequested> =>
  new Promise((resolve) => {
    if (given.aborted) resolve(given.reason as StopRequested);
    given.addEventListener('abort', () => resolve(given.reason as StopRequested), { once: true });
  });

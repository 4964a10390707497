import type { FigureRollupStore } from '../../../domain/figures/ports';
import { errorFields } from '../../../domain/shared/fault';
import type { Clock, Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

/** Interval of each instance in milliseconds. */
const everyMs = 15_000;

interface Deps {
  readonly rollup: FigureRollupStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Precomputes sums for statistics in the background; after downtime it catches up step by step. */
export class FigureWorker {
  private readonly ticker: Ticker;

  constructor(deps: Deps) {
    this.ticker = new Ticker({
      everyMs,
      work: async () => {
        if (await deps.rollup.advance(deps.clock.now())) this.ticker.call();
      },
      onFailure: (error) => {
        deps.log.warn('figures.round-failed', { ...errorFields(error) });
      },
    });
  }

  start(): void {
    this.ticker.start();
    this.ticker.call();
  }

  /** Starts no further step; resolves when the present one has ended. */
  stop(): Promise<void> {
    return this.ticker.stop();
  }
}

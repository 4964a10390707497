import type { FigureRoll } from '../../../domain/figures/ports';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Clock, Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

/** How often each instance looks, in milliseconds. */
const everyMs = 15_000;

interface Deps {
  readonly roll: FigureRoll;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sums ahead of who asks for figures, beside the calls; after a time away it catches up step by step. */
export class FigureWorker {
  private readonly ticker: Ticker;

  constructor(deps: Deps) {
    this.ticker = new Ticker({
      everyMs,
      work: async () => {
        if (await deps.roll.advance(deps.clock.now())) this.ticker.call();
      },
      onFailure: (error) => {
        deps.log.warn('figures.round-failed', { ...factsOfFault(error) });
      },
    });
  }

  start(): void {
    this.ticker.start();
    this.ticker.call();
  }

  /** Begins no further step; resolves when the present one has ended. */
  stop(): Promise<void> {
    return this.ticker.stop();
  }
}

import type { ShareCircuits } from '../../../domain/isolation/share-circuits';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

/** How soon a circuit that opens in one process is known to all, in milliseconds. */
const everyMs = 1000;

/** Looks each second which circuits other processes have opened or closed. */
export class CircuitWorker {
  private readonly ticker: Ticker;

  constructor({ share, log }: { readonly share: ShareCircuits; readonly log: Log }) {
    this.ticker = new Ticker({
      everyMs,
      work: () => share.execute(),
      onFailure: (error) => {
        log.debug('circuits.not-read', { ...factsOfFault(error) });
      },
    });
  }

  start(): void {
    this.ticker.start();
    this.ticker.call();
  }

  /** Begins no further look; resolves when the present one has ended. */
  stop(): Promise<void> {
    return this.ticker.stop();
  }
}

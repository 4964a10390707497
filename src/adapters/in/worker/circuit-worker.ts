import type { ShareCircuits } from '../../../domain/isolation/share-circuits';
import { errorFields } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

/** Milliseconds until all processes know of a circuit that one of them opened. */
const everyMs = 1000;

/** Polls every second for circuits that other processes have opened or closed. */
export class CircuitWorker {
  private readonly ticker: Ticker;

  constructor({ share, log }: { readonly share: ShareCircuits; readonly log: Log }) {
    this.ticker = new Ticker({
      everyMs,
      work: () => share.execute(),
      onFailure: (error) => {
        log.debug('circuits.not-read', { ...errorFields(error) });
      },
    });
  }

  start(): void {
    this.ticker.start();
    this.ticker.call();
  }

  /** Starts no further poll; resolves when the present one has ended. */
  stop(): Promise<void> {
    return this.ticker.stop();
  }
}

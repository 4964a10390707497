import type { DeliverDue } from '../../../domain/deliveries/deliver-due';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import type { InProcessBell } from './in-process-bell';
import { Ticker } from './ticker';

/** How often each instance looks by itself, in milliseconds. */
const everyMs = 1000;
/** Attempts under way at once. */
const placesAtOnce = 16;

interface Deps {
  readonly deliverDue: Pick<DeliverDue, 'execute'>;
  readonly bell: InProcessBell;
  readonly log: Log;
}

/** Keeps deliveries going: looks each second, and at once when the bell rings or a place becomes free. */
export class DeliveryWorker {
  private readonly underWay = new Set<Promise<void>>();
  /** More may be due than there were places. */
  private backlog = false;
  private readonly ticker: Ticker;

  constructor(private readonly deps: Deps) {
    this.ticker = new Ticker({
      everyMs,
      work: () => this.begin(),
      onFailure: (error) => {
        deps.log.warn('delivery.round-failed', { ...factsOfFault(error) });
      },
    });
  }

  start(): void {
    this.deps.bell.hear(() => {
      this.ticker.call();
    });
    this.ticker.start();
  }

  /** Begins no further attempt; resolves when those under way have ended, within the time of one attempt. */
  async stop(): Promise<void> {
    await this.ticker.stop();
    await Promise.all(this.underWay);
  }

  private async begin(): Promise<void> {
    const limit = placesAtOnce - this.underWay.size;
    if (limit === 0) {
      this.backlog = true;
      return;
    }
    const begun = await this.deps.deliverDue.execute({ limit });
    this.backlog = begun.length === limit;
    for (const attempt of begun) this.follow(attempt);
  }

  private follow(attempt: Promise<void>): void {
    this.underWay.add(attempt);
    void attempt.then(() => {
      this.underWay.delete(attempt);
      if (this.backlog) this.ticker.call();
    });
  }
}

import { askRules } from '../../../domain/payments/ask-plan';
import type { ReconcilePayments } from '../../../domain/payments/reconcile-payments';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

/** How often each instance looks, in milliseconds. */
const everyMs = 1000;
/** Asks under way at once; of one host app `askRules.places` over all instances. */
const placesAtOnce = 64;

interface Deps {
  readonly reconcilePayments: Pick<ReconcilePayments, 'execute'>;
  readonly log: Log;
}

/** Asks about payments that are due each second, and sooner where there may be more. */
export class ReconciliationWorker {
  private readonly underWay = new Set<Promise<void>>();
  private again: NodeJS.Timeout | undefined;
  private readonly ticker: Ticker;

  constructor(private readonly deps: Deps) {
    this.ticker = new Ticker({
      everyMs,
      work: () => this.begin(),
      onFailure: (error) => {
        deps.log.warn('reconcile.round-failed', { ...factsOfFault(error) });
      },
    });
  }

  start(): void {
    this.ticker.start();
  }

  /** Begins no further ask; resolves when those under way have ended, within the time of one ask. */
  async stop(): Promise<void> {
    clearTimeout(this.again);
    await this.ticker.stop();
    await Promise.all(this.underWay);
  }

  private async begin(): Promise<void> {
    const limit = placesAtOnce - this.underWay.size;
    if (limit <= 0) return;
    const begun = await this.deps.reconcilePayments.execute({ limit });
    for (const ask of begun) {
      this.underWay.add(ask);
      void ask.then(() => this.underWay.delete(ask));
    }
    if (begun.length > 0) this.lookSoon();
  }

  private lookSoon(): void {
    clearTimeout(this.again);
    this.again = setTimeout(() => {
      this.ticker.call();
    }, askRules.turnEveryMs).unref();
  }
}

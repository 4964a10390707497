import type { ReconcilePayments } from '../../../domain/payments/reconcile-payments';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

/** How often each instance looks, in milliseconds. */
const everyMs = 1000;
/** How often it looks while there is something to do, in milliseconds: more often than turns come (`pollRules.turnMs`), so that none is missed. */
const busyEveryMs = 50;
/** After so many looks in a row that found nothing it is busy no more; others may have had the turns. */
const emptyLooks = 20;
/** Asks under way at once in this process: of one host app `pollRules.mostUnderWay` over all instances, so that a few that hang leave room. */
const placesAtOnce = 512;

interface Deps {
  readonly reconcilePayments: Pick<ReconcilePayments, 'execute'>;
  readonly log: Log;
}

/** Asks about payments that are due each second, and sooner where there may be more. */
export class ReconciliationWorker {
  private readonly underWay = new Set<Promise<void>>();
  private again: NodeJS.Timeout | undefined;
  private foundNothing = emptyLooks;
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
    this.foundNothing = begun.length > 0 ? 0 : this.foundNothing + 1;
    if (this.foundNothing < emptyLooks) this.lookSoon();
  }

  private lookSoon(): void {
    clearTimeout(this.again);
    this.again = setTimeout(() => {
      this.ticker.call();
    }, busyEveryMs).unref();
  }
}

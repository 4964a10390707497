import type { ReconcilePayments } from '../../../domain/payments/reconcile-payments';
import { errorFields } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import { Ticker } from './ticker';

/** Polling interval of each instance, in milliseconds. */
const everyMs = 1000;
/** Polling interval in milliseconds while payments are due: shorter than `pollRules.turnMs`, so that no turn is missed. */
const busyEveryMs = 50;
/** Consecutive rounds without work after which the worker counts as idle; other instances may have taken the turns. */
const idleAfterRounds = 20;
/**
 * Concurrent polls of this process. One host app gets `pollRules.maxInFlight` over all instances, so a few hanging host apps leave
 * capacity.
 */
const slotsAtOnce = 512;

interface Deps {
  readonly reconcilePayments: Pick<ReconcilePayments, 'execute'>;
  readonly log: Log;
}

/** Starts due status polls every second, and sooner while there may be more. */
export class ReconciliationWorker {
  private readonly inFlight = new Set<Promise<void>>();
  private again: NodeJS.Timeout | undefined;
  private foundNothing = idleAfterRounds;
  private readonly ticker: Ticker;

  constructor(private readonly deps: Deps) {
    this.ticker = new Ticker({
      everyMs,
      work: () => this.begin(),
      onFailure: (error) => {
        deps.log.warn('reconcile.round-failed', { ...errorFields(error) });
      },
    });
  }

  start(): void {
    this.ticker.start();
  }

  /** Starts no further poll; resolves when those in flight have ended, within the time of one poll. */
  async stop(): Promise<void> {
    clearTimeout(this.again);
    await this.ticker.stop();
    await Promise.all(this.inFlight);
  }

  private async begin(): Promise<void> {
    const limit = slotsAtOnce - this.inFlight.size;
    if (limit <= 0) return;
    const begun = await this.deps.reconcilePayments.execute({ limit });
    for (const poll of begun) {
      this.inFlight.add(poll);
      void poll.then(() => this.inFlight.delete(poll));
    }
    this.foundNothing = begun.length > 0 ? 0 : this.foundNothing + 1;
    if (this.foundNothing < idleAfterRounds) this.pollSoon();
  }

  private pollSoon(): void {
    clearTimeout(this.again);
    this.again = setTimeout(() => {
      this.ticker.call();
    }, busyEveryMs).unref();
  }
}

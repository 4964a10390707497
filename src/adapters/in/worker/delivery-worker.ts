import type { RunningAttempt, DeliverDue, DeliverDueCommand } from '../../../domain/deliveries/deliver-due';
import { endpointQueueRules } from '../../../domain/deliveries/endpoint-queue';
import type { DeliveryDispatch, ReservedAttempt } from '../../../domain/deliveries/ports';
import { errorFields } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import type { InProcessDeliveryNotifier } from './in-process-delivery-notifier';
import { Ticker } from './ticker';

/**
 * Milliseconds until the next claim in all endpoint queues when not all due deliveries could be claimed: slots were taken, or another
 * instance has them.
 */
const againInMs = 1000;
/** Milliseconds: timers sometimes fire one millisecond early. */
const soonestMs = 2;
const { slots, slotsOfAll } = endpointQueueRules;

interface Deps {
  readonly deliverDue: Pick<DeliverDue, 'execute' | 'restMs' | 'reserve'>;
  readonly stepResends: { execute(): Promise<void> };
  readonly notifier: InProcessDeliveryNotifier;
  readonly log: Log;
}

/**
 * Runs due deliveries: at once when the notifier is called or a slot becomes free, and when the next delivery is due. Deliveries that this
 * process commits may use a slot that was reserved for them.
 */
export class DeliveryWorker implements DeliveryDispatch {
  private readonly inFlight = new Set<Promise<void>>();
  /** The endpoint queues to claim from next; `undefined` means all. */
  private rung: Set<string> | undefined = new Set();
  private next: NodeJS.Timeout | undefined;
  private isStarted = false;
  /** Maximum attempts that the running claim may start. */
  private claimLimit = 0;
  private stopping: Promise<void> | undefined;
  private readonly ticker: Ticker;

  constructor(private readonly deps: Deps) {
    this.ticker = new Ticker({
      work: () => this.begin(),
      onFailure: (error) => {
        this.logFault(error);
        this.wakeIn(againInMs);
      },
    });
  }

  reserve(queue: string): ReservedAttempt | undefined {
    if (!this.isStarted || this.stopping || this.inFlight.size + this.claimLimit >= slotsOfAll) return undefined;
    const reserved = this.deps.deliverDue.reserve(queue);
    if (reserved) this.follow([reserved]);
    return reserved;
  }

  start(): void {
    this.isStarted = true;
    this.deps.notifier.subscribe((queue) => {
      this.wake(queue);
    });
    this.wake();
  }

  /**
   * Starts no further attempt. Resolves when those in flight have ended, within the time of one attempt, and other instances are notified
   * of the rest.
   */
  stop(): Promise<void> {
    clearTimeout(this.next);
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    await this.ticker.stop();
    await Promise.all(this.inFlight);
    this.deps.notifier.notifyAll();
  }

  private wake(queue?: string): void {
    if (queue === undefined) this.rung = undefined;
    else this.rung?.add(queue);
    this.ticker.call();
  }

  private async begin(): Promise<void> {
    const limit = slotsOfAll - this.inFlight.size;
    if (limit <= 0) return;
    const queues = this.rung && [...this.rung];
    this.rung = new Set();
    if (queues === undefined) await this.beginEverywhere(limit);
    else if (queues.length > 0) await this.deliver({ limit: Math.min(limit, queues.length * slots), queues });
  }

  private async beginEverywhere(limit: number): Promise<void> {
    const { deliverDue, stepResends } = this.deps;
    const restMs = await deliverDue.restMs();
    if (restMs > 0) {
      this.wakeIn(restMs);
      return;
    }
    await stepResends.execute().catch((error: unknown) => {
      this.logFault(error);
    });
    const begun = await this.deliver({ limit });
    // With every slot taken, the end of an attempt triggers the next claim.
    if (begun === 0 || begun === limit) this.wakeIn(againInMs);
    else this.wake();
  }

  /** Resolves to the number of started attempts. */
  private async deliver(command: DeliverDueCommand): Promise<number> {
    this.claimLimit = command.limit;
    try {
      const begun = await this.deps.deliverDue.execute(command);
      this.follow(begun);
      return begun.length;
    } finally {
      this.claimLimit = 0;
    }
  }

  private logFault(error: unknown): void {
    this.deps.log.warn('delivery.round-failed', { ...errorFields(error) });
  }

  private follow(begun: readonly Pick<RunningAttempt, 'queue' | 'free' | 'done'>[]): void {
    for (const { queue, free, done } of begun) {
      this.inFlight.add(done);
      void free.then((mayBeMore) => {
        if (mayBeMore) this.wake(queue);
      });
      void done.then(() => {
        const wereAllTaken = this.inFlight.size >= slotsOfAll;
        this.inFlight.delete(done);
        // Claims from queues that were noted meanwhile.
        if (wereAllTaken) this.ticker.call();
      });
    }
  }

  private wakeIn(ms: number): void {
    clearTimeout(this.next);
    if (this.stopping) return;
    this.next = setTimeout(
      () => {
        this.wake();
      },
      Math.max(ms, soonestMs),
    ).unref();
  }
}

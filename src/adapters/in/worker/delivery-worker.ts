import type { AttemptUnderWay, DeliverDue, DeliverDueCommand } from '../../../domain/deliveries/deliver-due';
import { laneRules } from '../../../domain/deliveries/lane';
import type { DeliveryDispatch, ReservedAttempt } from '../../../domain/deliveries/ports';
import { factsOfFault } from '../../../domain/shared/fault';
import type { Log } from '../../../domain/shared/ports';
import type { InProcessBell } from './in-process-bell';
import { Ticker } from './ticker';

/** Until the next look everywhere where not all that is due could be had, in milliseconds: for want of places, or others have it. */
const againInMs = 1000;
/** A timer is early sometimes, by a millisecond. */
const soonestMs = 2;
const { places, placesOfAll } = laneRules;

interface Deps {
  readonly deliverDue: Pick<DeliverDue, 'execute' | 'restMs' | 'reserve'>;
  readonly stepResends: { execute(): Promise<void> };
  readonly bell: InProcessBell;
  readonly log: Log;
}

/**
 * Keeps deliveries going: at once where the bell rings or a place has come free for more, everywhere when the next is due. What
 * this process commits itself may begin in a slot that was reserved for it.
 */
export class DeliveryWorker implements DeliveryDispatch {
  private readonly underWay = new Set<Promise<void>>();
  /** Where to look next; `undefined`: everywhere. */
  private rung: Set<string> | undefined = new Set();
  private next: NodeJS.Timeout | undefined;
  private isStarted = false;
  /** How many a look that is under way may begin. */
  private looksFor = 0;
  private stopping: Promise<void> | undefined;
  private readonly ticker: Ticker;

  constructor(private readonly deps: Deps) {
    this.ticker = new Ticker({
      work: () => this.begin(),
      onFailure: (error) => {
        this.tellFault(error);
        this.lookIn(againInMs);
      },
    });
  }

  reserve(lane: string): ReservedAttempt | undefined {
    if (!this.isStarted || this.stopping || this.underWay.size + this.looksFor >= placesOfAll) return undefined;
    const reserved = this.deps.deliverDue.reserve(lane);
    if (reserved) this.follow([reserved]);
    return reserved;
  }

  start(): void {
    this.isStarted = true;
    this.deps.bell.hear((lane) => {
      this.look(lane);
    });
    this.look();
  }

  /** Begins no further attempt; resolves when those under way have ended, within the time of one attempt, and others know of the rest. */
  stop(): Promise<void> {
    clearTimeout(this.next);
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    await this.ticker.stop();
    await Promise.all(this.underWay);
    this.deps.bell.ringAll();
  }

  private look(lane?: string): void {
    if (lane === undefined) this.rung = undefined;
    else this.rung?.add(lane);
    this.ticker.call();
  }

  private async begin(): Promise<void> {
    const limit = placesOfAll - this.underWay.size;
    if (limit <= 0) return;
    const lanes = this.rung && [...this.rung];
    this.rung = new Set();
    if (lanes === undefined) await this.beginEverywhere(limit);
    else if (lanes.length > 0) await this.deliver({ limit: Math.min(limit, lanes.length * places), lanes });
  }

  private async beginEverywhere(limit: number): Promise<void> {
    const { deliverDue, stepResends } = this.deps;
    const restMs = await deliverDue.restMs();
    if (restMs > 0) {
      this.lookIn(restMs);
      return;
    }
    await stepResends.execute().catch((error: unknown) => {
      this.tellFault(error);
    });
    const begun = await this.deliver({ limit });
    // With every place taken, lanes are claimed from as their attempts end.
    if (begun === 0 || begun === limit) this.lookIn(againInMs);
    else this.look();
  }

  /** Resolves to how many began. */
  private async deliver(command: DeliverDueCommand): Promise<number> {
    this.looksFor = command.limit;
    try {
      const begun = await this.deps.deliverDue.execute(command);
      this.follow(begun);
      return begun.length;
    } finally {
      this.looksFor = 0;
    }
  }

  private tellFault(error: unknown): void {
    this.deps.log.warn('delivery.round-failed', { ...factsOfFault(error) });
  }

  private follow(begun: readonly Pick<AttemptUnderWay, 'lane' | 'free' | 'done'>[]): void {
    for (const { lane, free, done } of begun) {
      this.underWay.add(done);
      void free.then((mayBeMore) => {
        if (mayBeMore) this.look(lane);
      });
      void done.then(() => {
        const wereAllTaken = this.underWay.size >= placesOfAll;
        this.underWay.delete(done);
        // Lanes noted meanwhile are still claimed from.
        if (wereAllTaken) this.ticker.call();
      });
    }
  }

  private lookIn(ms: number): void {
    clearTimeout(this.next);
    if (this.stopping) return;
    this.next = setTimeout(
      () => {
        this.look();
      },
      Math.max(ms, soonestMs),
    ).unref();
  }
}

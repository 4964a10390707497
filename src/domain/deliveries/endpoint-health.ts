import { endpointQueueRules } from './endpoint-queue';
import type { EndpointTrouble } from './circuit';
import type { EndpointNews } from './ports';
import { RecentOutcomes } from './recent-outcomes';
import { RecoveryWindow } from './recovery-window';

/** A half-open circuit without attempts for so many milliseconds was open meanwhile. */
const idleMs = 1000;
/** Minimum number of attempts within `wellWithinMs` for their share to count. */
const countsFrom = 10;
/** An endpoint that received something just now fails only in part: its circuit must not open. */
const neverOpens = 2 ** 31 - 1;

/** The health of one endpoint, as seen by this process's own attempts. Times are milliseconds of the process's clock. */
export class EndpointHealth {
  private readonly inFlight = new Set<{ readonly at: number }>();
  private receivedAt = -Infinity;
  private lastReceiptMs = Infinity;
  private hasFailed = false;
  /** A failure was reported, and nothing was received since. */
  private isReportedFailing = false;
  /** Whether many attempts have failed since the last recovery; `undefined` when unknown: the trouble may be older than this process. */
  private wasIll: boolean | undefined;
  private outcomes: RecentOutcomes | undefined;
  private window: RecoveryWindow | undefined;
  private isHalfOpen = false;
  private lastAt = -Infinity;

  get count(): number {
    return this.inFlight.size;
  }

  /** Begins an attempt; the returned function ends it. */
  begin(now: number): () => void {
    const one = { at: now };
    this.inFlight.add(one);
    this.lastAt = now;
    return () => this.inFlight.delete(one);
  }

  /** Records a receipt after `ms`. Returns the news for the other instances. */
  received({
    ms,
    now,
    trouble,
  }: {
    readonly ms: number;
    readonly now: number;
    readonly trouble: EndpointTrouble | undefined;
  }): EndpointNews | undefined {
    Object.assign(this, { receivedAt: now, lastReceiptMs: ms, hasFailed: false, lastAt: now });
    this.outcomes?.add(true, now);
    if (this.isHalfOpen) this.window?.received();
    const wasFailing = this.isReportedFailing || trouble?.isFailing === true;
    this.isReportedFailing = false;
    if (trouble?.circuit === 'open' || this.isWellAgain(now, trouble)) return 'recovers';
    if (this.isHalfOpen && (this.window?.slots ?? 0) >= this.maxSlots()) {
      Object.assign(this, { window: undefined, isHalfOpen: false });
      return 'keeps-up';
    }
    return wasFailing ? 'answers' : undefined;
  }

  /**
   * Records a failure, of an attempt begun at `begunAt`, that counts against the endpoint. Returns the consecutive failures that open the
   * circuit.
   */
  endpointFailed({
    begunAt,
    now,
    retryAfterS = 0,
  }: {
    readonly begunAt: number;
    readonly now: number;
    readonly retryAfterS?: number | undefined;
  }): number {
    Object.assign(this, { hasFailed: true, isReportedFailing: true, lastReceiptMs: Infinity });
    this.outcomes ??= new RecentOutcomes(now);
    this.outcomes.add(false, now);
    if (this.outcomes.count(now) >= countsFrom && this.outcomes.shareReceived(now) <= endpointQueueRules.wellShare) this.wasIll = true;
    this.window?.failed({ begunAt, now });
    // The endpoint asked for a pause: open the circuit, so that only a probe finds out whether it still needs it.
    if (this.isHalfOpen && retryAfterS > 0) return 1;
    return now - this.receivedAt < endpointQueueRules.answersWithinMs ? neverOpens : endpointQueueRules.opensAfter;
  }

  /** Records any other failure: the endpoint's response time is unknown again. */
  failed(): void {
    this.lastReceiptMs = Infinity;
  }

  /** Maximum attempts in flight, if the process has capacity for all. */
  maxSlots(): number {
    return this.lastReceiptMs <= endpointQueueRules.answersWithinMs ? endpointQueueRules.quickSlots : endpointQueueRules.slots;
  }

  /** Maximum attempts in flight while the circuit is half-open. */
  windowSlots(): number {
    return this.window?.slots ?? endpointQueueRules.firstWindow;
  }

  /** The half-open circuit's limit; `Infinity` when the circuit is not half-open. */
  limitedTo(): number {
    return this.isHalfOpen ? this.windowSlots() : Infinity;
  }

  /** Whether the endpoint received its last finished attempt and has not hung since. */
  answers(now: number): boolean {
    if (this.receivedAt === -Infinity || this.hasFailed) return false;
    const [oldest] = this.inFlight;
    return !oldest || now - Math.max(oldest.at, this.receivedAt) < endpointQueueRules.answersWithinMs;
  }

  /** Whether nothing is known of the endpoint, and no attempt in flight could tell. */
  isUnknown(): boolean {
    return this.receivedAt === -Infinity && !this.hasFailed && this.count === 0;
  }

  private isWellAgain(now: number, trouble: EndpointTrouble | undefined): boolean {
    if (!trouble || this.isHalfOpen || this.wasIll === false || trouble.forMs < endpointQueueRules.wellWithinMs) return false;
    if (!this.outcomes || this.outcomes.shareReceived(now) <= endpointQueueRules.wellShare) return false;
    if (this.outcomes.count(now) < countsFrom && now - this.outcomes.since < endpointQueueRules.wellWithinMs) return false;
    this.wasIll = false;
    return true;
  }

  /** Takes over the endpoint's state as of a claim. */
  noteTrouble(now: number, trouble: EndpointTrouble | undefined): void {
    if (trouble) this.outcomes ??= new RecentOutcomes(now);
    const isHalfOpen = trouble?.circuit === 'half-open';
    if (isHalfOpen && (!this.isHalfOpen || (this.count === 0 && now - this.lastAt > idleMs))) {
      this.window ??= new RecoveryWindow();
      this.window.restart(this.outcomes?.receivedPerSecond(now) ?? 0);
    }
    this.isHalfOpen = isHalfOpen;
    if (!trouble && !this.isReportedFailing) this.outcomes = undefined;
  }
}

import { laneRules } from './lane';
import type { LaneTrouble } from './circuit';
import type { LaneNews } from './ports';
import { RecentOutcomes } from './recent-outcomes';
import { RecoveryWindow } from './recovery-window';

/** A half-open circuit under which nothing was attempted for so long, in milliseconds, was open meanwhile. */
const idleMs = 1000;
/** Attempts within `wellWithinMs` from which on their share says something. */
const countsFrom = 10;
/** An endpoint that received something just now is in trouble only in part: its circuit does not open. */
const neverOpens = 2 ** 31 - 1;

/** What one process knows of one endpoint, by what became of its own attempts. Times are milliseconds of the process's clock. */
export class EndpointHealth {
  private readonly underWay = new Set<{ readonly at: number }>();
  private receivedAt = -Infinity;
  private lastReceiptMs = Infinity;
  private hasFailed = false;
  /** Nothing was received since the last failure that was reported. */
  private isReportedFailing = false;
  /** Since its last recovery many attempts have failed; `undefined`: not known, as the trouble may be older than what this process knows. */
  private wasIll: boolean | undefined;
  private outcomes: RecentOutcomes | undefined;
  private window: RecoveryWindow | undefined;
  private isHalfOpen = false;
  private lastAt = -Infinity;

  get count(): number {
    return this.underWay.size;
  }

  /** An attempt begins; the function that is returned ends it. */
  begin(now: number): () => void {
    const one = { at: now };
    this.underWay.add(one);
    this.lastAt = now;
    return () => this.underWay.delete(one);
  }

  /** Takes a receipt after `ms`, and returns the news for the other instances. */
  received({
    ms,
    now,
    trouble,
  }: {
    readonly ms: number;
    readonly now: number;
    readonly trouble: LaneTrouble | undefined;
  }): LaneNews | undefined {
    Object.assign(this, { receivedAt: now, lastReceiptMs: ms, hasFailed: false, lastAt: now });
    this.outcomes?.add(true, now);
    if (this.isHalfOpen) this.window?.received();
    const wasFailing = this.isReportedFailing || trouble?.isFailing === true;
    this.isReportedFailing = false;
    if (trouble?.circuit === 'open' || this.isWellAgain(now, trouble)) return 'recovers';
    if (this.isHalfOpen && (this.window?.places ?? 0) >= this.mostPlaces()) {
      Object.assign(this, { window: undefined, isHalfOpen: false });
      return 'keeps-up';
    }
    return wasFailing ? 'answers' : undefined;
  }

  /** An attempt begun at `begunAt` failed, and so that the endpoint is in trouble. Returns after how many in a row its circuit opens. */
  troubled({
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
    if (this.outcomes.count(now) >= countsFrom && this.outcomes.shareReceived(now) <= laneRules.wellShare) this.wasIll = true;
    this.window?.failed({ begunAt, now });
    // It wants to be left alone: then nothing but a probe tells whether it still does.
    if (this.isHalfOpen && retryAfterS > 0) return 1;
    return now - this.receivedAt < laneRules.answersWithinMs ? neverOpens : laneRules.opensAfter;
  }

  /** Any other failure: nothing more is known of how long it takes. */
  failed(): void {
    this.lastReceiptMs = Infinity;
  }

  /** Attempts under way that it may have, where the process has room for all. */
  mostPlaces(): number {
    return this.lastReceiptMs <= laneRules.answersWithinMs ? laneRules.quickPlaces : laneRules.places;
  }

  /** Attempts under way that its half-open circuit allows. */
  windowPlaces(): number {
    return this.window?.places ?? laneRules.firstWindow;
  }

  /** `Infinity`: its circuit is not half-open. */
  limitedTo(): number {
    return this.isHalfOpen ? this.windowPlaces() : Infinity;
  }

  /** It received the last attempt that has ended, and does not hang since. */
  answers(now: number): boolean {
    if (this.receivedAt === -Infinity || this.hasFailed) return false;
    const [oldest] = this.underWay;
    return !oldest || now - Math.max(oldest.at, this.receivedAt) < laneRules.answersWithinMs;
  }

  /** Nothing is known of it, and nothing under way that would tell. */
  isUnknown(): boolean {
    return this.receivedAt === -Infinity && !this.hasFailed && this.count === 0;
  }

  private isWellAgain(now: number, trouble: LaneTrouble | undefined): boolean {
    if (!trouble || this.isHalfOpen || this.wasIll === false || trouble.forMs < laneRules.wellWithinMs) return false;
    if (!this.outcomes || this.outcomes.shareReceived(now) <= laneRules.wellShare) return false;
    if (this.outcomes.count(now) < countsFrom && now - this.outcomes.since < laneRules.wellWithinMs) return false;
    this.wasIll = false;
    return true;
  }

  /** How the endpoint stood when something was claimed for it. */
  noteTrouble(now: number, trouble: LaneTrouble | undefined): void {
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

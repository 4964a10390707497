/** Limits on the accounts of one partner, per process, unless stated otherwise. Times are milliseconds. */
export const partnerLimits = {
  /** Calls that run at the same time. */
  running: 2,
  /** Calls that wait for another one to end: a page of the dashboard sends several at once. */
  waiting: 32,
  /** A call that has waited this long is refused. */
  waitMs: 4000,
  /** The part of a processor that calls may use once the saved time is spent, in all processes of one instance. */
  share: 0.25,
  /** The part of a processor for all partners with waiting calls together, in all processes of one instance. */
  shareOfAll: 0.5,
  /**
   * Price of a millisecond in which the process did nothing and the call waited, mostly for the database. It equals `share`, so a partner
   * may always have one such call running, in all processes together.
   */
  waitingCost: 0.25,
  /** The smallest part of the two shares that a process gives, however many there are: a person's calls often meet one process. */
  smallestPart: 0.25,
  /** Maximum time that a partner saves: one page sends about eight calls at once. */
  burstMs: 100,
  /** Maximum charge for one call, and maximum debt of a partner, in all processes of one instance: it is paid off within `waitMs`. */
  maxChargeMs: 1000,
} as const;

export interface WaitingCall {
  readonly hasLeft: () => boolean;
  readonly start: (run: boolean) => void;
  readonly refuse: () => void;
}

/**
 * A concurrency limit and a token bucket in processor milliseconds. The process cannot measure the processor time of a single call: a call
 * is charged all that the process computed while it ran, and a part of the rest of its time. Times are milliseconds of a monotonic clock.
 */
export class PartnerBudget {
  readonly waiting: WaitingCall[] = [];
  private running = 0;
  private savedMs: number = partnerLimits.burstMs;

  constructor(private filledAt: number) {}

  get hasFreeSlot(): boolean {
    return this.running < partnerLimits.running;
  }

  get mayRun(): boolean {
    return this.hasFreeSlot && this.savedMs >= 0;
  }

  /** Adds saved time. `share`: the part of the time since the last `fill` that is added. */
  fill(now: number, share: number): void {
    this.savedMs = Math.min(partnerLimits.burstMs, this.savedMs + (now - this.filledAt) * share);
    this.filledAt = now;
  }

  /** Milliseconds until the debt is paid off. */
  dueFor(share: number): number {
    return Math.max(0, -this.savedMs) / share;
  }

  begin(): void {
    this.running++;
  }

  /** Charges a call that took `tookMs` milliseconds, in which the process computed for `computedMs`. `maxDebtMs`: no more than this. */
  end(tookMs: number, computedMs: number, maxDebtMs: number): void {
    this.running--;
    const computing = Math.min(tookMs, computedMs);
    const cost = computing + partnerLimits.waitingCost * (tookMs - computing);
    this.savedMs = Math.max(-maxDebtMs, this.savedMs - Math.min(cost, maxDebtMs));
  }
}

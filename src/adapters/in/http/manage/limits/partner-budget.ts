/** What the accounts of one partner may take of a process. Times are milliseconds. */
export const partnerLimits = {
  /** Calls that run at once. */
  running: 2,
  /** Calls that wait until another one ends: a page of the dashboard sends several at once. */
  waiting: 32,
  /** A call that has waited for so long is refused. */
  waitMs: 4000,
  /** The part of a processor that calls may take once nothing is saved. */
  share: 0.25,
  /** The same for all partners whose calls wait, together. */
  shareOfAll: 0.5,
  /** What a millisecond costs in which the process did nothing and the call waited, at the database mostly: a partner may always have one such call. */
  waitingCost: 0.25,
  /** Time that is saved for a page. */
  burstMs: 250,
  /** The most that one call is charged, or a partner can owe. */
  mostMs: 1000,
} as const;

/** A call that waits for its turn. */
export interface WaitingCall {
  readonly hasLeft: () => boolean;
  readonly start: (run: boolean) => void;
  readonly refuse: () => void;
}

/**
 * A concurrency limit, and a token bucket in milliseconds of a processor. Nothing says which call has used the processor: a call is charged
 * all that the process has computed while it ran, and a part of the rest of its time. Times are milliseconds of a monotonic clock.
 */
export class PartnerBudget {
  readonly waiting: WaitingCall[] = [];
  private running = 0;
  private savedMs: number = partnerLimits.burstMs;

  constructor(private filledAt: number) {}

  get hasPlace(): boolean {
    return this.running < partnerLimits.running;
  }

  get mayRun(): boolean {
    return this.hasPlace && this.savedMs >= 0;
  }

  /** `share`: the part of the time since the last call of `fill` that is added. */
  fill(now: number, share: number): void {
    this.savedMs = Math.min(partnerLimits.burstMs, this.savedMs + (now - this.filledAt) * share);
    this.filledAt = now;
  }

  /** Milliseconds until nothing is owed any more. */
  owedFor(share: number): number {
    return Math.max(0, -this.savedMs) / share;
  }

  begin(): void {
    this.running++;
  }

  /** A call has taken `tookMs`, in which the process has computed for `computedMs`. */
  end(tookMs: number, computedMs: number): void {
    this.running--;
    const { mostMs, waitingCost } = partnerLimits;
    const computing = Math.min(tookMs, computedMs);
    const cost = computing + waitingCost * (tookMs - computing);
    this.savedMs = Math.max(-mostMs, this.savedMs - Math.min(cost, mostMs));
  }
}

/** The states of a circuit breaker. `half-open`: the open time is over, and one call at a time finds out whether the endpoint is back. */
export const circuitStates = ['closed', 'open', 'half-open'] as const;
export type CircuitState = (typeof circuitStates)[number];

/** When a circuit opens, and for how long. Times in milliseconds. */
export const circuitRules = {
  /** Outcomes are counted for at least half of this time, and at most for all of it. */
  windowMs: 10_000,
  /** Fewer outcomes in the window never open a circuit by their share of failures. */
  leastCalls: 20,
  /** The share of failures that opens it. */
  failing: 0.5,
  /** So many time-outs without a success between them open it, however few the calls are. */
  timeoutsInARow: 5,
  /** How long it stays open first; twice as long after each probe that fails. */
  openMs: 5000,
  longestOpenMs: 30_000,
  /** How long a process may try a half-open circuit alone; where it ends before that, another one may then. */
  trialMs: 10_000,
  /** Calls at once by which an integration that has not failed itself may find out that the endpoint answers it. */
  firstCalls: 5,
} as const;

/** How a call to a partner went, as its circuit sees it: a 4xx and an `error_code` are answers. Source: contract/partner-calls#saturated-and-failing-partners. */
export type Outcome = 'answered' | 'failed' | 'timed-out';

/** One time for which a circuit is not closed. */
export class OpenCircuit {
  /** Failed probes. */
  private tries = 0;
  private probing = false;
  private claimedUntil = -Infinity;
  private until: number;

  /** `ms`: how long it stays open; the time that `circuitRules` has, unless another process has opened it. */
  constructor(now: number, ms: number = circuitRules.openMs) {
    this.until = now + ms;
  }

  state(now: number): Exclude<CircuitState, 'closed'> {
    return now < this.until ? 'open' : 'half-open';
  }

  /** Milliseconds until a call may be let through, as far as that is known; 0: one may be now. */
  waitMs(now: number): number {
    if (now < this.until) return this.until - now;
    return this.probing ? unknownWaitMs : 0;
  }

  beginProbe(): void {
    this.probing = true;
  }

  /** The probes of this process are the only ones, for `circuitRules.trialMs` from now on. */
  claim(now: number): void {
    this.claimedUntil = now + circuitRules.trialMs;
  }

  isClaimed(now: number): boolean {
    return now < this.claimedUntil;
  }

  /** The probe has ended, and whatever it found stands elsewhere. */
  endProbe(): void {
    this.probing = false;
  }

  /** Open again, for longer. Resolves to how long, in milliseconds. */
  reopen(now: number): number {
    this.tries++;
    const ms = Math.min(circuitRules.openMs * 2 ** this.tries, circuitRules.longestOpenMs);
    this.until = Math.max(this.until, now + ms);
    return ms;
  }

  /** Open for at least so long: another process says so. */
  extend(now: number, ms: number): void {
    this.until = Math.max(this.until, now + ms);
  }
}

/** A probe is under way. */
const unknownWaitMs = 1000;

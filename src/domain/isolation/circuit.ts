/** The states of a circuit breaker. `half-open`: the open time is over, and one call at a time tests the endpoint. */
export const circuitStates = ['closed', 'open', 'half-open'] as const;
export type CircuitState = (typeof circuitStates)[number];

/** When a circuit opens, and for how long. Times are in milliseconds. */
export const circuitRules = {
  /** Maximum length of the window in which outcomes are counted; its minimum is half of this. */
  windowMs: 10_000,
  /** Minimum number of outcomes in the window for their share of failures to count. */
  minCalls: 20,
  /** The share of failures that opens a circuit. */
  failing: 0.5,
  /** Number of consecutive expensive failures that opens a circuit, however few the calls are. */
  expensiveInARow: 5,
  /** First open time; it doubles after each failed probe. */
  openMs: 5000,
  longestOpenMs: 30_000,
  /** Time for which one process may try a half-open circuit alone; if it dies, another process may try after this time. */
  trialMs: 10_000,
  /** Maximum concurrent test calls of an integration that has not failed itself, while the endpoint's circuit is open. */
  firstCalls: 5,
} as const;

/**
 * The outcome of a call for its circuit: a 4xx and an `error_code` count as `answered`. Source:
 * contract/partner-calls#saturated-and-failing-partners.
 */
export type Outcome = 'answered' | 'failed' | ExpensiveFailure;
/** A timeout holds a slot for all of its time; an answer of more than is read costs the time to read 1 MiB. */
type ExpensiveFailure = 'timed-out' | 'too-large';

export const isExpensive = (outcome: Outcome): outcome is ExpensiveFailure => outcome === 'timed-out' || outcome === 'too-large';

/** A circuit that is open or half-open. */
export class OpenCircuit {
  /** Number of failed probes. */
  private tries = 0;
  private probing = false;
  private claimedUntil = -Infinity;
  private until: number;

  /** `ms` is the open time; it differs from `circuitRules.openMs` when another process opened the circuit. */
  constructor(now: number, ms: number = circuitRules.openMs) {
    this.until = now + ms;
  }

  state(now: number): Exclude<CircuitState, 'closed'> {
    return now < this.until ? 'open' : 'half-open';
  }

  /** Milliseconds until a call may pass, or an estimate while a probe is in flight; 0 when one may pass now. */
  waitMs(now: number): number {
    if (now < this.until) return this.until - now;
    return this.probing ? unknownWaitMs : 0;
  }

  beginProbe(): void {
    this.probing = true;
  }

  /** Reserves the trial of the circuit for this process, for `circuitRules.trialMs` from now on. */
  claim(now: number): void {
    this.claimedUntil = now + circuitRules.trialMs;
  }

  isClaimed(now: number): boolean {
    return now < this.claimedUntil;
  }

  /** Allows the next probe; the caller applies the probe's outcome itself. */
  endProbe(): void {
    this.probing = false;
  }

  /** Opens the circuit again, for longer. Returns the open time in milliseconds. */
  reopen(now: number): number {
    this.tries++;
    const ms = Math.min(circuitRules.openMs * 2 ** this.tries, circuitRules.longestOpenMs);
    this.until = Math.max(this.until, now + ms);
    return ms;
  }

  /** Extends the open time to at least `ms`, as another process reported. */
  extend(now: number, ms: number): void {
    this.until = Math.max(this.until, now + ms);
  }
}

/** Estimated wait while a probe is in flight, in milliseconds. */
const unknownWaitMs = 1000;

import { laneRules } from './lane';

/** Rounds of attempts that must go well, after a failure, for one more under way at once. */
const roundsPerStep = 5;

/**
 * How many attempts at an endpoint that is back may be under way in this process: one more with each receipt until the first failure,
 * then half as many, and from there on one more each few rounds (additive increase, multiplicative decrease; contract/deliveries#recovery). Each
 * holds its place for `laneRules.heldForMs` at least, so that the window bounds the rate at an endpoint of any speed.
 */
export class RecoveryWindow {
  private size: number = laneRules.firstWindow;
  /** What the endpoint was known to take when it failed last. */
  private threshold = Infinity;
  private failedAt = -Infinity;

  get places(): number {
    return Math.floor(this.size);
  }

  /** The circuit is half-open anew. `receivedPerSecond`: what the endpoint took in this process until now. */
  restart(receivedPerSecond: number): void {
    const taken = Math.ceil((2 * receivedPerSecond * laneRules.heldForMs) / 1000);
    this.size = Math.max(laneRules.firstWindow, Math.min(taken, this.threshold, laneRules.quickPlaces));
  }

  received(): void {
    const step = this.size < this.threshold ? 1 : 1 / (this.size * roundsPerStep);
    this.size = Math.min(laneRules.quickPlaces, this.size + step);
  }

  /** An attempt failed that began at `begunAt` (milliseconds of any clock that `now` is of); what began before the last failure says nothing new. */
  failed({ begunAt, now }: { readonly begunAt: number; readonly now: number }): void {
    if (begunAt < this.failedAt) return;
    this.size = Math.max(1, this.size / 2);
    this.threshold = this.size;
    this.failedAt = now;
  }
}

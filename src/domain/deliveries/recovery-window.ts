import { endpointQueueRules } from './endpoint-queue';

/** After a failure, so many rounds of successful attempts allow one more attempt in flight. */
const roundsPerStep = 5;

/**
 * Limits the attempts in flight, in this process, at an endpoint that works again: one more with each receipt until the first failure,
 * then half as many, and from there one more every few rounds (additive increase, multiplicative decrease; contract/deliveries#recovery).
 * Each attempt holds its slot for at least `endpointQueueRules.heldForMs`, so that the window bounds the rate at an endpoint of any speed.
 */
export class RecoveryWindow {
  private size: number = endpointQueueRules.firstWindow;
  /** The window after the last failure: above it, the window grows slowly. */
  private threshold = Infinity;
  private failedAt = -Infinity;

  get slots(): number {
    return Math.floor(this.size);
  }

  /** Restarts the window when the circuit becomes half-open again. `receivedPerSecond`: the endpoint's recent rate in this process. */
  restart(receivedPerSecond: number): void {
    const taken = Math.ceil((2 * receivedPerSecond * endpointQueueRules.heldForMs) / 1000);
    this.size = Math.max(endpointQueueRules.firstWindow, Math.min(taken, this.threshold, endpointQueueRules.quickSlots));
  }

  received(): void {
    const step = this.size < this.threshold ? 1 : 1 / (this.size * roundsPerStep);
    this.size = Math.min(endpointQueueRules.quickSlots, this.size + step);
  }

  /**
   * Halves the window after a failure. `begunAt` and `now` are milliseconds of one clock. Ignores attempts that began before the last
   * failure: they say nothing new.
   */
  failed({ begunAt, now }: { readonly begunAt: number; readonly now: number }): void {
    if (begunAt < this.failedAt) return;
    this.size = Math.max(1, this.size / 2);
    this.threshold = this.size;
    this.failedAt = now;
  }
}

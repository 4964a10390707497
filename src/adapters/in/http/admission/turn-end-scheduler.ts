/**
 * Starts all calls of one event-loop turn together, after the turn has read everything. Calls that start together advance together from one
 * `await` to the next, so each step finds its code and tables in the processor's caches (ADR 046). No call waits for others to arrive: a
 * lone call starts right after it was read.
 */
export class TurnEndScheduler {
  private waiting: (() => void)[] = [];

  /** `work` must handle its own failures: an exception would keep the others from starting. */
  schedule(work: () => void): void {
    this.waiting.push(work);
    if (this.waiting.length === 1) setImmediate(() => this.runAll());
  }

  private runAll(): void {
    const all = this.waiting;
    this.waiting = [];
    for (const work of all) work();
  }
}

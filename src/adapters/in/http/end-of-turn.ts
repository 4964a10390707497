/**
 * Starts calls of one turn of the event loop together, when the turn has read everything. Calls that start together advance
 * together from one `await` to the next, so that a step of one call finds code and tables in the processor's caches that the same step of another
 * has just used (ADR 046). Nobody waits for others to come: alone in its turn, a call begins right after it was read.
 */
export class EndOfTurn {
  private waiting: (() => void)[] = [];

  /** `work` handles its own failures: an exception would keep the others from beginning. */
  begin(work: () => void): void {
    this.waiting.push(work);
    if (this.waiting.length === 1) setImmediate(() => this.beginAll());
  }

  private beginAll(): void {
    const all = this.waiting;
    this.waiting = [];
    for (const work of all) work();
  }
}

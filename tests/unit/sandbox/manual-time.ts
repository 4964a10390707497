import type { SandboxTime } from '../../../src/sandbox/clock/sandbox-time';

/** A time that stands still until it is wound. */
export class ManualTime implements SandboxTime {
  private at = 1_700_000_000_000;
  private waiting: { readonly due: number; readonly task: () => void }[] = [];

  now(): number {
    return this.at;
  }

  schedule(ms: number, task: () => void): () => void {
    const entry = { due: this.at + ms, task };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== entry);
    };
  }

  /** Runs what has become due by then. */
  wind(ms: number): void {
    this.at += ms;
    const due = this.waiting.filter((entry) => entry.due <= this.at);
    this.waiting = this.waiting.filter((entry) => entry.due > this.at);
    for (const { task } of due) task();
  }

  /** How many tasks are still to come. */
  get pending(): number {
    return this.waiting.length;
  }
}

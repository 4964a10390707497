import type { SandboxTime } from './sandbox-time';

interface Waiting {
  /** Milliseconds since the epoch, by this clock. */
  readonly due: number;
  readonly task: () => void | Promise<void>;
  timer: NodeJS.Timeout;
}

/** A clock that can be advanced beyond the machine's time. Waiting tasks do not keep the process alive. */
export class WoundTime implements SandboxTime {
  private ahead = 0;
  private readonly waiting = new Set<Waiting>();

  now(): number {
    return Date.now() + this.ahead;
  }

  schedule(ms: number, task: Waiting['task']): () => void {
    const entry: Waiting = { due: this.now() + ms, task, timer: setTimeout(() => undefined, 0) };
    this.waiting.add(entry);
    this.arm(entry);
    return () => {
      this.drop(entry);
    };
  }

  /** Milliseconds that it has been advanced. */
  get aheadMs(): number {
    return this.ahead;
  }

  /** Milliseconds until the next task; `undefined` when none is waiting. */
  nextInMs(): number | undefined {
    const dues = [...this.waiting].map(({ due }) => due);
    return dues.length === 0 ? undefined : Math.min(...dues) - this.now();
  }

  /** Advances the clock by `ms` milliseconds. Resolves when all tasks that became due have run, one after the other. */
  async advance(ms: number): Promise<void> {
    this.ahead += ms;
    const due = [...this.waiting].filter((entry) => entry.due <= this.now()).sort((a, b) => a.due - b.due);
    for (const entry of due) this.drop(entry);
    for (const entry of this.waiting) this.arm(entry);
    for (const { task } of due) await task();
  }

  private arm(entry: Waiting): void {
    clearTimeout(entry.timer);
    const run = (): void => {
      this.drop(entry);
      void entry.task();
    };
    entry.timer = setTimeout(run, Math.max(0, entry.due - this.now())).unref();
  }

  private drop(entry: Waiting): void {
    clearTimeout(entry.timer);
    this.waiting.delete(entry);
  }
}

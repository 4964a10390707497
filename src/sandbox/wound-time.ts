import type { SandboxTime } from './sandbox-time';

interface Waiting {
  /** Milliseconds since the epoch, by this time. */
  readonly due: number;
  readonly task: () => void | Promise<void>;
  timer: NodeJS.Timeout;
}

/** The time of the machine, which can be wound forward. A task that is waiting does not keep the process alive. */
export class WoundTime implements SandboxTime {
  private ahead = 0;
  private readonly waiting = new Set<Waiting>();

  now(): number {
    return Date.now() + this.ahead;
  }

  later(ms: number, task: Waiting['task']): () => void {
    const entry: Waiting = { due: this.now() + ms, task, timer: setTimeout(() => undefined, 0) };
    this.waiting.add(entry);
    this.arm(entry);
    return () => {
      this.drop(entry);
    };
  }

  /** By how much it has been wound, in milliseconds. */
  get aheadMs(): number {
    return this.ahead;
  }

  /** Milliseconds until the next task; `undefined`: none waits. */
  nextInMs(): number | undefined {
    const dues = [...this.waiting].map(({ due }) => due);
    return dues.length === 0 ? undefined : Math.min(...dues) - this.now();
  }

  /** Winds it by `ms` milliseconds. Resolves when the tasks that became due by this have ended, one after the other. */
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

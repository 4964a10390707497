interface Work {
  /** How long after the first thing is noted, in milliseconds. */
  readonly everyMs: number;
  readonly isEmpty: () => boolean;
  /** Writes what was noted. Never fails: what cannot be written goes on being noted. */
  readonly write: () => Promise<void>;
}

/** Writes what is noted beside the calls, in groups: soon after, and never two groups at once. */
export class WrittenLater {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(private readonly work: Work) {}

  /** Something was noted. */
  wake(): void {
    const { isEmpty, everyMs } = this.work;
    if (!isEmpty() && !this.writing) this.timer ??= setTimeout(() => void this.flush(), everyMs).unref();
  }

  /** Writes what was noted until now. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= this.work.write().finally(() => {
      this.writing = undefined;
      this.wake();
    });
    return this.writing;
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await this.writing;
    await this.flush();
    clearTimeout(this.timer);
  }
}

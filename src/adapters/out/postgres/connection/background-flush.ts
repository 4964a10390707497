interface Work {
  /** The milliseconds from the first queued item to the flush, computed for each group. */
  readonly afterMs: () => number;
  readonly isEmpty: () => boolean;
  /** Processes the queued items. Never rejects: failed items stay queued, or are dropped. */
  readonly work: () => Promise<void>;
}

/** Processes queued items in the background in groups, soon after they arrive, one group at a time. */
export class BackgroundFlush {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;

  constructor(private readonly deps: Work) {}

  /** Schedules a flush after an item was queued. */
  wake(): void {
    const { isEmpty, afterMs } = this.deps;
    if (!isEmpty() && !this.working) this.timer ??= setTimeout(() => void this.flush(), afterMs()).unref();
  }

  /** Processes the items queued until now. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.working ??= this.deps.work().finally(() => {
      this.working = undefined;
      this.wake();
    });
    return this.working;
  }

  /** Processes the remaining items. */
  async close(): Promise<void> {
    await this.working;
    await this.flush();
    clearTimeout(this.timer);
  }
}

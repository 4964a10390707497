interface Work {
  /** How long after the first thing is noted, in milliseconds; asked for each group. */
  readonly afterMs: () => number;
  readonly isEmpty: () => boolean;
  /** Does what was noted. Never fails: what cannot be done goes on being noted, or is none of ours any more. */
  readonly work: () => Promise<void>;
}

/** Does beside the calls what is noted, in groups: soon after, and never two groups at once. */
export class DoneLater {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;

  constructor(private readonly deps: Work) {}

  /** Something was noted. */
  wake(): void {
    const { isEmpty, afterMs } = this.deps;
    if (!isEmpty() && !this.working) this.timer ??= setTimeout(() => void this.flush(), afterMs()).unref();
  }

  /** Does what was noted until now. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.working ??= this.deps.work().finally(() => {
      this.working = undefined;
      this.wake();
    });
    return this.working;
  }

  /** Does what is left. */
  async close(): Promise<void> {
    await this.working;
    await this.flush();
    clearTimeout(this.timer);
  }
}

interface Beat {
  /** Never runs concurrently with itself. An error goes to `onFailure`, and the ticker continues. */
  readonly work: () => Promise<void>;
  /** Absent when it runs only on a call. */
  readonly everyMs?: number;
  readonly onFailure: (error: unknown) => void;
}

/** Runs work periodically, and at once when called. A call during a run causes another run after it. */
export class Ticker {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private calledAgain = false;
  private stopped = false;

  constructor(private readonly beat: Beat) {}

  start(): void {
    const { everyMs } = this.beat;
    if (everyMs === undefined) return;
    this.timer = setInterval(() => {
      this.call();
    }, everyMs);
    this.timer.unref();
  }

  call(): void {
    if (this.stopped) return;
    this.calledAgain = true;
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  /** Starts no further run; resolves when the present one has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.calledAgain && !this.stopped) {
      this.calledAgain = false;
      try {
        await this.beat.work();
      } catch (error) {
        this.beat.onFailure(error);
      }
    }
  }
}

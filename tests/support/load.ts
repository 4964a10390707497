import { setTimeout as pause } from 'node:timers/promises';

/** One kind of call, made over and over. Resolves to what went wrong; `undefined`: nothing. */
export type LoadCall = () => Promise<string | undefined>;

/** How calls of one name went. */
export interface Went {
  ok: number;
  failed: number;
  /** The first few reasons. */
  readonly why: string[];
}

/** More at once would measure how a machine with too much to do sheds work. */
const atOnce = 24;

/** Calls at a steady rate, as long as no more than `atOnce` wait for their answers; further calls are left out. */
export class Load {
  readonly went = new Map<string, Went>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;
  private sent = 0;
  private leftOut = 0;
  private readonly done: Promise<void>;
  private readonly startedAt = performance.now();

  /** `calls`: names with their actions, in turn; read anew for each. */
  constructor(
    private readonly calls: () => readonly (readonly [string, LoadCall])[],
    private readonly perSecond: number,
  ) {
    this.done = this.run();
  }

  /** Sends no more; resolves when all are answered. */
  async stop(): Promise<{ sent: number; perSecond: number }> {
    this.stopped = true;
    const seconds = (performance.now() - this.startedAt) / 1000;
    await this.done;
    await Promise.all(this.running);
    return { sent: this.sent, perSecond: Math.round(this.sent / seconds) };
  }

  /** Resolves when every call that is in flight now has been answered. */
  async settle(): Promise<void> {
    await Promise.all([...this.running]);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const due = ((performance.now() - this.startedAt) / 1000) * this.perSecond;
      while (this.sent + this.leftOut < due) {
        if (this.running.size >= atOnce) {
          this.leftOut++;
          continue;
        }
        const calls = this.calls();
        const [name, call] = calls[this.sent++ % calls.length]!;
        const one = this.make(name, call).finally(() => this.running.delete(one));
        this.running.add(one);
      }
      await pause(5);
    }
  }

  private async make(name: string, call: LoadCall): Promise<void> {
    const went = this.went.get(name) ?? { ok: 0, failed: 0, why: [] };
    this.went.set(name, went);
    const wrong = await call().catch((error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error));
    if (wrong === undefined) went.ok++;
    else if (++went.failed <= 3) went.why.push(wrong);
  }
}

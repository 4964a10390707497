import { laneRules } from './lane';

const secondMs = 1000;

interface Second {
  /** Since the epoch of the clock. */
  second: number;
  received: number;
  failed: number;
}

/** What became of the attempts at one endpoint in this process, within the last `laneRules.wellWithinMs`. */
export class RecentOutcomes {
  private readonly seconds: Second[] = [];

  /** Kept since then, in milliseconds of the clock of all its times. */
  constructor(readonly since: number) {}

  add(isReceived: boolean, now: number): void {
    const second = Math.floor(now / secondMs);
    this.forget(second);
    let last = this.seconds.at(-1);
    if (last?.second !== second) this.seconds.push((last = { second, received: 0, failed: 0 }));
    if (isReceived) last.received++;
    else last.failed++;
  }

  count(now: number): number {
    this.forget(Math.floor(now / secondMs));
    return this.seconds.reduce((sum, { received, failed }) => sum + received + failed, 0);
  }

  /** From 0 to 1; 0 where nothing was received. */
  shareReceived(now: number): number {
    this.forget(Math.floor(now / secondMs));
    const received = this.seconds.reduce((sum, one) => sum + one.received, 0);
    const failed = this.seconds.reduce((sum, one) => sum + one.failed, 0);
    return received === 0 ? 0 : received / (received + failed);
  }

  /** Receipts in the last whole second, or in this one where they are more. */
  receivedPerSecond(now: number): number {
    const second = Math.floor(now / secondMs);
    return Math.max(0, ...this.seconds.filter((one) => one.second >= second - 1).map(({ received }) => received));
  }

  private forget(second: number): void {
    const oldest = second - laneRules.wellWithinMs / secondMs;
    while (this.seconds[0] && this.seconds[0].second <= oldest) this.seconds.shift();
  }
}

import { endpointQueueRules } from './endpoint-queue';

const secondMs = 1000;

interface Second {
  /** Seconds of the process's clock. */
  second: number;
  received: number;
  failed: number;
}

/** Results of this process's attempts at one endpoint, within the last `endpointQueueRules.wellWithinMs`. */
export class RecentOutcomes {
  private readonly seconds: Second[] = [];

  /** `since` is when counting began, in milliseconds; all times must come from the same clock. */
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

  /** The share of attempts that were received, from 0 to 1; 0 where nothing was received. */
  shareReceived(now: number): number {
    this.forget(Math.floor(now / secondMs));
    const received = this.seconds.reduce((sum, one) => sum + one.received, 0);
    const failed = this.seconds.reduce((sum, one) => sum + one.failed, 0);
    return received === 0 ? 0 : received / (received + failed);
  }

  /** Receipts in the last whole second, or in the current one if there are more. */
  receivedPerSecond(now: number): number {
    const second = Math.floor(now / secondMs);
    return Math.max(0, ...this.seconds.filter((one) => one.second >= second - 1).map(({ received }) => received));
  }

  private forget(second: number): void {
    const oldest = second - endpointQueueRules.wellWithinMs / secondMs;
    while (this.seconds[0] && this.seconds[0].second <= oldest) this.seconds.shift();
  }
}

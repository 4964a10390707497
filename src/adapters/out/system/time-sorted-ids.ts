import { randomBytes } from 'node:crypto';
import type { Clock, IdSource } from '../../../domain/shared/ports';
import { SystemClock } from './system-clock';

const randomLength = 8;
const counterBits = 12;
const lastCount = (1 << counterBits) - 1;

/**
 * UUID version 7 without dashes: 32 lower-case hex digits that sort by the time they were made. Ids of one instance rise
 * strictly, whatever the clock does: within a millisecond by a counter, and past it by borrowing the next one. Source: RFC
 * 9562 §5.7, §6.2 (method 1).
 */
export class TimeSortedIds implements IdSource {
  private time = 0;
  private count = 0;
  /** Made for many at once; none is given twice. */
  private random = Buffer.alloc(0);
  private at = 0;

  constructor(private readonly clock: Clock = new SystemClock()) {}

  next(): string {
    this.tick();
    if (this.at === this.random.length) [this.random, this.at] = [randomBytes(256 * randomLength), 0];
    const { random, at } = this;
    // The variant: two bits, 10.
    random[at] = (random[at]! & 0x3f) | 0x80;
    this.at += randomLength;
    return `${this.time.toString(16).padStart(12, '0')}7${this.count.toString(16).padStart(3, '0')}${random.toString('hex', at, this.at)}`;
  }

  private tick(): void {
    const now = this.clock.now();
    if (now > this.time) {
      this.time = now;
      this.count = 0;
    } else if (this.count < lastCount) {
      this.count++;
    } else {
      this.time++;
      this.count = 0;
    }
  }
}

import { randomBytes } from 'node:crypto';
import type { Clock, IdGenerator } from '../../../domain/shared/ports';

/** The length of an id in bytes, and the offset of its random half. */
const length = 16;
const randomAt = 8;
/** The number of ids for which random bytes are generated at once. */
const together = 256;
const counterBits = 12;
const lastCount = (1 << counterBits) - 1;
const version = 7 << counterBits;

/**
 * UUID version 7 without dashes: 32 lower-case hex digits that sort by creation time. Ids of one instance increase strictly, whatever the
 * clock does: a counter within a millisecond, and after its last value the next millisecond. Source: RFC 9562 §5.7, §6.2 (method 1).
 */
export class TimeSortedIds implements IdGenerator {
  private time = 0;
  private count = 0;
  /** Random bytes for many ids. The time and the count of each id overwrite its first half. None is used twice. */
  private bytes = Buffer.alloc(0);
  private at = 0;

  constructor(private readonly clock: Clock) {}

  next(): string {
    this.tick();
    if (this.at === this.bytes.length) [this.bytes, this.at] = [randomBytes(together * length), 0];
    const { bytes, at } = this;
    bytes.writeUIntBE(this.time, at, 6);
    bytes.writeUInt16BE(version | this.count, at + 6);
    // Sets the variant: the two bits 10.
    bytes[at + randomAt] = (bytes[at + randomAt]! & 0x3f) | 0x80;
    this.at += length;
    return bytes.toString('hex', at, this.at);
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

import type { Clock } from '../../../../domain/shared/ports';

/** One reading of the database's clock, between two readings of this process's monotonic clock. All in milliseconds. */
export interface ClockReading {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The database's time since the Unix epoch. */
  readonly databaseAt: number;
}

/** The offset of the database's clock from the monotonic one, and its maximum error. */
interface Estimate {
  readonly offsetMs: number;
  readonly errorMs: number;
  /** The time of the reading, by the monotonic clock. */
  readonly at: number;
}

/** The assumed drift between two clocks, in milliseconds per millisecond: 200 ppm, more than quartz clocks have. */
const drift = 0.0002;
/**
 * A larger step back means that the database's clock was set. A smaller one is a reading error, and the returned time stands still instead
 * of going back (milliseconds).
 */
const standsStillMs = 1000;

interface Deps {
  /** A monotonic clock in milliseconds, unaffected by changes of the machine's clock. */
  readonly monotonic: () => number;
  /** This machine's clock, in milliseconds since the Unix epoch. */
  readonly wall: () => number;
}

const ofProcess: Deps = { monotonic: () => performance.now(), wall: () => Date.now() };

/**
 * The time of the database, estimated from round trips (ADR 060). All instances check signatures, sessions and expiry against it and store
 * its times. Between readings it advances by the monotonic clock, so a wrong or adjusted machine clock has no effect. Until the first
 * reading it is the machine's clock.
 */
export class DatabaseClock implements Clock {
  private estimate: Estimate;
  private last = -Infinity;

  constructor(private readonly deps: Deps = ofProcess) {
    const at = deps.monotonic();
    this.estimate = { offsetMs: deps.wall() - at, errorMs: Infinity, at };
  }

  /** The time in whole milliseconds since the Unix epoch. */
  now(): number {
    const now = Math.floor(this.deps.monotonic() + this.estimate.offsetMs);
    const goesBack = now < this.last && this.last - now < standsStillMs;
    if (!goesBack) this.last = now;
    return this.last;
  }

  /** Adds a reading. The estimate with the smallest error is used, so a slow round trip does not move the clock. */
  learn({ sentAt, receivedAt, databaseAt }: ClockReading): void {
    const at = receivedAt;
    const read = { offsetMs: databaseAt - (sentAt + receivedAt) / 2, errorMs: (receivedAt - sentAt) / 2, at };
    const errorMs = this.estimate.errorMs + (at - this.estimate.at) * drift;
    const isSet = Math.abs(read.offsetMs - this.estimate.offsetMs) > read.errorMs + errorMs;
    if (isSet || read.errorMs <= errorMs) this.estimate = read;
  }

  /** How far this machine's clock is ahead of the database's, in milliseconds. */
  aheadMs(): number {
    return this.deps.wall() - (this.deps.monotonic() + this.estimate.offsetMs);
  }
}

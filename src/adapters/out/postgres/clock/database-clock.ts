import type { Clock } from '../../../../domain/shared/ports';

/** One reading of the database's clock, between two readings of this process's monotonic clock. All in milliseconds. */
export interface ClockReading {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Of the database, since the Unix epoch. */
  readonly databaseAt: number;
}

/** Where the database's clock stands against the monotonic one, and by how much that may be wrong. */
interface Estimate {
  readonly offsetMs: number;
  readonly errorMs: number;
  /** By the monotonic clock. */
  readonly at: number;
}

/** How fast two clocks may part, in milliseconds per millisecond: 200 parts in a million, more than quartz clocks do. */
const drift = 0.0002;
/** A difference beyond the error of both readings is a clock that was set; below this, time stands still rather than goes back (milliseconds). */
const standsStillMs = 1000;

interface Deps {
  /** Milliseconds that only rise, whatever is done to the clock of the machine. */
  readonly monotonic: () => number;
  /** This machine's clock, in milliseconds since the Unix epoch. */
  readonly wall: () => number;
}

const ofProcess: Deps = { monotonic: () => performance.now(), wall: () => Date.now() };

/**
 * The time of the database, as far as round trips tell (ADR 060): all instances judge signatures, sessions and end times
 * by it, and write it. It goes on by the monotonic clock between readings, so a machine's clock that is wrong or is set changes nothing.
 * Until the first reading it is the machine's own.
 */
export class DatabaseClock implements Clock {
  private estimate: Estimate;
  private last = -Infinity;

  constructor(private readonly deps: Deps = ofProcess) {
    const at = deps.monotonic();
    this.estimate = { offsetMs: deps.wall() - at, errorMs: Infinity, at };
  }

  /** Whole milliseconds. */
  now(): number {
    const now = Math.floor(this.deps.monotonic() + this.estimate.offsetMs);
    const goesBack = now < this.last && this.last - now < standsStillMs;
    if (!goesBack) this.last = now;
    return this.last;
  }

  /** Takes a reading in: the surest counts, so that a slow round trip does not move the clock. */
  learn({ sentAt, receivedAt, databaseAt }: ClockReading): void {
    const at = receivedAt;
    const read = { offsetMs: databaseAt - (sentAt + receivedAt) / 2, errorMs: (receivedAt - sentAt) / 2, at };
    const errorMs = this.estimate.errorMs + (at - this.estimate.at) * drift;
    const isSet = Math.abs(read.offsetMs - this.estimate.offsetMs) > read.errorMs + errorMs;
    if (isSet || read.errorMs <= errorMs) this.estimate = read;
  }

  /** By how much this machine's clock is ahead of the database's, in milliseconds. */
  aheadMs(): number {
    return this.deps.wall() - (this.deps.monotonic() + this.estimate.offsetMs);
  }
}

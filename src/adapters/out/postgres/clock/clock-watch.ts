import type { DataSource } from 'typeorm';
import { factsOfFault } from '../../../../domain/shared/fault';
import type { Log } from '../../../../domain/shared/ports';
import { run, type Statement } from '../statement';
import { DatabaseClock } from './database-clock';

/** `now()` would be the same: a statement of its own is a transaction of its own. */
const read: Statement = { name: 'clock.read', text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as at` };

/** Milliseconds between two measurements, and readings of each. */
const [everyMs, readings] = [15_000, 3];
/** From how many milliseconds on a difference is worth a line in the log, and from how many on this instance is not ready. */
const [toldFromMs, readyToMs] = [2000, 60_000];

interface Deps {
  readonly db: DataSource;
  readonly clock: DatabaseClock;
  readonly log: Log;
}

/** Measures the database's clock against this process's, and says where the machine's own clock is wrong. */
export class ClockWatch {
  private timer: NodeJS.Timeout | undefined;
  private isTold = false;

  constructor(private readonly deps: Deps) {}

  /** Measures once, then on a beat. A database that is away is measured later: until then the clock goes on by itself. */
  async start(): Promise<void> {
    await this.measure();
    this.timer = setInterval(() => void this.measure(), everyMs);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Never rejects. */
  async measure(): Promise<void> {
    const { db, clock, log } = this.deps;
    try {
      await learn(db, clock);
    } catch (error) {
      log.warn('clock.not-measured', { ...factsOfFault(error) });
    }
    this.tell();
  }

  /** By how many seconds this machine's clock is ahead of the database's. */
  aheadS(): number {
    return this.deps.clock.aheadMs() / 1000;
  }

  /** Why this instance is not ready: `clock`, where the machine's clock is more than 60 s off (ADR 060). */
  reasons(): readonly string[] {
    return Math.abs(this.deps.clock.aheadMs()) > readyToMs ? ['clock'] : [];
  }

  /** Once each time it turns out to differ. */
  private tell(): void {
    const differs = Math.abs(this.deps.clock.aheadMs()) > toldFromMs;
    if (differs && !this.isTold) this.deps.log.warn('clock.differs', { ahead_s: Number(this.aheadS().toFixed(1)) });
    this.isTold = differs;
  }
}

/** The database's clock for work of a moment. Throws Unavailable. */
export async function measuredClock(db: DataSource): Promise<DatabaseClock> {
  const clock = new DatabaseClock();
  await learn(db, clock);
  return clock;
}

async function learn(db: DataSource, clock: DatabaseClock): Promise<void> {
  for (let i = 0; i < readings; i++) {
    const sentAt = performance.now();
    const [row] = await run<{ at: number }>(db, read, []);
    if (row) clock.learn({ sentAt, receivedAt: performance.now(), databaseAt: row.at });
  }
}

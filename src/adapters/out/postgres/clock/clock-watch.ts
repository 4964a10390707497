import type { DataSource } from 'typeorm';
import { errorFields } from '../../../../domain/shared/fault';
import type { Log } from '../../../../domain/shared/ports';
import { run, type Statement } from '../connection/statement';
import { DatabaseClock } from './database-clock';

/** `now()` would be the same, because the statement is its own transaction. */
const read: Statement = { name: 'clock.read', text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as at` };

/** Milliseconds between two measurements, and the number of readings in each. */
const [everyMs, readings] = [15_000, 3];
/** Differences in milliseconds: the first is logged, the second makes this instance not ready. */
const [logFromMs, readyToMs] = [2000, 60_000];

interface Deps {
  readonly db: DataSource;
  readonly clock: DatabaseClock;
  readonly log: Log;
}

/** Measures the difference between the database's clock and this process's, and logs when the machine's clock is wrong. */
export class ClockWatch {
  private timer: NodeJS.Timeout | undefined;
  private isLogged = false;

  constructor(private readonly deps: Deps) {}

  /** Measures once, then periodically. If the database is unavailable, the clock keeps its last difference until the next measurement. */
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
      log.warn('clock.not-measured', { ...errorFields(error) });
    }
    this.logDifference();
  }

  /** How many seconds this machine's clock is ahead of the database's. */
  aheadS(): number {
    return this.deps.clock.aheadMs() / 1000;
  }

  /** Why this instance is not ready: `clock` when the machine's clock is more than 60 s off (ADR 060). */
  reasons(): readonly string[] {
    return Math.abs(this.deps.clock.aheadMs()) > readyToMs ? ['clock'] : [];
  }

  /** Logs once each time the clocks begin to differ. */
  private logDifference(): void {
    const differs = Math.abs(this.deps.clock.aheadMs()) > logFromMs;
    if (differs && !this.isLogged) this.deps.log.warn('clock.differs', { ahead_s: Number(this.aheadS().toFixed(1)) });
    this.isLogged = differs;
  }
}

/** The database's clock, measured once, for short tasks. Throws Unavailable. */
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

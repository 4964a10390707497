import { DatabaseClock } from '../../../../src/adapters/out/postgres/clock/database-clock';

const hour = 3_600_000;
const start = 1_700_000_000_000;

/** A machine with a monotonic clock and one that people set, and a database on another machine. */
class Machine {
  monotonicMs = 5000;
  wallAheadMs = 0;
  databaseAheadMs = 0;
  readonly clock: DatabaseClock;

  constructor(wallAheadMs = 0) {
    this.wallAheadMs = wallAheadMs;
    this.clock = new DatabaseClock({ monotonic: () => this.monotonicMs, wall: () => start + this.monotonicMs + this.wallAheadMs });
  }

  get databaseNow(): number {
    return start + this.monotonicMs + this.databaseAheadMs;
  }

  /** A round trip of so many milliseconds there and back. */
  measure(thereMs: number, backMs: number): void {
    const sentAt = this.monotonicMs;
    this.monotonicMs += thereMs;
    const databaseAt = this.databaseNow;
    this.monotonicMs += backMs;
    this.clock.learn({ sentAt, receivedAt: this.monotonicMs, databaseAt });
  }
}

it.each([hour, -hour, 30 * 24 * hour, -30 * 24 * hour])('returns the time of the database on a machine that is %d ms off', (aheadMs) => {
  const machine = new Machine(aheadMs);
  expect(machine.clock.now()).toBe(start + 5000 + aheadMs);
  machine.measure(1, 1);
  expect(machine.clock.now()).toBe(machine.databaseNow);
  expect(Math.round(machine.clock.aheadMs())).toBe(aheadMs);
});

it('goes on when the clock of the machine is set', () => {
  const machine = new Machine();
  machine.measure(1, 1);
  machine.wallAheadMs = hour;
  machine.monotonicMs += 1000;
  expect(machine.clock.now()).toBe(machine.databaseNow);
  expect(Math.round(machine.clock.aheadMs())).toBe(hour);
});

it('keeps to the surest reading: a slow round trip does not move it', () => {
  const machine = new Machine(hour);
  machine.measure(1, 1);
  machine.measure(900, 20);
  expect(Math.abs(machine.clock.now() - machine.databaseNow)).toBeLessThanOrEqual(1);
});

it('follows a database whose clock was set, or another one that replaces it', () => {
  const machine = new Machine();
  machine.measure(1, 1);
  machine.databaseAheadMs = 10_000;
  machine.measure(2, 2);
  expect(machine.clock.now()).toBe(machine.databaseNow);
  machine.databaseAheadMs = -10_000;
  machine.measure(2, 2);
  expect(machine.clock.now()).toBe(machine.databaseNow);
});

it('takes a reading as good as the one before once clocks may have parted', () => {
  const machine = new Machine();
  machine.measure(1, 1);
  machine.monotonicMs += 60_000;
  machine.databaseAheadMs = 5;
  machine.measure(5, 5);
  expect(machine.clock.now()).toBe(machine.databaseNow);
});

it('stops instead of going back a little, until the time has come', () => {
  const machine = new Machine();
  machine.measure(20, 0);
  const before = machine.clock.now();
  machine.databaseAheadMs = -25;
  machine.measure(1, 1);
  expect(machine.clock.now()).toBe(before);
  machine.monotonicMs += 100;
  expect(machine.clock.now()).toBe(machine.databaseNow);
});

import { ClockWatch } from '../../../src/adapters/out/postgres/clock/clock-watch';
import { DatabaseClock } from '../../../src/adapters/out/postgres/clock/database-clock';
import { CollectingLog } from '../../support/collecting-log';
import { onEachDatabase } from '../each-database';

const [minute, hour] = [60_000, 3_600_000];

onEachDatabase((_name, database) => {
  /** A watch on a machine whose clock is so far ahead; `set` puts it right or wrong later. */
  const watchAt = (aheadMs: number) => {
    const machine = { aheadMs };
    const clock = new DatabaseClock({ monotonic: () => performance.now(), wall: () => Date.now() + machine.aheadMs });
    const log = new CollectingLog();
    const watch = new ClockWatch({ db: database().db, clock, log });
    return { watch, clock, log, set: (ms: number) => void (machine.aheadMs = ms) };
  };

  it.each([hour, -hour])('is not ready on a machine that is %d ms ahead, and logs that once', async (aheadMs) => {
    const { watch, clock, log, set } = watchAt(aheadMs);
    await watch.start();
    watch.stop();
    await watch.measure();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
    expect(Math.round(watch.aheadS())).toBe(aheadMs / 1000);
    expect(watch.reasons()).toEqual(['clock']);
    expect(log.of('clock.differs')).toEqual([{ ahead_s: expect.closeTo(aheadMs / 1000, 0) }]);
    set(0);
    await watch.measure();
    set(aheadMs);
    await watch.measure();
    expect(log.of('clock.differs')).toHaveLength(2);
  });

  it('is ready on a machine that is less than a minute off', async () => {
    const [off, little] = [watchAt(minute - 1000), watchAt(1000)];
    for (const { watch } of [off, little]) await watch.measure();
    expect([off.watch.reasons(), off.log.of('clock.differs').length]).toEqual([[], 1]);
    expect(little.log.of('clock.differs')).toEqual([]);
  });

  it('continues while the database does not answer', async () => {
    const { clock, log } = watchAt(0);
    const away = new ClockWatch({ db: { driver: { master: { connect: () => Promise.reject(new Error('away')) } } } as never, clock, log });
    await away.measure();
    expect(log.of('clock.not-measured')).toHaveLength(1);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  });
});

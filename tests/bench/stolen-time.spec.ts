import { machineTimeIn, StolenTime } from './stolen-time';

const stat = (idle: number, steal: number): string => `cpu  10 0 20 ${idle} 5 0 5 ${steal} 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`;

it('is what the kernel counts as steal, of all processors together', () => {
  expect(machineTimeIn(stat(60, 4))).toEqual({ all: 104, stolen: 4 });
});

it('is told as a part of what there was between two moments', () => {
  let [now, idle, steal] = [0, 100, 0];
  const watch = new StolenTime(
    () => stat(idle, steal),
    () => now,
  );
  watch.stop();
  [now, idle, steal] = [1000, 190, 10];
  expect(watch.partBetween(0, 1000)).toBe(0.1);
  [now, idle] = [2000, 290];
  expect(watch.partBetween(1000, 2000)).toBe(0);
  expect(watch.partBetween(0, 2000)).toBe(0.05);
});

it('is nothing where the kernel does not tell', () => {
  const watch = new StolenTime(() => '');
  watch.stop();
  expect(watch.partBetween(0, Date.now() + 1000)).toBe(0);
});

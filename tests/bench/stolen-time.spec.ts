import { machineTime, stolenPart } from './stolen-time';

const stat = (idle: number, steal: number): string => `cpu  10 0 20 ${idle} 5 0 5 ${steal} 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`;

it('is the steal time of the kernel, over all processors', () => {
  expect(machineTime(stat(60, 4))).toEqual({ all: 104, stolen: 4 });
});

it('is given as a share of the time between two moments', () => {
  expect(stolenPart(machineTime(stat(100, 0)), machineTime(stat(190, 10)))).toBe(0.1);
  expect(stolenPart(machineTime(stat(190, 10)), machineTime(stat(290, 10)))).toBe(0);
});

it('is nothing if the kernel does not report it', () => {
  expect(stolenPart(machineTime(''), machineTime(''))).toBe(0);
});

import { machineTime, stolenPart } from './stolen-time';

const stat = (idle: number, steal: number): string => `cpu  10 0 20 ${idle} 5 0 5 ${steal} 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`;

it('is what the kernel counts as steal, of all processors together', () => {
  expect(machineTime(stat(60, 4))).toEqual({ all: 104, stolen: 4 });
});

it('is told as a part of what there was between two moments', () => {
  expect(stolenPart(machineTime(stat(100, 0)), machineTime(stat(190, 10)))).toBe(0.1);
  expect(stolenPart(machineTime(stat(190, 10)), machineTime(stat(290, 10)))).toBe(0);
});

it('is nothing where the kernel does not tell', () => {
  expect(stolenPart(machineTime(''), machineTime(''))).toBe(0);
});

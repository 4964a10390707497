import { growthPercent } from '../../../src/composition/heap-growth';

it.each([
  [0, 12],
  [70_000_000, 12],
  [100_000_000, 31],
  [130_000_000, 50],
  [2_000_000_000, 50],
])('of %d bytes what is old may grow by %d percent', (bytes, percent) => {
  expect(growthPercent(bytes)).toBe(percent);
});

import { nextAttemptInMs, deliveryLastsMs, parkedForMs, waitsMs } from '../../../src/domain/deliveries/schedule';

const minute = 60_000;
const hour = 60 * minute;
const midst = { ageMs: 1000, chance: 0.5 };

it('waits 5 s, 30 s, 2 m, 10 m, 30 m, 2 h, 5 h, 10 h, and 10 h from then on', () => {
  const waits = Array.from({ length: 10 }, (_, i) => nextAttemptInMs({ ...midst, tries: i + 1 }));
  const seconds = [5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 36_000, 36_000];
  expect(waits).toEqual(seconds.map((s) => s * 1000));
  expect(waitsMs).toHaveLength(8);
});

it.each([
  [0, 0.8],
  [0.25, 0.9],
  [0.5, 1],
  [1, 1.2],
])('stretches a wait by chance %d to %d of it', (chance, of) => {
  expect(nextAttemptInMs({ ...midst, chance, tries: 3 })).toBe(2 * minute * of);
});

it.each([
  [undefined, 5000],
  [0, 5000],
  [3, 5000],
  [60, 60_000],
  [0.4, 5000],
  [9e9, 10 * hour],
])('after Retry-After %p comes back after %d ms', (retryAfterS, wait) => {
  expect(nextAttemptInMs({ ...midst, tries: 1, retryAfterS })).toBe(wait);
});

it('gives up if the next attempt would come after seven days', () => {
  const last = { chance: 0.5, tries: 20 };
  expect(nextAttemptInMs({ ...last, ageMs: deliveryLastsMs - 10 * hour })).toBe(10 * hour);
  expect(nextAttemptInMs({ ...last, ageMs: 1 + deliveryLastsMs - 10 * hour })).toBeUndefined();
});

it.each([
  [0, minute],
  [5 * minute, minute],
  [hour, 6 * minute],
  [100 * hour, hour],
])('checks a parked delivery that is %d ms old again after %d ms', (waitedMs, wait) => {
  expect(parkedForMs({ ageMs: waitedMs })).toBe(wait);
});

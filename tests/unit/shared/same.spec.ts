import { same } from '../../../src/domain/shared/same';

it.each([
  [
    { a: 1, b: [1, { c: null }] },
    { b: [1, { c: null }], a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
  [[], []],
  [null, null],
])('%j is the same as %j', (a, b) => {
  expect([same(a, b), same(b, a)]).toEqual([true, true]);
});

it.each([
  [{ a: 1 }, { a: '1' }],
  [{ a: null }, {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [[], {}],
  [{ toString: 'x' }, {}],
  [null, {}],
  ['a', 'b'],
])('%j is not the same as %j', (a, b) => {
  expect([same(a, b), same(b, a)]).toEqual([false, false]);
});

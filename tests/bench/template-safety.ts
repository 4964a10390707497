import { searchForAmbiguity } from '../support/signatures/template-safety';

// Run by `npm run report:templates`: the safety of templates over a million pairs, printed for people.

it('finds no two requests under one signature', () => {
  const began = performance.now();
  const { ambiguous, ...figures } = searchForAmbiguity({ seed: 1 + (Date.now() % 1_000_000), templates: 1000, pairs: 1_000_000 });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(JSON.stringify({ ...figures, ambiguous: ambiguous.length, seconds }));
  expect(ambiguous).toEqual([]);
}, 600_000);

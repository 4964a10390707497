import { corpusOutcomes, corpusReport } from '../support/signatures/corpus-outcomes';

it('explains the whole corpus, each request in under a second', async () => {
  const outcomes = await corpusOutcomes();
  process.stdout.write(corpusReport(outcomes));
  expect(outcomes.filter(({ isRight }) => isRight).length / outcomes.length).toBeGreaterThanOrEqual(0.95);
  expect(outcomes.filter(({ ms }) => ms > 1000).map(({ broken }) => broken.name)).toEqual([]);
}, 300_000);

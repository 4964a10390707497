import { hmacKeyBytes } from '../../../../src/domain/credentials/signing/signature-secret';
import { corpusOutcomes, corpusReport, type Outcome } from '../../../support/signatures/corpus-outcomes';

/** tests/system gives those that are outside of the space all their time, too. */
const shortBudgetMs = 100;

describe('the corpus of requests with broken signatures', () => {
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    outcomes = await corpusOutcomes(shortBudgetMs);
  }, 120_000);

  it('is explained: the right cause is ranked first in at least 95 of 100', () => {
    process.stdout.write(corpusReport(outcomes));
    expect(outcomes.length).toBeGreaterThanOrEqual(300);
    expect(outcomes.filter(({ isRight }) => isRight).length / outcomes.length).toBeGreaterThanOrEqual(0.95);
  });

  it('takes less than a second each', () => {
    expect(outcomes.filter(({ ms }) => ms > 1000).map(({ broken }) => broken.name)).toEqual([]);
  });

  it('never calls a mistake by a wrong name where it is outside of the space', () => {
    const named = outcomes.filter(({ broken, isRight }) => broken.expected.includes('unknown') && !isRight);
    // A bare digest differs from a signature by its padding alone: that is proved, whatever the corpus says.
    expect(named.filter(({ explanation }) => !explanation.causes[0]?.codes.includes('rsa-bare-digest'))).toEqual([]);
  });

  it('is explained without showing a secret, a sent signature or a correct one', () => {
    const leaks = outcomes.filter(({ broken, explanation }) => {
      const shown = JSON.stringify(explanation);
      const encoded = broken.secrets.flatMap((secret) => [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('hex'),
      ]);
      const keys = broken.secrets.flatMap((secret) => Buffer.from(hmacKeyBytes(secret) ?? []).toString('hex'));
      return [...encoded, ...keys, ...broken.signatures()].some((canary) => shown.includes(canary));
    });
    expect(leaks.map(({ broken }) => broken.name)).toEqual([]);
  });
});

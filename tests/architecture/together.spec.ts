import { groups, specFiles, specsOf } from '../support/together';

/** Stages of their own. */
const elsewhere = /^(?:faults|hostile|isolation|system|together)\//;

it('npm test runs every spec file once', () => {
  const all = specFiles('.').filter((file) => !elsewhere.test(file));
  expect(Object.keys(groups).flatMap(specsOf).sort()).toEqual(all);
});

it('each group has its test file', () => {
  expect(specFiles('together')).toEqual(
    Object.keys(groups)
      .map((name) => `together/${name}.spec.ts`)
      .sort(),
  );
});

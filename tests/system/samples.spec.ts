import { verifierLanguages } from '../support/signatures/sample-programs';
import { verify } from '../../src/kit/kit';
import { SamplePrograms } from '../support/documents/run-samples';
import { sampledSettings, verdictsOf } from '../support/signatures/signing-samples';
import { agreementOf, keptVectors, sampleAlgorithms } from '../support/documents/sample-documents';

const { keys, vectors } = keptVectors();

describe.each(verifierLanguages)('the samples in %s', (language) => {
  let programs: SamplePrograms;
  beforeAll(async () => {
    programs = await SamplePrograms.prepare(language, keys);
  }, 180_000);
  afterAll(() => programs.remove());

  it.each(sampleAlgorithms)(
    'judge the vectors of %s',
    async (algorithm) => {
      const wrong: string[] = [];
      for (const vector of vectors.filter((one) => one.algorithm === algorithm)) {
        if ((await programs.accepts(vector)) !== vector.fits) wrong.push(vector.name);
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  it.each(sampleAlgorithms)(
    'sign with %s what the kit and they themselves accept',
    async (algorithm) => {
      const request = { method: 'POST', url: 'https://platform.example/api/v1/connect/', body: '{"note":"Zoë"}\n' };
      const headers = await programs.sign(algorithm, request);
      await verify({ ...request, headers }, agreementOf(algorithm, keys));
      const vector = { ...request, headers, name: 'now', algorithm, now: Math.floor(Date.now() / 1000), fits: true };
      expect(await programs.accepts(vector)).toBe(true);
      expect(await programs.accepts({ ...vector, body: request.body.replace('Z', 'z') })).toBe(false);
    },
    60_000,
  );

  it.each(Object.entries(sampledSettings))(
    'check with %s what the service signs',
    async (_name, settings) => {
      expect(await verdictsOf(language, settings)).toEqual([0, 1]);
    },
    90_000,
  );
});

import { sampleLanguages } from '../../src/domain/credentials/explain/sample-languages';
import { canRun, provesItself, pythonHasCryptography, sampledSettings } from '../support/signatures/signing-samples';

describe.each(sampleLanguages)('signing code in %s', (language) => {
  it('can be run here', async () => {
    expect(await canRun(language)).toBe(true);
    if (language === 'python') expect(await pythonHasCryptography()).toBe(true);
  });

  it.each(Object.entries(sampledSettings))(
    'for %s is accepted by the check',
    (_name, settings) => provesItself(language, settings),
    90_000,
  );
});

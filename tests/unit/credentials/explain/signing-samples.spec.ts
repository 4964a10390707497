import { sampleLanguages, type SampleLanguage } from '../../../../src/domain/credentials/explain/sample-languages';
import { defaultSignatureSettings } from '../../../../src/domain/credentials/signing/signature-settings';
import { samples as programs } from '../../../support/signatures/sample-programs';
import { provesItself, sampledSettings } from '../../../support/signatures/signing-samples';

/** The quick ones; tests/system runs the others. What Python needs for RSA2 and ECDSA is not everywhere. */
const languagesFor = (algorithm: string): readonly SampleLanguage[] =>
  algorithm === 'HMAC' ? ['typescript', 'shell', 'python'] : ['typescript', 'shell'];

describe.each(Object.entries(sampledSettings))('signing code for %s', (_name, settings) => {
  it.each(languagesFor(settings.algorithm))('in %s is accepted by the check', (language) => provesItself(language, settings));
});

it('takes the key from the environment, in every language', () => {
  for (const [algorithm, variable] of [
    ['HMAC', 'HMAC_SECRET'],
    ['RSA2', 'PRIVATE_KEY_FILE'],
  ] as const) {
    const samples = programs.signing({ ...defaultSignatureSettings, algorithm, apiClientId: 'cid_1' }, undefined);
    expect(sampleLanguages.filter((language) => !samples[language].includes(variable))).toEqual([]);
  }
});

import { TemplateSamples } from '../../../src/adapters/out/signing/samples/template-samples';
import { sampleLanguages, type SampleLanguage } from '../../../src/domain/credentials/explain/sample-languages';

export const samples = new TemplateSamples();

/** Languages whose checking code needs no package of ours. */
export type VerifierLanguage = Exclude<SampleLanguage, 'typescript'>;
export const verifierLanguages = sampleLanguages.filter((language): language is VerifierLanguage => language !== 'typescript');

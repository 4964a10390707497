import type { SignatureSettings } from '../../signing/signature-settings';
import { goSample } from './go-sample';
import { javaSample } from './java-sample';
import { phpSample } from './php-sample';
import { pythonSample } from './python-sample';
import { planOf, type SamplePlan } from './sample-plan';
import { shellSample } from './shell-sample';
import { typescriptSample } from './typescript-sample';

/** Languages of the signing code. */
export const sampleLanguages = ['typescript', 'python', 'java', 'go', 'php', 'shell'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

const write: Readonly<Record<SampleLanguage, (plan: SamplePlan) => string>> = {
  typescript: typescriptSample,
  python: pythonSample,
  java: javaSample,
  go: goSample,
  php: phpSample,
  shell: shellSample,
};

/**
 * Complete programs that sign for an app's settings: method and URL are arguments, the body comes from the input, the headers to send are
 * printed. The key is read from the environment. `merchantId` is the integration's.
 */
export function samplesFor(
  settings: SignatureSettings,
  { merchantId }: { merchantId: string | undefined },
): Record<SampleLanguage, string> {
  const plan = planOf(settings, merchantId);
  return Object.fromEntries(sampleLanguages.map((language) => [language, write[language](plan)])) as Record<SampleLanguage, string>;
}

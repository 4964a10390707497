import type { SignatureSettings } from '../../signing/signature-settings';
import { goVerifier } from './go-verifier';
import { javaVerifier } from './java-verifier';
import { kitVerifier } from './kit-verifier';
import { phpVerifier } from './php-verifier';
import { pythonVerifier } from './python-verifier';
import { planOf, type SamplePlan } from './sample-plan';
import { shellVerifier } from './shell-verifier';

/** Languages whose checking code needs no package of ours. */
export const verifierLanguages = ['python', 'java', 'go', 'php', 'shell'] as const;
export type VerifierLanguage = (typeof verifierLanguages)[number];

/** Languages of the checking code; the code for Node calls `pierhead/kit`. */
export const checkingLanguages = ['typescript', ...verifierLanguages] as const;
export type CheckingLanguage = (typeof checkingLanguages)[number];

const write: Readonly<Record<VerifierLanguage, (plan: SamplePlan) => string>> = {
  python: pythonVerifier,
  java: javaVerifier,
  go: goVerifier,
  php: phpVerifier,
  shell: shellVerifier,
};

/**
 * Complete programs that check the platform's signatures under an app's settings. Arguments: method, the registered URL, a file of headers
 * and optionally the time to check at (Unix seconds; not for Node); the body comes from the input. The exit status is 0 where the
 * signature fits, else 1. The key is read from the environment. `merchantId` is the integration's.
 */
export function verifiersFor(
  settings: SignatureSettings,
  { merchantId }: { merchantId: string | undefined },
): Record<CheckingLanguage, string> {
  const plan = planOf(settings, merchantId);
  const own = Object.fromEntries(verifierLanguages.map((language) => [language, write[language](plan)])) as Record<
    VerifierLanguage,
    string
  >;
  return { typescript: kitVerifier(settings, merchantId), ...own };
}

import type { SignatureSettings } from '../../signature-settings';
import { goVerifier } from './go-verifier';
import { javaVerifier } from './java-verifier';
import { kitVerifier } from './kit-verifier';
import { phpVerifier } from './php-verifier';
import { pythonVerifier } from './python-verifier';
import { planOf, type SamplePlan } from './sample-plan';
import { shellVerifier } from './shell-verifier';

/** The languages in which checking code needs nothing of ours. */
export const verifierLanguages = ['python', 'java', 'go', 'php', 'shell'] as const;
export type VerifierLanguage = (typeof verifierLanguages)[number];

/** The languages in which checking code is given; for Node it calls `pierhead/kit`. */
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
 * Code that checks what the platform signs under an app's settings, whole programs: method, the registered URL, a file of
 * headers and, where it is not now, the time to judge by (Unix seconds; not for Node) are their arguments, the body comes in; they
 * end with 0 where the signature fits, else with 1. The key is read from the environment. `merchantId` is the integration's.
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

import type { CredentialKind } from '../credentials/credential';
import type { KeyImport } from '../credentials/ports';
import { signatureProblems } from '../credentials/signature-rules';
import { InvalidInput } from '../shared/errors';
import type { Partner } from './partner-draft';

/** Throws InvalidInput at `path` where the current value of the credential breaks a rule that goes with the partner's settings. */
export function requireSoundCredential(
  { settings, credentials }: Partner,
  { credential, path, keys }: { readonly credential: CredentialKind; readonly path: string; readonly keys: KeyImport },
): void {
  const problems = signatureProblems(settings.signature, credentials, keys);
  const problem = problems.find((one) => one.path === `signature.${credential}`);
  if (problem) throw new InvalidInput([{ ...problem, path }]);
}

import type { CredentialKind } from '../../credentials/credential';
import type { PublicKeyReader } from '../../credentials/ports';
import { signatureProblems } from '../../credentials/signing/signature-rules';
import { InvalidInput } from '../../shared/errors';
import type { Partner } from '../partner-draft';

/** Throws InvalidInput at `path` if the credential's current value breaks a rule of the partner's settings. */
export function requireValidCredential(
  { settings, credentials }: Partner,
  { credential, path, keys }: { readonly credential: CredentialKind; readonly path: string; readonly keys: PublicKeyReader },
): void {
  const problems = signatureProblems(settings.signature, credentials, keys);
  const problem = problems.find((one) => one.path === `signature.${credential}`);
  if (problem) throw new InvalidInput([{ ...problem, path }]);
}

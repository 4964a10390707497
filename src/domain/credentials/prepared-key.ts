import type { CredentialChanges } from '../partners/ports';
import type { Credentials } from './credential';
import { keyProblem } from './key-rules';
import type { KeyImport } from './ports';
import { defaultGraceS, promoted } from './rotation';
import type { SignatureSettings } from './signature-settings';

/**
 * Takes up the platform key that was made ahead for the algorithm of the settings, so that a change of algorithm signs with a
 * key that the partner has already; the one before stays published for a day. Empty: the present key fits, or none waits that does.
 */
export function preparedPlatformKey(
  { algorithm }: SignatureSettings,
  { platform_key: slots }: Credentials,
  { keys, now }: { readonly keys: KeyImport; readonly now: number },
): CredentialChanges {
  const fits = (publicKey: string | undefined): boolean =>
    publicKey !== undefined && keyProblem(keys.read(publicKey), { algorithm }) === undefined;
  if ((algorithm !== 'RSA2' && algorithm !== 'ECDSA') || fits(slots?.current?.publicKey) || !fits(slots?.next?.publicKey)) return {};
  const changes = promoted(slots, { now, previousValidForS: defaultGraceS });
  return changes ? { platform_key: changes } : {};
}

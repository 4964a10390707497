import type { CredentialChanges } from '../../partners/ports';
import type { Credentials } from '../credential';
import { keyProblem } from './key-rules';
import type { PublicKeyReader } from '../ports';
import { defaultGraceS, promoted } from '../rotation';
import type { SignatureSettings } from './signature-settings';

/**
 * Promotes a platform key that was generated in advance for the algorithm of the settings, so that after a change of algorithm we sign
 * with a key that the partner already has; the previous key stays published for a day. Empty when the current key fits, or no such key
 * exists.
 */
export function preparedPlatformKey(
  { algorithm }: SignatureSettings,
  { platform_key: slots }: Credentials,
  { keys, now }: { readonly keys: PublicKeyReader; readonly now: number },
): CredentialChanges {
  const fits = (publicKey: string | undefined): boolean =>
    publicKey !== undefined && keyProblem(keys.read(publicKey), { algorithm }) === undefined;
  if ((algorithm !== 'RSA2' && algorithm !== 'ECDSA') || fits(slots?.current?.publicKey) || !fits(slots?.next?.publicKey)) return {};
  const changes = promoted(slots, { now, previousValidForS: defaultGraceS });
  return changes ? { platform_key: changes } : {};
}

import { Description, Flag, OneOf, Optional, Required, Text, Whole } from '../../../../dto/decorators';
import type { CredentialKind, CredentialSlot } from '../../../../../domain/credentials/credential';

export const credentialKinds: readonly CredentialKind[] = [
  'secret_key',
  'hmac_secret',
  'partner_public_key',
  'platform_key',
  'host_app_secret_key',
];

/** Grace time in seconds, up to 30 days. */
const Grace = (): PropertyDecorator => Whole(0, 2_592_000);

/** Body of `rotate` (contract/management#manage-api). */
@Description('Which credential is replaced, and by what.')
export class RotateDto {
  @Required('Kind of the credential to replace.') @OneOf(credentialKinds) credential!: CredentialKind;
  @Optional('New value, where the partner makes it. Absent: the service makes one and shows it in this answer alone.')
  @Text(10_000)
  value?: string;
  @Optional('`current`, the default: the new value counts at once; `next`: it waits for promote and is accepted beside.')
  @OneOf(['current', 'next'])
  slot?: 'current' | 'next';
  @Optional('Algorithm of a platform key that is made ahead of a change. Absent: that of the stored settings.')
  @OneOf(['RSA2', 'ECDSA'])
  algorithm?: 'RSA2' | 'ECDSA';
  @Optional('Seconds for which the value before stays accepted; 86400 unless given.') @Grace() previous_valid_for_s?: number;
  // Source: contract/signatures#shared-keys.
  @Optional("True stores the partner's public key although another app has it, too.") @Flag() acknowledge_shared_key?: boolean;
  @Optional('Challenge for `value` from `POST …/challenge`; a partner needs it for a public key that another app has.')
  @Text(500)
  challenge?: string;
  @Optional('The text of `challenge`, signed with the private key of `value`; base64, base64url or hex.') @Text(4000) signature?: string;
}

/** Body of `promote`. */
@Description('Which waiting credential counts from now on.')
export class PromoteDto {
  @Required('Kind of the credential whose `next` value becomes current.') @OneOf(credentialKinds) credential!: CredentialKind;
  @Optional('Seconds for which the value before stays accepted; 86400 unless given.') @Grace() previous_valid_for_s?: number;
}

/** Body of `revoke` (contract/management#manage-api). */
@Description('Which value of a credential is no longer accepted.')
export class RevokeDto {
  @Required('Kind of the credential that loses a value.') @OneOf(credentialKinds) credential!: CredentialKind;
  @Required('Slot of the value; it is no longer accepted from now on.') @OneOf(['current', 'previous', 'next']) which!: CredentialSlot;
}

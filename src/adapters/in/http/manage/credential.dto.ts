import { Flag, OneOf, Optional, Required, Text, Whole } from '../../../dto/decorators';
import type { CredentialKind, CredentialSlot } from '../../../../domain/credentials/credential';

export const credentialKinds: readonly CredentialKind[] = [
  'secret_key',
  'hmac_secret',
  'partner_public_key',
  'platform_key',
  'host_app_secret_key',
];

/** Seconds, up to 30 days. */
const Grace = (): PropertyDecorator => Whole(0, 2_592_000);

/** The body of `rotate` (contract/management#manage-api). */
export class RotateDto {
  @Required() @OneOf(credentialKinds) credential!: CredentialKind;
  @Optional() @Text(10_000) value?: string;
  @Optional() @OneOf(['current', 'next']) slot?: 'current' | 'next';
  /** Of a platform key that is made ahead for another algorithm. */
  @Optional() @OneOf(['RSA2', 'ECDSA']) algorithm?: 'RSA2' | 'ECDSA';
  @Optional() @Grace() previous_valid_for_s?: number;
  /** Of a partner's public key that another app has (contract/signatures#shared-keys). */
  @Optional() @Flag() acknowledge_shared_key?: boolean;
  /** A challenge for `value`, and its signature by the private key: both or neither. */
  @Optional() @Text(500) challenge?: string;
  @Optional() @Text(4000) signature?: string;
}

/** The body of `promote`. */
export class PromoteDto {
  @Required() @OneOf(credentialKinds) credential!: CredentialKind;
  @Optional() @Grace() previous_valid_for_s?: number;
}

/** The body of `revoke` (contract/management#manage-api). */
export class RevokeDto {
  @Required() @OneOf(credentialKinds) credential!: CredentialKind;
  @Required() @OneOf(['current', 'previous', 'next']) which!: CredentialSlot;
}

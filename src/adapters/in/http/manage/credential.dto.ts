import { OneOf, Optional, Required, Text, Whole } from './rules';
import type { CredentialKind } from '../../../../domain/credentials/credential';

const kinds: readonly CredentialKind[] = ['secret_key', 'hmac_secret', 'partner_public_key', 'platform_key', 'host_app_secret_key'];

/** The body of `rotate` (contract, manage.md). */
export class RotateDto {
  @Required() @OneOf(kinds) credential!: CredentialKind;
  @Optional() @Text(10_000) value?: string;
  /** Seconds, up to 30 days. */
  @Optional() @Whole(0, 2_592_000) previous_valid_for_s?: number;
}

/** The body of `revoke` (contract, manage.md). */
export class RevokeDto {
  @Required() @OneOf(kinds) credential!: CredentialKind;
  @Required() @OneOf(['current', 'previous']) which!: 'current' | 'previous';
}

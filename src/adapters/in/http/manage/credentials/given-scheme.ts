import type { CredentialIntake } from '../../../../../domain/credentials/given-credentials';
import type { Credentials, CredentialValue } from '../../../../../domain/credentials/credential';
import type { GivenScheme } from '../../../../../domain/credentials/explain/explain-signature';
import type { SignatureSettings } from '../../../../../domain/credentials/signing/signature-settings';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { Secret } from '../../../../../domain/shared/secret';
import type { SignatureDto } from './signature.dto';
import { signatureSettings } from './signature-mapper';

export interface SchemeTools {
  readonly intake: CredentialIntake;
}

/** Signature settings and credentials from a body; nothing is stored. Throws InvalidInput for an invalid key. */
export function givenScheme(input: SignatureDto, { intake, merchantId }: SchemeTools & { merchantId: string | undefined }): GivenScheme {
  const { hmac_secret: hmac, partner_public_key: key } = input;
  const { algorithm = 'HMAC', ...stated } = signatureSettings(input);
  const settings: SignatureSettings = { ...stated, algorithm, enabled: true };
  const credentials: Credentials = {
    ...(hmac !== undefined && { hmac_secret: { current: intake.value(new Secret(hmac)) } }),
    ...(key !== undefined && { partner_public_key: { current: publicKey(intake, key) } }),
  };
  return { settings, credentials, merchantId };
}

function publicKey(intake: CredentialIntake, text: string): CredentialValue {
  const value = intake.given('partner_public_key', new Secret(text));
  if ('cause' in value) throw new InvalidInput([{ path: 'signature.partner_public_key', ...value }]);
  return value;
}

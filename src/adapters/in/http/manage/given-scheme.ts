import type { CredentialIntake } from '../../../../domain/credentials/given-credentials';
import type { Credentials, CredentialValue } from '../../../../domain/credentials/credential';
import type { GivenScheme } from '../../../../domain/credentials/explain/explain-signature';
import type { SignatureSettings } from '../../../../domain/credentials/signature-settings';
import { InvalidInput } from '../../../../domain/shared/errors';
import { Secret } from '../../../../domain/shared/secret';
import type { SignatureDto } from './signature.dto';
import { signatureSettings } from './signature-wire';

export interface SchemeTools {
  readonly intake: CredentialIntake;
}

/** Signature settings of a body with the credentials that came along; nothing of it is kept. Throws InvalidInput for a key that is none. */
export function givenScheme(facts: SignatureDto, { intake, merchantId }: SchemeTools & { merchantId: string | undefined }): GivenScheme {
  const { hmac_secret: hmac, partner_public_key: key } = facts;
  const { algorithm = 'HMAC', ...stated } = signatureSettings(facts);
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

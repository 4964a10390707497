import { signaturePresets } from '../../../../../domain/credentials/signing/signature-presets';
import { Description, Flag, HeaderText, Nested, OneOf, Optional, Text, Whole } from '../../../../dto/decorators';

@Description('Names of the headers that a signed request carries; a name that is absent has its default.')
class HeaderNamesDto {
  @Optional('Header of the signature; `X-Signature` unless set.') @Text(64) signature?: string;
  @Optional('Header of the time of signing; `X-Timestamp` unless set.') @Text(64) timestamp?: string;
  @Optional('Header of the `api_client_id`; `X-Client-Id` unless set.') @Text(64) client_id?: string;
  @Optional('Header of the random text; `X-Nonce` unless set.') @Text(64) nonce?: string;
  @Optional('Header of the fixed text; `X-Identity` unless set.') @Text(64) identity?: string;
  @Optional("Header of the integration's merchant id; `X-Merchant-Id` unless set.") @Text(64) merchant_id?: string;
}

/** Signature settings (contract/signatures#settings). Rules about several members are in domain/credentials/signing/signature-rules. */
@Description('How requests between an app and the service are signed, in both directions.')
export class SignatureDto {
  @Optional('Whether requests are signed; then the signature replaces Basic. False unless set.') @Flag() enabled?: boolean;
  @Optional('`HMAC` with a shared secret, `RSA2` (RSASSA-PKCS1-v1_5) or `ECDSA` with a key pair on each side.')
  @OneOf(['HMAC', 'RSA2', 'ECDSA'])
  algorithm?: 'HMAC' | 'RSA2' | 'ECDSA';
  @Optional('Hash function under the algorithm; `SHA-256` unless set. `SHA-1` and `MD5` need `acknowledge_weak`.')
  @OneOf(['SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-1', 'MD5'])
  hash?: 'SHA-224' | 'SHA-256' | 'SHA-384' | 'SHA-512' | 'SHA-1' | 'MD5';
  @Optional('How the bytes of a signature are written in its header; `base64` unless set.')
  @OneOf(['base64', 'base64url', 'hex'])
  encoding?: 'base64' | 'base64url' | 'hex';
  @Optional('Unit of the Unix time in the timestamp header; `seconds` unless set.')
  @OneOf(['seconds', 'milliseconds', 'microseconds', 'nanoseconds'])
  timestamp_precision?: 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';
  @Optional('Characters of a nonce, 16 to 64; 0, the default: requests have none.') @Whole(0, 64) nonce_length?: number;
  @Optional('Fixed text that requests carry, where the template holds `{identity}`.') @HeaderText(250) identity?: string;
  @Optional('Names of the headers; those that are absent have their defaults.') @Nested(() => HeaderNamesDto) header_names?: HeaderNamesDto;
  @Optional('Text to sign, with placeholders such as `{request_method}`, `{url}`, `{timestamp}` and `{payload}`.')
  @Text(1000)
  payload_template?: string;
  @Optional('Text around `{signature}` in its header; `{signature}` alone unless set.') @HeaderText(250) signature_template?: string;
  @Optional('`full`, the default: `{url}` is the whole URL; `path`: path and query alone.')
  @OneOf(['full', 'path'])
  url_form?: 'full' | 'path';
  @Optional('Whether a printed body has a blank after each colon and comma; false unless set.') @Flag() payload_spaces?: boolean;
  @Optional('Whether the members of a printed body are sorted by code point at every depth; false unless set.')
  @Flag()
  payload_sort_keys?: boolean;
  @Optional('Whether a printed body writes every character above U+007F as `\\uXXXX`; false unless set.') @Flag() payload_ascii?: boolean;
  @Optional('Form in which public keys are shown: `PEM`, the default, or `DER` in base64.')
  @OneOf(['PEM', 'DER'])
  key_format?: 'PEM' | 'DER';
  @Optional("Value of the client id header, by which the receiver finds the sender's settings.") @HeaderText(64) api_client_id?: string;
  @Optional('Shared secret of `HMAC`, also in the form `whsec_` and base64. It is written and never shown.')
  @Text(1000)
  hmac_secret?: string;
  @Optional('Public key of the partner, PEM or DER in base64, by which the service checks its signatures.')
  @Text(10_000)
  partner_public_key?: string;
  // Source: contract/signatures#shared-keys.
  @Optional('True stores a public key although another app has it, too. It is written and never shown.')
  @Flag()
  acknowledge_shared_key?: boolean;
  @Optional('True accepts a weak hash, secret or template, which is refused otherwise.') @Flag() acknowledge_weak?: boolean;
  @Optional('Whether deliveries are also signed after Standard Webhooks (`webhook-signature`); false unless set.')
  @Flag()
  webhook_signature?: boolean;
  @Optional('Name of a preset, whose settings are stored instead. It is written and never shown.')
  @OneOf(signaturePresets.map(({ name }) => name))
  preset?: string;
}

import { SignatureDto } from './signature.dto';
import { Description, Flag, HeaderText, Nested, Optional, Required, Rule, Text } from '../../../../dto/decorators';

@Description('A call that is to be signed.')
class CallDto {
  @Required('HTTP method of the call, such as `POST`.') @HeaderText(32) method!: string;
  @Required('Path and query of the call, such as `/api/v1/connect/`.') @Text(8192) target!: string;
  @Optional('Body as text, signed as it stands here; absent: the call has none.')
  @Rule({ schema: { type: 'string' }, problemOf: (value) => (typeof value === 'string' ? undefined : 'must be text') })
  body?: string;
}

/** A call to sign, with given settings or with those of a stored app. */
@Description('A call, and the settings under which it is signed.')
export class SignDto {
  @Optional('Settings and credentials to sign with. Absent: those of the app that is named.')
  @Nested(() => SignatureDto)
  signature?: SignatureDto;
  @Optional('Client ID of the host app whose stored settings sign.') @HeaderText(64) client_id?: string;
  @Optional('App ID of the miniapp whose stored settings sign.') @HeaderText(64) app_id?: string;
  @Optional('Merchant id for the placeholder `{merchant_id}`.') @HeaderText(250) merchant_id?: string;
  @Required('The call that is to be signed.') @Nested(() => CallDto) request!: CallDto;
  @Optional('Time of signing as it stands in its header. Absent: now, in the unit of the settings.') @HeaderText(32) timestamp?: string;
  @Optional('Random text as it stands in its header. Absent: a new one, where the settings want one.') @HeaderText(64) nonce?: string;
  @Optional('True signs with a key pair that is made for this answer alone, where the algorithm needs a pair.')
  @Flag()
  throwaway_key?: boolean;
}

/** A payload of `partner/login` to decrypt, with a given key or the host app's stored one. */
@Description('A payload of partner/login, and the key that opens it.')
export class OpenPayloadDto {
  @Required('The payload as it was sent to partner/login.') @Text(100_000) payload!: string;
  @Required('Client ID of the host app that encrypted it.') @HeaderText(64) client_id!: string;
  @Optional('App ID of the miniapp; it belongs to what AES-256-GCM authenticates.') @HeaderText(64) app_id?: string;
  @Optional("Secret key to open with. Absent: the stored one, for the host app's own account alone.") @Text(200) secret_key?: string;
}

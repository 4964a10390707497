import { SignatureDto } from './signature.dto';
import { Flag, HeaderText, Nested, Optional, Required, Rule, Text } from '../../../dto/decorators';

class CallDto {
  @Required() @HeaderText(32) method!: string;
  @Required() @Text(8192) target!: string;
  @Optional()
  @Rule({ schema: { type: 'string' }, problemOf: (value) => (typeof value === 'string' ? undefined : 'must be text') })
  body?: string;
}

/** A call that is to be signed: with given settings, or with those of a stored app. */
export class SignDto {
  @Optional() @Nested(() => SignatureDto) signature?: SignatureDto;
  @Optional() @HeaderText(64) client_id?: string;
  @Optional() @HeaderText(64) app_id?: string;
  @Optional() @HeaderText(250) merchant_id?: string;
  @Required() @Nested(() => CallDto) request!: CallDto;
  @Optional() @HeaderText(32) timestamp?: string;
  @Optional() @HeaderText(64) nonce?: string;
  /** Signs with a key pair that is made for this answer alone, where the settings ask for one. */
  @Optional() @Flag() throwaway_key?: boolean;
}

/** A payload of `partner/login` that is to be opened, under a given key or the host app's stored one. */
export class OpenPayloadDto {
  @Required() @Text(100_000) payload!: string;
  @Required() @HeaderText(64) client_id!: string;
  @Optional() @HeaderText(64) app_id?: string;
  @Optional() @Text(200) secret_key?: string;
}

import { Description, Email, Id, JsonMembers, Nested, Optional, Phone, Required, Text } from '../../../dto/decorators';
import type { JsonObject } from '../../../../domain/shared/json';

/** The contract's UserData. Unknown members are dropped. */
@Description('The user who signs on, as the host app knows them.')
export class UserDataDto {
  @Required('Id of the user at the host app; the same on every sign-on.') @Id({ min: 1, max: 100 }) reference!: string;
  @Optional('Address that the host app has verified.') @Email() email?: string;
  @Optional('Number that the host app has verified.') @Phone() phone?: string;
  @Optional('Given name of the user, as the host app has it.') @Text({ max: 250 }) first_name?: string;
  @Optional('Family name of the user, as the host app has it.') @Text({ max: 250 }) last_name?: string;
  @Optional('Further data for the miniapp, relayed unchanged.') @JsonMembers({ maxBytes: 65536 }) custom_attributes?: JsonObject;
}

/** The user object is called `user_data` or `user` (contract/sign-on#connect). */
export class ConnectDto {
  @Optional('The user who signs on; either this or `user` is required.') @Nested(() => UserDataDto) user_data?: UserDataDto;
  @Optional('Another name of `user_data`; where both are sent they must be equal.') @Nested(() => UserDataDto) user?: UserDataDto;
}

export class AuthorizeDto {
  @Required('Single-use code that the host app gave the page; the service exchanges it at `access_token_url`.')
  @Text({ min: 1, max: 1000 })
  auth_code!: string;
  @Optional('Who the user is expected to be; a sign-on of another user is refused.') @Id({ min: 1, max: 100 }) user_reference?: string;
}

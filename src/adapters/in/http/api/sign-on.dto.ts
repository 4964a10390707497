import { Email, Id, JsonMembers, Nested, Optional, Phone, Required, Text } from '../../../dto/decorators';
import type { JsonObject } from '../../../../domain/shared/json';

/** The contract's UserData. Unknown members are dropped. */
export class UserDataDto {
  @Required() @Id({ min: 1, max: 100 }) reference!: string;
  @Optional() @Email() email?: string;
  @Optional() @Phone() phone?: string;
  @Optional() @Text({ max: 250 }) first_name?: string;
  @Optional() @Text({ max: 250 }) last_name?: string;
  @Optional() @JsonMembers({ maxBytes: 65536 }) custom_attributes?: JsonObject;
}

/** The user object is named `user_data` or `user` (contract/sign-on#connect). */
export class ConnectDto {
  @Optional() @Nested(() => UserDataDto) user_data?: UserDataDto;
  @Optional() @Nested(() => UserDataDto) user?: UserDataDto;
}

export class AuthorizeDto {
  @Required() @Text({ min: 1, max: 1000 }) auth_code!: string;
  @Optional() @Id({ min: 1, max: 100 }) user_reference?: string;
}

import { Id, Optional, Required, Text, TextList } from '../../../dto/decorators';

export class UserOfPairDto {
  @Required('Reference by which the host app knows the user.') @Id({ min: 1, max: 100 }) user_reference!: string;
}

export class SaveConsentDto extends UserOfPairDto {
  @Optional('Names of the user fields that the user agreed to share, such as `email`; kept in the ledger.')
  @TextList({ maxItems: 50, max: 64 })
  fields?: string[];
  @Optional("Version of the consent text that the user saw, in the host app's own numbering.")
  @Text({ min: 1, max: 64 })
  text_version?: string;
}

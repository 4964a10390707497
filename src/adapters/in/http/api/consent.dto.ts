import { Id, Optional, Required, Text, TextList } from '../../../dto/decorators';

export class UserOfPairDto {
  @Required() @Id({ min: 1, max: 100 }) user_reference!: string;
}

export class SaveConsentDto extends UserOfPairDto {
  /** The user fields consented to. */
  @Optional() @TextList({ maxItems: 50, max: 64 }) fields?: string[];
  @Optional() @Text({ min: 1, max: 64 }) text_version?: string;
}

import { Description, Optional, Required, Text } from '../../../../dto/decorators';

/** Why an integration goes live although something is missing. */
@Description('Why an integration goes live.')
export class GoLiveDto {
  @Optional('Why it goes live although items are missing; needed only then.') @Text(500) reason?: string;
}

/** Why an integration goes back to test. */
@Description('Why an integration goes back to test.')
export class BackToTestDto {
  @Required('Why, in your own words; the audit trail keeps it.') @Text(500) reason!: string;
}

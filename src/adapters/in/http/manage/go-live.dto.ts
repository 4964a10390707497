import { Optional, Required, Text } from '../../../dto/decorators';

/** Why an integration goes live though something is missing. */
export class GoLiveDto {
  @Optional() @Text(500) reason?: string;
}

/** Why an integration goes back to test. */
export class BackToTestDto {
  @Required() @Text(500) reason!: string;
}

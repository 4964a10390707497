import { HeaderText, Optional, Required, Text } from '../../../dto/decorators';

/** Which problem: as it is listed. */
export class ProblemKeyDto {
  @Required() @HeaderText(255) error_code!: string;
  @Optional() @HeaderText(64) failed_side?: string;
  @Optional() @HeaderText(64) failed_step?: string;
  @Optional() @HeaderText(64) client_id?: string;
  @Optional() @HeaderText(64) app_id?: string;
}

/** Which problem is muted, and why. */
export class MuteProblemDto extends ProblemKeyDto {
  @Required() @Text(500) reason!: string;
}

import { Description, HeaderText, Optional, Required, Text } from '../../../../dto/decorators';

/** The members that identify a problem, as the list shows them. */
@Description('A problem, by the members that tell it apart; each as the list shows it.')
export class ProblemKeyDto {
  @Required('Code that the callers got.') @HeaderText(255) error_code!: string;
  @Optional('Party that failed; absent where the list shows none.') @HeaderText(64) failed_side?: string;
  @Optional('Call to a partner that failed; absent where the list shows none.') @HeaderText(64) failed_step?: string;
  @Optional('Client ID of the host app; absent where the list shows none.') @HeaderText(64) client_id?: string;
  @Optional('App ID of the miniapp; absent where the list shows none.') @HeaderText(64) app_id?: string;
}

/** The problem to mute, and the reason. */
@Description('A problem, and why it is muted.')
export class MuteProblemDto extends ProblemKeyDto {
  @Required('Why it is muted, in your own words; the list shows it.') @Text(500) reason!: string;
}

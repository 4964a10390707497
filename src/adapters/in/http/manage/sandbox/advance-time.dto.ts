import { longestAdvanceS } from '../../../../../domain/timeshift/advance-time';
import { Description, HeaderText, Required, Rule } from '../../../../dto/decorators';

/** The integration, and how much time is to pass. */
@Description('An integration, and how much time passes for it.')
export class AdvanceTimeDto {
  @Required('Client ID of the host app of the integration.') @HeaderText(64) client_id!: string;
  @Required('App ID of the miniapp of the integration.') @HeaderText(64) app_id!: string;
  @Required('Seconds that pass for it, fractions included.')
  @Rule({
    schema: { type: 'number', minimum: 0.001, maximum: longestAdvanceS },
    problemOf: (value: unknown) =>
      typeof value === 'number' && value >= 0.001 && value <= longestAdvanceS
        ? undefined
        : `must be a number from 0.001 to ${String(longestAdvanceS)}`,
  })
  seconds!: number;
}

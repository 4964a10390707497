import { longestAdvanceS } from '../../../../domain/timeshift/advance-time';
import { HeaderText, Required, Rule } from '../../../dto/decorators';

/** For which integration how much time is to pass. */
export class AdvanceTimeDto {
  @Required() @HeaderText(64) client_id!: string;
  @Required() @HeaderText(64) app_id!: string;
  @Required()
  @Rule({
    schema: { type: 'number', minimum: 0.001, maximum: longestAdvanceS },
    problemOf: (value: unknown) =>
      typeof value === 'number' && value >= 0.001 && value <= longestAdvanceS
        ? undefined
        : `must be a number from 0.001 to ${String(longestAdvanceS)}`,
  })
  seconds!: number;
}

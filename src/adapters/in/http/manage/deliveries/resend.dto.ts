import { deliveryKinds, deliveryStates, type DeliveryKind, type DeliveryState } from '../../../../../domain/deliveries/delivery';
import { resendRules, type Resend, type ResendFilter, type ResendProgress } from '../../../../../domain/deliveries/resend';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { readTime } from '../http/query';
import { Description, Flag, HeaderText, OneOf, Optional, Rule, Whole, type ValueRule } from '../../../../dto/decorators';

const moment: ValueRule = {
  schema: { type: 'string', format: 'date-time' },
  problemOf: (value) => {
    try {
      readTime(typeof value === 'string' ? value : '');
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : 'must be a date and time';
    }
  },
};

/** Which deliveries to resend, and how many of them per second. */
@Description('Which deliveries are sent once more, and how fast.')
export class ResendDto {
  @Optional('Deliveries in this state.') @OneOf(deliveryStates) state?: DeliveryState;
  @Optional('Deliveries of this kind alone: `completion` or `event`.') @OneOf(deliveryKinds) kind?: DeliveryKind;
  @Optional('Deliveries of integrations of the host app with this Client ID.') @HeaderText(64) client_id?: string;
  @Optional('Deliveries of integrations of the miniapp with this App ID.') @HeaderText(64) app_id?: string;
  @Optional('Deliveries that were queued then or later.') @Rule(moment) from?: string;
  @Optional('Deliveries that were queued before then.') @Rule(moment) to?: string;
  @Optional('Deliveries that were given up then or later.') @Rule(moment) failed_since?: string;
  @Optional('Deliveries that were queued then or later and are not received yet.')
  @Rule(moment)
  missing_since?: string;
  @Optional('Deliveries a second at which the batch asks for them, at most 100; 10 unless given.')
  @Whole(1, resendRules.fastest)
  per_second?: number;
  @Optional('True only counts the deliveries and shows the ids of the first 20; false unless given.') @Flag() preview?: boolean;
}

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : readTime(text));

export const resendFilter = (input: ResendDto): ResendFilter =>
  present({
    state: input.state,
    kind: input.kind,
    clientId: input.client_id,
    appId: input.app_id,
    from: timeOf(input.from),
    to: timeOf(input.to),
    failedSince: timeOf(input.failed_since),
    missingSince: timeOf(input.missing_since),
  });

const textOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const filterView = ({ state, kind, clientId, appId, from, to, failedSince, missingSince }: ResendFilter): object =>
  present({
    ...{ state, kind, client_id: clientId, app_id: appId, from: textOf(from), to: textOf(to) },
    ...{ failed_since: textOf(failedSince), missing_since: textOf(missingSince) },
  });

/** A resend in the form of the API. */
export const resendView = ({ id, state, count, perSecond, filter, at, endedAt }: Resend): object =>
  present({ id, state, count, per_second: perSecond, filter: filterView(filter), created_at: timeText(at), ended_at: textOf(endedAt) });

export const progressView = ({ waiting, delivered, failed, ...resend }: ResendProgress): object => ({
  ...resendView(resend),
  ...{ waiting, delivered, failed },
});

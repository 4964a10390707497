import { deliveryKinds, deliveryStates, type DeliveryKind, type DeliveryState } from '../../../../domain/deliveries/delivery';
import { resendRules, type Resend, type ResendFilter, type ResendProgress } from '../../../../domain/deliveries/resend';
import { timeText } from './partner-wire';
import { present } from './present';
import { time } from './query';
import { Flag, HeaderText, OneOf, Optional, Rule, Whole, type ValueRule } from '../../../dto/decorators';

const moment: ValueRule = {
  schema: { type: 'string', format: 'date-time' },
  problemOf: (value) => {
    try {
      time(typeof value === 'string' ? value : '');
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : 'must be a date and time';
    }
  },
};

/** Which deliveries are wanted again, and how many of them a second. */
export class ResendDto {
  @Optional() @OneOf(deliveryStates) state?: DeliveryState;
  @Optional() @OneOf(deliveryKinds) kind?: DeliveryKind;
  @Optional() @HeaderText(64) client_id?: string;
  @Optional() @HeaderText(64) app_id?: string;
  @Optional() @Rule(moment) from?: string;
  @Optional() @Rule(moment) to?: string;
  @Optional() @Rule(moment) failed_since?: string;
  @Optional() @Rule(moment) missing_since?: string;
  @Optional() @Whole(1, resendRules.fastest) per_second?: number;
  /** Only counted. */
  @Optional() @Flag() preview?: boolean;
}

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : time(text));

export const resendFilter = (facts: ResendDto): ResendFilter =>
  present({
    state: facts.state,
    kind: facts.kind,
    clientId: facts.client_id,
    appId: facts.app_id,
    from: timeOf(facts.from),
    to: timeOf(facts.to),
    failedSince: timeOf(facts.failed_since),
    missingSince: timeOf(facts.missing_since),
  });

const textOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const filterView = ({ state, kind, clientId, appId, from, to, failedSince, missingSince }: ResendFilter): object =>
  present({
    ...{ state, kind, client_id: clientId, app_id: appId, from: textOf(from), to: textOf(to) },
    ...{ failed_since: textOf(failedSince), missing_since: textOf(missingSince) },
  });

/** A batch as it is shown. */
export const resendView = ({ id, state, count, perSecond, filter, at, endedAt }: Resend): object =>
  present({ id, state, count, per_second: perSecond, filter: filterView(filter), created_at: timeText(at), ended_at: textOf(endedAt) });

export const progressView = ({ waiting, delivered, failed, ...resend }: ResendProgress): object => ({
  ...resendView(resend),
  ...{ waiting, delivered, failed },
});

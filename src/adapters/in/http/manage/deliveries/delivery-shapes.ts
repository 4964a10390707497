import { attemptReasons, deliveryKinds, deliveryStates } from '../../../../../domain/deliveries/delivery';
import { queueStates } from '../../../../../domain/deliveries/endpoint-queue';
import { resendStates } from '../../../../../domain/deliveries/resend';
import {
  count,
  list,
  members,
  object,
  oneOf,
  ref,
  text,
  time,
  uri,
  whole,
  type Member,
  type Members,
  type Schema,
} from '../../../../dto/schema';
import { integrationId, pairIfKnown } from '../../../../dto/shared-members';
import { asWritten } from '../../../../dto/written-members';
import { answered, tookMs } from '../exchanges/exchange-shapes';
import { ResendDto } from './resend.dto';

const receiver: Member = [oneOf('hostapp', 'miniapp'), 'Partner that gets the delivery.'];
const queue: Member = [text, 'Endpoint queue as receiver, id and kind with colons between, such as `miniapp:app_abc123:completion`.'];

const delivery: Members = {
  id: [text, 'Id of the delivery; the receiver gets it as `webhook-id`.'],
  ...pairIfKnown,
  integration_id: integrationId,
  kind: [oneOf(...deliveryKinds), '`completion`: the result of a payment; `event`: a durable event.'],
  receiver,
  queue,
  'payment_id?': [text, 'Payment whose result it is, by its id inside the service; absent of events.'],
  state: [
    oneOf(...deliveryStates),
    '`ready`: attempted until received; `parked`: waits for a setting; `failed`: given up, and can be resent.',
  ],
  'parked_by?': [text, 'Code that names the feature or setting that is off; absent unless it is parked.'],
  attempt_count: [count, 'Attempts that were made so far.'],
  'due_at?': [time, 'When the next attempt is due; absent once it has ended.'],
  created_at: [time, 'When it was queued.'],
  'ended_at?': [time, 'When it was received or given up; absent before.'],
  'resent_at?': [time, 'When somebody last asked for it again; absent: nobody did.'],
  planned_attempts: [count, 'Attempts of the whole schedule, after which a delivery is given up.'],
  'last_attempt_at?': [time, 'When it was attempted last; absent: not yet.'],
  'last_status?': [whole, 'HTTP status of the last attempt; absent where no answer came.'],
  'last_error_code?': [text, "The receiver's own code at the last attempt, or the service's; on a receipt it is only noted."],
  'last_cause?': [text, 'Why the last attempt was not received, in one stable word such as `timeout`.'],
  'aborted_reason?': [text, 'What somebody said who gave it up; absent where nobody did.'],
};

const resend: Members = {
  id: [text, 'Id of the batch.'],
  state: [oneOf(...resendStates), '`running` until each of its deliveries has been asked for again.'],
  count: [count, 'Deliveries in the batch, at most 100,000.'],
  per_second: [whole, 'Deliveries a second at which the batch asks for them.'],
  filter: [ref('ResendFilter'), 'Conditions by which the deliveries were chosen.'],
  created_at: [time, 'When somebody asked for the batch.'],
  'ended_at?': [time, 'When the batch was done or cancelled; absent while it runs.'],
};

const paused = members({
  at: [time, 'When the queue was paused.'],
  by: [text, 'Who paused it, as the audit trail names them.'],
  reason: [text, 'Why, in the words of who paused it.'],
});

/** Schemas of deliveries, endpoint queues and resends. */
export const deliveryShapes: Readonly<Record<string, Schema>> = {
  Delivery: object('A webhook or event that a partner must receive. Its body is not shown.', delivery),
  DeliveryHistory: object('A delivery with its attempts.', {
    ...delivery,
    attempts: [list(ref('Attempt')), 'The last 200 attempts, oldest first.'],
    'planned?': [list(time), 'When it is attempted further, as long as every attempt fails.'],
  }),
  Attempt: object('One attempt at a delivery. No URL, header or body is kept.', {
    reason: [
      oneOf(...attemptReasons),
      '`schedule`: it was due; `probe`: a probe of a failing endpoint; `release`: the endpoint is back; `operator`: somebody asked.',
    ],
    at: [time, 'When the attempt began.'],
    ms: tookMs,
    ...answered,
  }),
  DeliveryRequest: object('The request that would deliver it now, signed and with its body. It is not sent.', {
    id: [text, 'Id of the delivery.'],
    receiver,
    method: [text, 'HTTP method, always `POST`.'],
    url: [uri, "Address from the receiver's settings."],
    headers: [list(list(text)), 'Pairs of name and value, credentials and signature included.'],
    body_base64: [text, 'Bytes of the body in base64.'],
  }),
  DeliveryQueue: object('The queue of one endpoint of one partner.', {
    queue,
    state: [
      oneOf(...queueStates),
      'Circuit of the endpoint: `open` lets probes through alone, `half-open` and `recovering` work off what waits, `paused` waits for resume.',
    ],
    failures: [count, 'Failed attempts in a row.'],
    waiting: [count, 'Deliveries that wait in the queue, counted up to 100,000; parked ones are left out.'],
    'oldest?': [time, 'When the delivery that waits longest was queued; absent where nothing waits.'],
    'next_probe_at?': [time, 'When the endpoint is probed next; absent where no probe is planned.'],
    'paused?': [paused, 'Who paused the queue; absent unless it is paused.'],
  }),
  ResendFilter: object('Conditions that a delivery must meet to be in a batch; all of them hold.', {
    ...asWritten(ResendDto, {
      'state?': oneOf(...deliveryStates),
      'kind?': oneOf(...deliveryKinds),
      'client_id?': text,
      'app_id?': text,
      'from?': time,
      'to?': time,
      'failed_since?': time,
      'missing_since?': time,
    }),
  }),
  Resend: object('A batch of deliveries that are sent once more.', resend),
  ResendProgress: object('A batch with how far its deliveries are.', {
    ...resend,
    waiting: [count, 'Deliveries of the batch that are not received yet.'],
    delivered: [count, 'Deliveries of the batch that were received since it began.'],
    failed: [count, 'Deliveries of the batch that were given up again.'],
  }),
};

import { causes, outcomes } from '../../../../../domain/figures/outcome';
import {
  count,
  list,
  members,
  number,
  object,
  oneOf,
  ref,
  text,
  time,
  whole,
  type Member,
  type Members,
  type Schema,
} from '../../../../dto/schema';
import { pair } from '../../../../dto/shared-members';
import { range, slotLength } from './figure-calls';

const slotStart: Member = [time, 'When the slot begins.'];
const slotted: Members = { ...range, slot_s: slotLength };
const slots = (of: Members): Member => [list(members({ at: slotStart, ...of })), 'One entry for each slot of the range, oldest first.'];

const counts: Members = Object.fromEntries(
  outcomes.map((outcome) => {
    const description = {
      ok: 'Calls that went well.',
      partner_error: 'Calls that failed at a partner.',
      refused: 'Calls that the service refused.',
      platform_error: 'Calls in which the service itself failed.',
    }[outcome];
    return [outcome, [count, description]];
  }),
);

const refusals: Members = Object.fromEntries(
  causes.map((cause) => {
    const description = {
      basic: 'Calls refused for their Basic credentials.',
      signature: 'Calls refused for their signature.',
      address: 'Calls refused for the address from which they came.',
      feature: 'Calls refused as a feature or the integration is off.',
      other: 'Calls refused for any other reason.',
    }[cause];
    return [cause, [count, description]];
  }),
);

const durations: Members = {
  count: [count, 'Calls that were measured.'],
  'p50?': [number, 'Milliseconds within which half of the calls were answered; absent without calls.'],
  'p95?': [number, 'Milliseconds within which 95 of 100 calls were answered; absent without calls.'],
  'p99?': [number, 'Milliseconds within which 99 of 100 calls were answered; absent without calls.'],
  'mean?': [number, 'Mean duration in milliseconds; absent without calls.'],
  'platform?': [number, "The service's own part of the mean, in milliseconds; absent without calls."],
  'host_app?': [number, "The host app's part of the mean, in milliseconds; absent without calls."],
  'miniapp?': [number, "The miniapp's part of the mean, in milliseconds; absent without calls."],
};

const ending = members({
  'outcome?': [oneOf(...outcomes), 'How these calls ended; absent where they are not told apart by it.'],
  'status?': [whole, 'HTTP status that the callers got; absent where they are not told apart by it.'],
  'error_code?': [text, 'Code that the callers got; absent where there was none.'],
  'failed_side?': [text, 'Party that failed; absent where none did.'],
  'failed_step?': [text, 'Call to a partner that failed; absent where none did.'],
  count: [count, 'Calls that ended so.'],
});

const refreshed = members({
  ok: [count, 'Refreshes that brought a new token.'],
  failed: [count, 'Refreshes that brought none.'],
  shared: [count, 'Calls that used the result of the refresh of another call.'],
});

const timeToFinal = members({
  bars: [
    list(
      members({
        from_ms: [whole, 'Shortest duration of the bar, in milliseconds.'],
        'to_ms?': [whole, 'End of the bar, in milliseconds; absent: it has none.'],
        final: [count, 'Payments that got their result within the bar.'],
        overdue: [count, 'Payments in process for that long.'],
      }),
    ),
    'Payments by how long they took, the quickest first.',
  ],
  'p50_ms?': [number, 'Milliseconds within which half of the final payments got their result; absent without any.'],
  'p95_ms?': [number, 'Milliseconds within which 95 of 100 final payments got their result; absent without any.'],
});

const endpoint = members({
  queue: [text, 'Endpoint queue, such as `miniapp:app_abc123:completion`.'],
  count: [count, 'Deliveries that were queued in the range.'],
  delivered: [count, 'Deliveries of these that were received.'],
  failed: [count, 'Deliveries of these that were given up.'],
  first_try: [count, 'Deliveries of these that were received at the first attempt.'],
  attempted: [count, 'Deliveries of these that were attempted at least once.'],
  by_attempts: [list(whole), 'Deliveries by the number of their attempts, one number for each of `attempt_edges`.'],
});

const backlog = members({
  depth: [count, 'Deliveries that wait now.'],
  'oldest?': [time, 'When the one that waits longest was queued; absent where none waits.'],
  line: [
    list(members({ at: [time, 'Moment that the number is of.'], depth: [count, 'Deliveries that waited at that moment.'] })),
    'How many waited over the range, oldest first.',
  ],
});

/** Schemas of statistics of calls, payments and deliveries. */
export const figureShapes: Readonly<Record<string, Schema>> = {
  TrafficSlot: object('Calls of one slot by how they ended.', { at: slotStart, ...counts }),
  Traffic: object('Calls by how they ended, over time.', {
    ...slotted,
    data: [list(ref('TrafficSlot')), 'One entry for each slot of the range, oldest first.'],
  }),
  Durations: object('How long calls took; values are at most 5 % off.', durations),
  Latency: object('How long calls took, over time.', {
    ...slotted,
    data: slots(durations),
    whole: [ref('Durations'), 'All calls of the range together.'],
  }),
  Endings: object('Statuses and failures, the most frequent first.', {
    ...slotted,
    statuses: [list(ending), 'Calls by the HTTP status that the callers got.'],
    failures: [list(ending), 'Failed calls by code, party and step.'],
  }),
  Refusals: object('Calls that the service refused, by their cause, over time.', { ...slotted, data: slots(refusals) }),
  Refreshes: object('Refreshes of tokens, over time.', {
    ...slotted,
    data: slots({
      user: [refreshed, 'Access tokens of users, from `refresh_token_url`.'],
      client: [refreshed, "The service's own tokens, from `client_access_token_url`."],
    }),
  }),
  CallCounts: object('Calls of each endpoint by how they ended.', {
    ...slotted,
    data: [
      list(members({ call: [text, 'Endpoint by its short name, such as `connect`.'], ...counts })),
      'One entry for each endpoint that was called.',
    ],
  }),
  Spread: object('Calls by how long they took, over time.', {
    ...slotted,
    data: slots({
      from_ms: [number, 'Calls that took longer than this, in milliseconds.'],
      'to_ms?': [number, 'Calls that took at most this, in milliseconds; absent: no end.'],
      count: [count, 'Calls of the slot within these bounds.'],
    }),
  }),
  PairFigures: object('The calls of one integration in the range.', {
    ...pair,
    ...counts,
    'p95?': [number, 'Milliseconds within which 95 of 100 calls were answered; absent without calls.'],
    host_app_ms: [number, "The host app's part of the mean duration, in milliseconds."],
    miniapp_ms: [number, "The miniapp's part of the mean duration, in milliseconds."],
    last_at: [time, 'When the last call came.'],
    series: [list(ref('TrafficSlot')), 'Calls over the range in slots of `series_slot_s`, oldest first.'],
  }),
  PaymentFigures: object('How far the payments of the range came, and how long they took.', {
    ...range,
    funnel: [
      members({
        created: [count, 'Payments that miniapps asked for.'],
        accepted: [count, 'Payments of these that the host app opened.'],
        final: [count, 'Payments of these that have a final result.'],
        noticed: [count, 'Payments of these whose result the miniapp has received.'],
      }),
      'Payments by the steps that they have reached.',
    ],
    in_process: [count, 'Opened payments without a result, overdue ones included.'],
    overdue: [count, 'Payments in process for longer than `overdue_after_ms`.'],
    overdue_after_ms: [whole, 'Milliseconds after which a payment in process counts as overdue.'],
    time_to_final: [timeToFinal, 'How long payments took from their creation to their result.'],
  }),
  DeliveryFigures: object('The deliveries of the range, by endpoint.', {
    ...range,
    attempt_edges: [list(whole), 'Numbers of attempts at which the groups of `by_attempts` begin.'],
    endpoints: [list(endpoint), 'One entry for each endpoint queue that had a delivery.'],
    'backlog?': [backlog, 'Deliveries that wait; absent unless the range ends now.'],
  }),
};

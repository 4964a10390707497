import { checkNames } from '../../../../../domain/exchanges/exchange';
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
import { pairIfKnown, requestIdOfCall } from '../../../../dto/shared-members';

const party = oneOf('hostapp', 'miniapp', 'platform');
const partner = oneOf('hostapp', 'miniapp');
const mark = oneOf('passed', 'refused', 'not-checked');

/** Members about a partner's answer to a call. */
export const answered: Members = {
  'status?': [whole, "HTTP status of the partner's answer; absent where none came."],
  'error_code?': [text, "The partner's own code, or the service's code for an answer that cannot be used; absent where all went well."],
  'cause?': [text, 'Reason in one stable word where there was no readable answer, such as `timeout`.'],
};
export const tookMs: Member = [number, 'Duration in milliseconds, from the begin of the request to the end of the answer.'];

const exchange: Members = {
  id: [text, 'Id of the exchange record.'],
  request_id: requestIdOfCall,
  call: [text, 'Endpoint by its short name, such as `create_order_payment`; `reconcile` for a status poll of the service.'],
  from: [party, 'Party that made the call.'],
  ...pairIfKnown,
  'reference?': [text, "The user's reference at the host app, masked but for two characters at each end; absent where no user is known."],
  at: [time, 'When the call came in.'],
  ms: [number, 'Duration of the whole call in milliseconds, the calls to partners included.'],
  status: [whole, 'HTTP status that the caller got.'],
  'error_code?': [text, 'Code that the caller got; absent of a call that went well.'],
  'failed_side?': [party, 'Party that failed or has to act; absent of a call that went well.'],
  'failed_step?': [text, 'Call to a partner that failed, such as `exchange`; absent where none did.'],
  checks: [list(oneOf(...checkNames)), 'Credential checks that the caller passed.'],
  'refused?': [
    members({
      check: [oneOf(...checkNames), 'Credential check that was not passed.'],
      of: [partner, 'Partner whose credentials were checked.'],
    }),
    'The credential check that the caller did not pass; absent where all passed.',
  ],
  'part_of?': [text, 'Id of the payment, or of the delivery of a durable event, to which the call belongs.'],
  verdict: [ref('Verdict'), 'How the call went and who has to act.'],
  legs: [list(ref('Leg')), 'Calls to partners that this call needed, in order.'],
};

const step = members({
  kind: [
    oneOf('call', 'leg', 'poll', 'attempt', 'planned'),
    '`call`: into the service; `leg`: to a partner because of one; `ask`: a status poll; `attempt` and `planned`: of a delivery.',
  ],
  from: [party, 'Party from which the line begins.'],
  to: [party, 'Party at which the line ends.'],
  what: [text, 'Name of the call, step of a leg, or kind of the delivery.'],
  at: [time, 'When it began, or is due.'],
  'ms?': [number, 'Duration in milliseconds; absent of what is only planned.'],
  ...answered,
  attempt: [count, 'Number of the try; 1 is the first.'],
  'after_unauthorized?': [{ const: true }, 'There where the try before was answered 401, so it went again with new credentials.'],
  'checks?': [ref('Marks'), 'Credential checks of a `call`.'],
  'request_id?': requestIdOfCall,
  'exchange_id?': [text, 'Exchange record that the line belongs to.'],
  'delivery_id?': [text, 'Delivery that the line belongs to.'],
});

/** Schemas of exchanges, timelines and evidence. */
export const exchangeShapes: Readonly<Record<string, Schema>> = {
  Verdict: object('Who has to act, and what happened.', {
    side: [
      oneOf('nobody', 'hostapp', 'miniapp', 'platform', 'operator'),
      'Party that has to act: `platform` means that the service failed, `operator` that a setting stands in the way.',
    ],
    sentence: [text, 'What happened, in one sentence for people.'],
    'next?': [text, 'First thing to do; absent where there is nothing to do.'],
  }),
  Leg: object('One call to a partner. No URL, header, body or token is kept.', {
    to: [partner, 'Partner that was called.'],
    step: [text, 'Purpose of the call, such as `user_data` or `create`.'],
    attempt: [count, 'Number of the try: 1, or 2 for the one retry after a 401.'],
    started_at: [time, 'When the request to the partner began.'],
    ms: tookMs,
    ...answered,
  }),
  Marks: object('The three credential checks of a call; `not-checked` where the settings do not want one.', {
    basic: [mark, 'Result of the check of the Basic credentials.'],
    signature: [mark, 'Result of the check of the request signature.'],
    address: [mark, 'Result of the check against the address allowlist.'],
  }),
  TimeSplit: object('Milliseconds by the party that took them.', {
    platform: [number, 'What the calls to partners did not take, in milliseconds.'],
    hostapp: [number, 'Duration of all calls to the host app in milliseconds.'],
    miniapp: [number, 'Duration of all calls to the miniapp in milliseconds.'],
  }),
  Exchange: object('The record of one call with its calls to partners.', exchange),
  ExchangeWhole: object('The record of one call, with what helps to repeat and to explain it.', {
    ...exchange,
    'curl?': [text, 'Shell command that makes the call again, its credentials left out; absent where no request can be told.'],
    'explainable?': [
      { const: true },
      'There while the request is kept for `POST /signatures/explain`, for a day after a refused signature.',
    ],
  }),
  RawRequest: object('A request as it came in, its credentials left out.', {
    method: [text, 'HTTP method of the request.'],
    target: [text, 'Path and query, as they were sent.'],
    headers: [list(list(text)), 'Pairs of name and value, in the order sent.'],
    body_base64: [text, 'Bytes of the body in base64.'],
  }),
  Timeline: object('What belongs to one call, payment or delivery, in the order of time.', {
    kind: [oneOf('exchange', 'payment', 'delivery'), 'Sort of record for which the timeline was read.'],
    id: [text, 'Id of that record.'],
    ...pairIfKnown,
    verdict: [ref('Verdict'), 'How it stands as a whole and who has to act.'],
    split_ms: [ref('TimeSplit'), 'Time of all its calls, by the party that took it.'],
    'payment?': [ref('PaymentHistory'), 'The payment, where there is one.'],
    'delivery?': [ref('DeliveryHistory'), 'The delivery, where there is one.'],
    exchanges: [list(ref('Exchange')), 'Records of the calls, oldest first.'],
    steps: [list(step), 'Lines between the parties, in the order of time.'],
  }),
  EvidenceLink: object('A link to signed evidence of one call; its token is not shown.', {
    id: [text, 'Id of the link.'],
    exchange_id: [text, 'Exchange record that the link shows.'],
    ...pairIfKnown,
    state: [oneOf('open', 'expired', 'revoked'), 'Whether the link still opens, and if not, why.'],
    created_by: [text, 'Who made the link, as the audit trail names them.'],
    created_at: [time, 'When the link was made.'],
    expires_at: [time, 'When the link stops opening.'],
    'revoked_at?': [time, 'When somebody revoked the link; absent: nobody did.'],
    opened: [count, 'Times that the link was opened.'],
    'opened_at?': [time, 'When the link was opened last; absent: never.'],
  }),
  Hit: object('A record that has the id.', {
    kind: [oneOf('exchange', 'payment', 'delivery', 'user', 'host_app', 'miniapp'), 'Sort of record that was found.'],
    id: [text, 'Id by which the record is read.'],
    by: [text, 'Which of its ids matched, such as `request id`.'],
    ...pairIfKnown,
    'at?': [time, 'When the record was made, or the user last signed on; absent of partners.'],
  }),
};

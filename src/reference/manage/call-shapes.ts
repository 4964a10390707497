import { attemptReasons, deliveryKinds, deliveryStates } from '../../domain/deliveries/delivery';
import { laneStates } from '../../domain/deliveries/lane';
import { resendStates } from '../../domain/deliveries/resend';
import { paymentCreations } from '../../domain/payments/payment-book';
import { statusOfWord } from '../../domain/payments/order-payment';
import { checkNames } from '../../domain/exchanges/exchange';
import { sampleLanguages } from '../../domain/credentials/explain/samples/sample';
import { count, flag, list, members, number, oneOf, ref, text, time, uri, whole, type Schema } from '../schema';

const side = oneOf('hostapp', 'miniapp', 'platform');
const mark = oneOf('passed', 'refused', 'not-asked');
const said = { 'status?': whole, 'error_code?': text, 'cause?': text };
const words = oneOf(...Object.keys(statusOfWord));
const statuses = oneOf(...new Set(Object.values(statusOfWord)));

const exchange = {
  id: text,
  request_id: text,
  call: text,
  from: side,
  'client_id?': text,
  'app_id?': text,
  'reference?': text,
  at: time,
  ms: number,
  status: whole,
  'error_code?': text,
  'failed_side?': side,
  'failed_step?': text,
  checks: list(oneOf(...checkNames)),
  'refused?': members({ check: oneOf(...checkNames), of: oneOf('hostapp', 'miniapp') }),
  'part_of?': text,
  verdict: ref('Verdict'),
  legs: list(ref('Leg')),
};

const delivery = {
  id: text,
  'client_id?': text,
  'app_id?': text,
  integration_id: text,
  kind: oneOf(...deliveryKinds),
  receiver: oneOf('hostapp', 'miniapp'),
  lane: text,
  'payment_id?': text,
  state: oneOf(...deliveryStates),
  'parked_by?': text,
  attempt_count: count,
  'due_at?': time,
  created_at: time,
  'ended_at?': time,
  'resent_at?': time,
  planned_attempts: count,
  'last_attempt_at?': time,
  'last_status?': whole,
  'last_error_code?': text,
  'last_cause?': text,
  'aborted_reason?': text,
};

const payment = {
  id: text,
  'client_id?': text,
  'app_id?': text,
  integration_id: text,
  'order_payment_id?': text,
  creation: oneOf(...paymentCreations),
  status: statuses,
  'amount?': text,
  'currency?': text,
  'unreadable?': { const: true },
  created_at: time,
  'settled_at?': time,
  asks: count,
  'last_ask_at?': time,
  'last_outcome?': text,
  'next_ask_at?': time,
  'order_id?': text,
  'notice?': oneOf(...deliveryStates),
  open_conflicts: count,
};

const disagreement = members({
  id: text,
  kind: oneOf('conflict', 'difference'),
  'payment_status?': words,
  'unreadable?': { const: true },
  differs_in: list(oneOf('payment_status', 'payment_fail_reason', 'custom_attributes')),
  request_id: text,
  at: time,
  'resolved?': members({ at: time, by: text, reason: text }),
});

const timelineStep = members({
  kind: oneOf('call', 'leg', 'ask', 'attempt', 'planned'),
  from: side,
  to: side,
  what: text,
  at: time,
  'ms?': number,
  ...said,
  attempt: count,
  'after_unauthorized?': { const: true },
  'checks?': ref('Marks'),
  'request_id?': text,
  'exchange_id?': text,
  'delivery_id?': text,
});

const resend = {
  id: text,
  state: oneOf(...resendStates),
  count,
  per_second: whole,
  filter: ref('ResendFilter'),
  created_at: time,
  'ended_at?': time,
};

/** Calls, payments, deliveries, and findings about them. */
export const callShapes: Readonly<Record<string, Schema>> = {
  Verdict: members({ side: oneOf('nobody', 'hostapp', 'miniapp', 'platform', 'operator'), sentence: text, 'next?': text }),
  Leg: members({ to: oneOf('hostapp', 'miniapp'), step: text, attempt: count, started_at: time, ms: number, ...said }),
  Marks: members({ basic: mark, signature: mark, address: mark }),
  TimeSplit: members({ platform: number, hostapp: number, miniapp: number }),
  Exchange: members(exchange),
  ExchangeWhole: members({ ...exchange, 'curl?': text, 'explainable?': { const: true } }),
  RawRequest: members({ method: text, target: text, headers: list(list(text)), body_base64: text }),
  Payment: members(payment),
  PaymentHistory: members({
    ...payment,
    'result?': members({ payment_status: words, request_id: text, at: time }),
    disagreements: list(disagreement),
  }),
  UnmatchedResult: members({
    id: text,
    'client_id?': text,
    'app_id?': text,
    integration_id: text,
    order_payment_id: text,
    status: statuses,
    'request_id?': text,
    'unreadable?': { const: true },
    received_at: time,
  }),
  Delivery: members(delivery),
  DeliveryHistory: members({ ...delivery, attempts: list(ref('Attempt')), 'planned?': list(time) }),
  Attempt: members({ reason: oneOf(...attemptReasons), at: time, ms: number, ...said }),
  DeliveryRequest: members({
    id: text,
    receiver: oneOf('hostapp', 'miniapp'),
    method: text,
    url: uri,
    headers: list(list(text)),
    body_base64: text,
  }),
  DeliveryLane: members({
    lane: text,
    state: oneOf(...laneStates),
    failures: count,
    waiting: count,
    'oldest?': time,
    'next_look_at?': time,
    'paused?': members({ at: time, by: text, reason: text }),
  }),
  ResendFilter: members({
    'state?': oneOf(...deliveryStates),
    'kind?': oneOf(...deliveryKinds),
    'client_id?': text,
    'app_id?': text,
    'from?': time,
    'to?': time,
    'failed_since?': time,
    'missing_since?': time,
  }),
  Resend: members(resend),
  ResendProgress: members({ ...resend, waiting: count, delivered: count, failed: count }),
  Timeline: members({
    kind: oneOf('exchange', 'payment', 'delivery'),
    id: text,
    'client_id?': text,
    'app_id?': text,
    verdict: ref('Verdict'),
    split_ms: ref('TimeSplit'),
    'payment?': ref('PaymentHistory'),
    'delivery?': ref('DeliveryHistory'),
    exchanges: list(ref('Exchange')),
    steps: list(timelineStep),
  }),
  EvidenceLink: members({
    id: text,
    exchange_id: text,
    'client_id?': text,
    'app_id?': text,
    state: oneOf('open', 'expired', 'revoked'),
    created_by: text,
    created_at: time,
    expires_at: time,
    'revoked_at?': time,
    opened: count,
    'opened_at?': time,
  }),
  Explanation: members({
    verdict: oneOf('fits', 'explained', 'unknown', 'settings-incomplete'),
    sentence: text,
    causes: list(members({ code: text, codes: list(text), sentence: text })),
    'differs_at?': count,
    'difference?': members({ expected: ref('Excerpt'), signed: ref('Excerpt') }),
    'expected_string?': text,
    'signed_string?': text,
    'clock_skew_s?': number,
    code: ref('SigningCode'),
    checking_code: ref('SigningCode'),
  }),
  Excerpt: members({ text, column: count }),
  SigningCode: members(Object.fromEntries(sampleLanguages.map((language) => [`${language}?`, text]))),
  SignaturePreview: members({
    url: text,
    signed_string: text,
    bytes: count,
    'signature?': text,
    headers: list(list(text)),
    'public_key?': text,
    code: ref('SigningCode'),
    checking_code: ref('SigningCode'),
  }),
  OpenedPayload: members({
    opens: flag,
    cipher: oneOf('AES-256-CBC', 'AES-256-GCM'),
    'plain?': text,
    'problem?': oneOf('encoding', 'length', 'key', 'padding', 'tag', 'cipher'),
    'sentence?': text,
  }),
};

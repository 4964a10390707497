import { EvidenceShareDto } from '../../adapters/in/http/manage/evidence-routes';
import { ExplainDto } from '../../adapters/in/http/manage/explain.dto';
import { ReasonDto } from '../../adapters/in/http/manage/reason.dto';
import { ResendDto } from '../../adapters/in/http/manage/resend.dto';
import { OpenPayloadDto, SignDto } from '../../adapters/in/http/manage/sign.dto';
import { deliveryKinds, deliveryStates } from '../../domain/deliveries/delivery';
import { checkNames } from '../../domain/exchanges/exchange';
import { paymentCreations } from '../../domain/payments/payment-book';
import { statusOfWord } from '../../domain/payments/order-payment';
import { count, list, members, oneOf, ref, text, time, uri, whole } from '../schema';
import type { ManageCalls, ManageTag } from './operation';
import { pageOf } from './partner-shapes';

const pair = { client_id: text, app_id: text };
const window = { from: time, to: time };

const exchangeFilters = {
  ...pair,
  call: text,
  status: { ...whole, minimum: 100, maximum: 599 },
  error_code: text,
  request_id: text,
  status_class: { ...whole, minimum: 1, maximum: 5 },
  failed_side: oneOf('hostapp', 'miniapp', 'platform'),
  refused_check: oneOf(...checkNames),
  min_ms: count,
  part_of: text,
  ...window,
};

const exchanges: ManageCalls = {
  'GET /exchanges': {
    ...{ id: 'listExchanges', says: 'List calls, newest first', who: 'everyone', query: exchangeFilters, gives: pageOf('Exchange') },
    more: 'An exchange is the record of one call with both its legs. No URL, header, body or token is in it.',
  },
  'GET /exchanges/{id}': {
    ...{ id: 'getExchange', says: 'Read a call', who: 'everyone', gives: ref('ExchangeWhole') },
    more: 'With a curl command that makes the call again, its credentials left out.',
  },
  'POST /exchanges/{id}/raw': {
    ...{ id: 'revealRequest', says: 'Look at a request as it came in', who: 'everyone', gives: ref('RawRequest') },
    more: 'Kept for a day where a signature was refused, its credentials left out. That somebody looked is audited.',
  },
  'GET /timelines/exchange/{id}': {
    ...{ id: 'getTimelineOfExchange', says: 'Read what belongs to a call, in order, and who has to act', who: 'everyone' },
    gives: ref('Timeline'),
  },
  'GET /timelines/payment/{id}': {
    ...{ id: 'getTimelineOfPayment', says: 'Read what belongs to a payment, in order, and who has to act', who: 'everyone' },
    gives: ref('Timeline'),
  },
  'GET /timelines/delivery/{id}': {
    ...{ id: 'getTimelineOfDelivery', says: 'Read what belongs to a delivery, in order, and who has to act', who: 'everyone' },
    gives: ref('Timeline'),
  },
  'GET /search': {
    ...{ id: 'findById', says: 'Find whatever has an id, by its whole id', who: 'everyone', query: { 'q!': text } },
    gives: members({ data: list(ref('Hit')) }),
  },
};

const evidence: ManageCalls = {
  'POST /exchanges/{id}/evidence': {
    ...{
      id: 'shareEvidence',
      says: 'Make a link that both partners can open',
      who: 'everyone',
      body: EvidenceShareDto,
      bodyOptional: true,
    },
    more: 'What it shows is redacted and signed. The URL is told once.',
    ...{ gives: { allOf: [ref('EvidenceLink'), members({ url: uri })] }, status: 201 },
  },
  'GET /evidence': {
    ...{ id: 'listEvidence', says: 'List links to evidence', who: 'everyone', query: { exchange_id: text, ...pair } },
    gives: pageOf('EvidenceLink'),
  },
  'DELETE /evidence/{id}': { id: 'revokeEvidence', says: 'Revoke a link', who: 'everyone', gives: ref('EvidenceLink') },
};

const statuses = [...new Set(Object.values(statusOfWord))];
const paymentFilters = {
  id: text,
  ...pair,
  order_payment_id: text,
  status: oneOf(...statuses),
  creation: oneOf(...paymentCreations),
  notice: oneOf(...deliveryStates),
  conflict: oneOf('open'),
  settled: oneOf('yes', 'no'),
  ...window,
};

const payments: ManageCalls = {
  'GET /payments': {
    ...{ id: 'listPayments', says: 'List payments, newest first', who: 'everyone', query: paymentFilters, gives: pageOf('Payment') },
    more: 'Orders and users are not shown.',
  },
  'GET /payments/unmatched': {
    ...{ id: 'listUnmatchedResults', says: 'List results that no payment was opened for', who: 'everyone' },
    ...{ query: { ...pair, order_payment_id: text }, gives: pageOf('UnmatchedResult') },
  },
  'GET /payments/{id}': {
    id: 'getPayment',
    says: 'Read a payment with what was reported of it',
    who: 'everyone',
    gives: ref('PaymentHistory'),
  },
  'POST /payments/{id}/ask': {
    ...{ id: 'askPaymentNow', says: 'Ask the host app at once how a payment stands', who: 'everyone', gives: ref('PaymentHistory') },
    kinds: ['conflict', 'forbidden'],
  },
  'POST /payments/{id}/conflicts/{conflict}/resolve': {
    ...{ id: 'resolveConflict', says: 'Mark a conflict as looked into', who: 'operator', body: ReasonDto, gives: ref('PaymentHistory') },
  },
};

const deliveryFilters = {
  id: text,
  ...pair,
  kind: oneOf(...deliveryKinds),
  state: oneOf(...deliveryStates),
  lane: text,
  ...window,
};

const deliveries: ManageCalls = {
  'GET /deliveries': {
    ...{ id: 'listDeliveries', says: 'List deliveries, newest first', who: 'everyone', query: deliveryFilters, gives: pageOf('Delivery') },
    more: 'Completions and durable events that a partner is owed. Bodies are not shown.',
  },
  'GET /deliveries/{id}': { id: 'getDelivery', says: 'Read a delivery with its attempts', who: 'everyone', gives: ref('DeliveryHistory') },
  'POST /deliveries/{id}/resend': {
    ...{ id: 'resendDelivery', says: 'Deliver once more', who: 'everyone', gives: ref('Delivery') },
    more: 'A partner may ask for what it receives itself.',
  },
  'POST /deliveries/{id}/abort': {
    ...{
      id: 'abortDelivery',
      says: 'Give up on a delivery',
      who: 'everyone',
      body: ReasonDto,
      gives: ref('Delivery'),
      kinds: ['conflict'],
    },
  },
  'POST /deliveries/{id}/request': {
    ...{ id: 'draftDelivery', says: 'Get the request that would deliver it now', who: 'operator', gives: ref('DeliveryRequest') },
    more: 'Whole and signed, with the body; nothing is sent. In development alone.',
    kinds: ['conflict', 'forbidden'],
  },
  'POST /deliveries/resend': {
    ...{ id: 'resendDeliveries', says: 'Deliver many once more, so many a second', who: 'operator', body: ResendDto },
    more: 'Exactly one of `state`, `failed_since` and `missing_since`. With `preview` they are only counted.',
    ...{ gives: ref('Resend'), status: 202 },
    or: { status: 200, says: 'How many it would be, and the first of them.', schema: members({ count, ids: list(text) }) },
  },
  'GET /resends': { id: 'listResends', says: 'List batches, newest first', who: 'operator', query: {}, gives: pageOf('Resend') },
  'GET /resends/{id}': { id: 'getResend', says: 'Read how far a batch is', who: 'operator', gives: ref('ResendProgress') },
  'POST /resends/{id}/cancel': { id: 'cancelResend', says: 'Cancel a batch', who: 'operator', gives: ref('ResendProgress') },
  'GET /delivery-lanes': {
    ...{
      id: 'listLanes',
      says: 'List endpoints in trouble or for which something waits',
      who: 'everyone',
      query: {},
      gives: pageOf('DeliveryLane'),
    },
  },
  'GET /delivery-lanes/{lane}': { id: 'getLane', says: 'Read how an endpoint stands', who: 'everyone', gives: ref('DeliveryLane') },
  'POST /delivery-lanes/{lane}/release': {
    ...{ id: 'releaseLane', says: 'Deliver again to an endpoint that was left alone', who: 'everyone', gives: ref('DeliveryLane') },
  },
  'POST /delivery-lanes/{lane}/pause': {
    ...{ id: 'pauseLane', says: 'Deliver nothing to an endpoint for now', who: 'everyone', body: ReasonDto, gives: ref('DeliveryLane') },
  },
  'POST /delivery-lanes/{lane}/resume': {
    ...{ id: 'resumeLane', says: 'Deliver again to an endpoint that was paused', who: 'everyone', gives: ref('DeliveryLane') },
  },
};

const signatures: ManageCalls = {
  'POST /signatures/explain': {
    ...{ id: 'explainSignature', says: 'Find out why a signature did not pass', who: 'everyone', whileLooking: true, body: ExplainDto },
    more: 'Exactly one of `exchange_id`, `request` and `http`. It keeps and changes nothing.',
    ...{ gives: ref('Explanation'), kinds: ['not-found'] },
  },
  'POST /signatures/sign': {
    ...{ id: 'signCall', says: 'Sign a call to see how it is done', who: 'everyone', whileLooking: true, body: SignDto },
    more: 'Exactly one of `signature`, `client_id` and `app_id`. It keeps and sends nothing.',
    gives: ref('SignaturePreview'),
  },
  'GET /signatures/presets': {
    ...{
      id: 'listPresets',
      says: 'List signature settings that can be had under one name',
      who: 'everyone',
      gives: pageOf('SignaturePreset'),
    },
  },
  'POST /payloads/open': {
    ...{ id: 'openPayload', says: 'Open a payload of partner/login', who: 'everyone', whileLooking: true, body: OpenPayloadDto },
    more: 'Under the `secret_key` that is given, or, for its owner, under the stored one. It keeps nothing.',
    gives: ref('OpenedPayload'),
  },
};

export const callTags: readonly ManageTag[] = [
  { name: 'Calls', says: 'What happened: every call with both its legs, and timelines of what belongs together.', calls: exchanges },
  { name: 'Evidence', says: 'Links to signed evidence of a call.', calls: evidence },
  { name: 'Payments', says: 'What became of payments.', calls: payments },
  { name: 'Deliveries', says: 'What partners are owed, and what became of it.', calls: deliveries },
  { name: 'Signatures', says: 'Tools for signatures and payloads.', calls: signatures },
];

import { EvidenceShareDto } from '../../adapters/in/http/manage/exchanges/evidence-routes';
import { ReasonDto } from '../../adapters/in/http/manage/http/reason.dto';
import { deliveryStates } from '../../domain/deliveries/delivery';
import { checkNames } from '../../domain/exchanges/exchange';
import { paymentCreations } from '../../domain/payments/payment-record-repository';
import { statusOfWord } from '../../domain/payments/order-payment';
import {
  count,
  list,
  members,
  object,
  oneOf,
  ref,
  text,
  uri,
  whole,
  type Member,
  type Members,
  type Schema,
  pageOf,
} from '../../adapters/dto/schema';
import { deliveryCalls, endpointQueueCalls, resendCalls } from '../../adapters/in/http/manage/deliveries/delivery-calls';
import { fromTable } from './from-table';
import { pairFilters, rangeFilters } from './filters';
import type { ManageCalls, ManageTag } from './operation';
import { signatures } from './signature-tool-calls';

const exchangeFilters: Members = {
  ...pairFilters,
  call: [text, 'Only calls of the endpoint with this short name, such as `connect`.'],
  status: [{ ...whole, minimum: 100, maximum: 599 }, 'Only calls that were answered with this HTTP status.'],
  error_code: [text, 'Only calls that were answered with this code.'],
  request_id: [text, 'Only calls with this `X-Request-Id`.'],
  status_class: [{ ...whole, minimum: 1, maximum: 5 }, 'Only calls whose HTTP status begins with this digit, such as 4.'],
  failed_side: [oneOf('hostapp', 'miniapp', 'platform'), 'Only calls in which this party failed.'],
  refused_check: [oneOf(...checkNames), 'Only calls that did not pass this credential check.'],
  min_ms: [count, 'Only calls that took this many milliseconds or more.'],
  part_of: [text, 'Only calls that belong to the payment or delivery with this id.'],
  ...rangeFilters,
};

const search: Member = [text, 'Whole id, such as an `X-Request-Id`; parts of one find nothing.'];
const timelineDetails = 'Calls to both partners, attempts and plans, as lines between the three parties.';

const exchanges: ManageCalls = {
  'GET /exchanges': {
    ...{ id: 'listExchanges', summary: 'List calls, newest first', who: 'everyone', query: exchangeFilters, gives: pageOf('Exchange') },
    more: 'An exchange is the record of one call with both its legs. No URL, header, body or token is in it.',
  },
  'GET /exchanges/{id}': {
    ...{ id: 'getExchange', summary: 'Read a call', who: 'everyone', gives: ref('ExchangeWhole') },
    more: 'With a curl command that makes the call again, its credentials left out.',
  },
  'POST /exchanges/{id}/raw': {
    ...{ id: 'revealRequest', summary: 'Look at a request as it came in', who: 'everyone', gives: ref('RawRequest') },
    more: 'Kept for a day where a signature was refused, its credentials left out. That somebody looked is audited.',
  },
  'GET /timelines/exchange/{id}': {
    ...{
      id: 'getTimelineOfExchange',
      summary: 'Read what belongs to a call, in order, and who has to act',
      who: 'everyone',
      more: timelineDetails,
    },
    gives: ref('Timeline'),
  },
  'GET /timelines/payment/{id}': {
    ...{
      id: 'getTimelineOfPayment',
      summary: 'Read what belongs to a payment, in order, and who has to act',
      who: 'everyone',
      more: timelineDetails,
    },
    gives: ref('Timeline'),
  },
  'GET /timelines/delivery/{id}': {
    ...{
      id: 'getTimelineOfDelivery',
      summary: 'Read what belongs to a delivery, in order, and who has to act',
      who: 'everyone',
      more: timelineDetails,
    },
    gives: ref('Timeline'),
  },
  'GET /search': {
    ...{ id: 'findById', summary: 'Find whatever has an id, by its whole id', who: 'everyone', query: { 'q!': search } },
    more: 'Ids of calls, payments, deliveries, users and partners. What belongs to others is not found.',
    gives: object('The records that have the id.', { data: [list(ref('Hit')), 'Records of all sorts; empty where none has it.'] }),
  },
};

const evidenceFilters: Members = { exchange_id: [text, 'Only links to this exchange record.'], ...pairFilters };
const newLink: Schema = {
  description: 'A link to signed evidence, with its URL.',
  allOf: [ref('EvidenceLink'), members({ url: [uri, 'Address to hand to the other side; it is shown in this answer alone.'] })],
};

const evidence: ManageCalls = {
  'POST /exchanges/{id}/evidence': {
    ...{
      id: 'shareEvidence',
      summary: 'Make a link that both partners can open',
      who: 'everyone',
      body: EvidenceShareDto,
      bodyOptional: true,
    },
    more: 'What it shows is redacted and signed. The URL is told once.',
    ...{ gives: newLink, status: 201 },
  },
  'GET /evidence': {
    ...{ id: 'listEvidence', summary: 'List links to evidence', who: 'everyone', query: evidenceFilters },
    more: 'A partner sees the links to calls in which it took part.',
    gives: pageOf('EvidenceLink'),
  },
  'DELETE /evidence/{id}': {
    ...{ id: 'revokeEvidence', summary: 'Revoke a link', who: 'everyone', gives: ref('EvidenceLink') },
    more: 'It opens no more from now on, and stays in the list as revoked.',
  },
};

const statuses = [...new Set(Object.values(statusOfWord))];
const paymentFilters: Members = {
  id: [text, 'Only the payment with this id of the service.'],
  ...pairFilters,
  order_payment_id: [text, 'Only payments with this id at the host app.'],
  status: [oneOf(...statuses), 'Only payments that stand so.'],
  creation: [oneOf(...paymentCreations), 'Only payments whose creation at the host app went so.'],
  notice: [oneOf(...deliveryStates), 'Only payments whose completion is delivered so far.'],
  conflict: [oneOf('open'), '`open`: only payments with contradicting reports that nobody has resolved.'],
  settled: [oneOf('yes', 'no'), 'Only payments with a final result, or only those in process.'],
  ...rangeFilters,
};

const resultOf: Member = [text, 'Only results for the payment with this id at the host app.'];

const payments: ManageCalls = {
  'GET /payments': {
    ...{ id: 'listPayments', summary: 'List payments, newest first', who: 'everyone', query: paymentFilters, gives: pageOf('Payment') },
    more: 'Orders and users are not shown.',
  },
  'GET /payments/unmatched': {
    ...{ id: 'listUnmatchedResults', summary: 'List results that no payment was opened for', who: 'everyone' },
    more: 'Results that came before the creation was answered, and whose creation brought no answer in 24 hours.',
    ...{ query: { ...pairFilters, order_payment_id: resultOf }, gives: pageOf('UnmatchedResult') },
  },
  'GET /payments/{id}': {
    id: 'getPayment',
    summary: 'Read a payment with what was reported of it',
    who: 'everyone',
    more: 'The result that was taken, and every report that did not agree with it.',
    gives: ref('PaymentHistory'),
  },
  'POST /payments/{id}/poll': {
    ...{ id: 'pollPaymentNow', summary: 'Ask the host app at once how a payment stands', who: 'everyone', gives: ref('PaymentHistory') },
    more: 'A final answer settles the payment as a completion does; `last_outcome` holds what came. Refused where the host app never opened it.',
    kinds: ['conflict', 'forbidden'],
  },
  'POST /payments/{id}/conflicts/{conflict}/resolve': {
    ...{ id: 'resolveConflict', summary: 'Mark a conflict as looked into', who: 'operator', body: ReasonDto, gives: ref('PaymentHistory') },
    more: 'It changes nothing of the payment: the conflict only counts no more in `open_conflicts`.',
  },
};

export const callTags: readonly ManageTag[] = [
  { name: 'Calls', description: 'What happened: every call with both its legs, and timelines of what belongs together.', calls: exchanges },
  { name: 'Evidence', description: 'Links to signed evidence of a call.', calls: evidence },
  { name: 'Payments', description: 'What became of payments.', calls: payments },
  {
    name: 'Deliveries',
    description: 'Deliveries to partners, and what became of them.',
    calls: { ...fromTable(deliveryCalls), ...fromTable(resendCalls), ...fromTable(endpointQueueCalls) },
  },
  { name: 'Signatures', description: 'Tools for signatures and payloads.', calls: signatures },
];

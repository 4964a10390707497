import { ReasonDto } from '../../adapters/in/http/manage/http/reason.dto';
import { deliveryStates } from '../../domain/deliveries/delivery';
import { paymentCreations } from '../../domain/payments/payment-record-repository';
import { statusOfWord } from '../../domain/payments/order-payment';
import { oneOf, ref, text, type Member, type Members, pageOf } from '../../adapters/dto/schema';
import { exchangeCalls, searchCalls, timelineCalls } from '../../adapters/in/http/manage/exchanges/exchange-calls';
import { evidenceCalls } from '../../adapters/in/http/manage/exchanges/evidence-calls';
import { deliveryCalls, endpointQueueCalls, resendCalls } from '../../adapters/in/http/manage/deliveries/delivery-calls';
import { fromTable } from './from-table';
import { pairFilters, rangeFilters } from './filters';
import type { ManageCalls, ManageTag } from './operation';
import { signatures } from './signature-tool-calls';

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
  {
    name: 'Calls',
    description: 'What happened: every call with both its legs, and timelines of what belongs together.',
    calls: fromTable({ ...exchangeCalls, ...timelineCalls, ...searchCalls }),
  },
  { name: 'Evidence', description: 'Links to signed evidence of a call.', calls: fromTable(evidenceCalls) },
  { name: 'Payments', description: 'What became of payments.', calls: payments },
  {
    name: 'Deliveries',
    description: 'Deliveries to partners, and what became of them.',
    calls: { ...fromTable(deliveryCalls), ...fromTable(resendCalls), ...fromTable(endpointQueueCalls) },
  },
  { name: 'Signatures', description: 'Tools for signatures and payloads.', calls: signatures },
];

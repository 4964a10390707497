import { deliveryStates } from '../../../../../domain/deliveries/delivery';
import { statusOfWord } from '../../../../../domain/payments/order-payment';
import { paymentCreations } from '../../../../../domain/payments/payment-record-repository';
import { pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { pairFilters, rangeFilters } from '../http/filters';
import { oneOf, word } from '../http/query';
import { ReasonDto } from '../http/reason.dto';

const statuses = [...new Set(Object.values(statusOfWord))];

/** What became of payments. */
export const paymentCalls = {
  list: {
    at: 'GET /payments',
    ...{ id: 'listPayments', summary: 'List payments, newest first', who: 'everyone', gives: pageOf('Payment') },
    more: 'Orders and users are not shown.',
    filters: {
      id: word('Only the payment with this id of the service.'),
      ...pairFilters,
      order_payment_id: word('Only payments with this id at the host app.'),
      status: oneOf(statuses, 'Only payments that stand so.'),
      creation: oneOf(paymentCreations, 'Only payments whose creation at the host app went so.'),
      notice: oneOf(deliveryStates, 'Only payments whose completion is delivered so far.'),
      conflict: oneOf(['open'], '`open`: only payments with contradicting reports that nobody has resolved.'),
      settled: oneOf(['yes', 'no'], 'Only payments with a final result, or only those in process.'),
      ...rangeFilters,
    },
  },
  listUnmatched: {
    at: 'GET /payments/unmatched',
    ...{ id: 'listUnmatchedResults', summary: 'List results that no payment was opened for', who: 'everyone' },
    more: 'Results that came before the creation was answered, and whose creation brought no answer in 24 hours.',
    filters: { ...pairFilters, order_payment_id: word('Only results for the payment with this id at the host app.') },
    gives: pageOf('UnmatchedResult'),
  },
  get: {
    at: 'GET /payments/{id}',
    ...{ id: 'getPayment', summary: 'Read a payment with what was reported of it', who: 'everyone', gives: ref('PaymentHistory') },
    more: 'The result that was taken, and every report that did not agree with it.',
  },
} satisfies Calls;

export const paymentActionCalls = {
  poll: {
    at: 'POST /payments/{id}/poll',
    ...{ id: 'pollPaymentNow', summary: 'Ask the host app at once how a payment stands', who: 'everyone', gives: ref('PaymentHistory') },
    more: 'A final answer settles the payment as a completion does; `last_outcome` holds what came. Refused where the host app never opened it.',
    kinds: ['conflict', 'forbidden'],
  },
  resolve: {
    at: 'POST /payments/{id}/conflicts/{conflict}/resolve',
    ...{ id: 'resolveConflict', summary: 'Mark a conflict as looked into', who: 'operator', body: ReasonDto, gives: ref('PaymentHistory') },
    more: 'It changes nothing of the payment: the conflict only counts no more in `open_conflicts`.',
  },
} satisfies Calls;

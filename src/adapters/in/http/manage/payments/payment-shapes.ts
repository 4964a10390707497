import { deliveryStates } from '../../../../../domain/deliveries/delivery';
import { statusOfWord } from '../../../../../domain/payments/order-payment';
import { paymentCreations } from '../../../../../domain/payments/payment-record-repository';
import { count, list, members, object, oneOf, text, time, type Member, type Members, type Schema } from '../../../../dto/schema';
import { integrationId, pairIfKnown, requestIdOfCall, unreadable } from '../../../../dto/shared-members';

const words = oneOf(...Object.keys(statusOfWord));
const statuses = oneOf(...new Set(Object.values(statusOfWord)));
const orderPaymentId: Member = [text, 'Id of the payment at the host app.'];

const payment: Members = {
  id: [text, 'Id of the payment inside the service; the host app has one of its own.'],
  ...pairIfKnown,
  integration_id: integrationId,
  'order_payment_id?': [text, 'Id of the payment at the host app; absent until the host app has answered the creation.'],
  creation: [oneOf(...paymentCreations), 'How the creation at the host app went; `repeated`: it answered with the id of another payment.'],
  status: [statuses, 'How the payment stands; all but `in_process` are final.'],
  'amount?': [text, 'Amount of the order as the miniapp wrote it; absent while the record is unreadable.'],
  'currency?': [text, 'Currency of the amount as the miniapp wrote it; absent while the record is unreadable.'],
  'unreadable?': unreadable,
  created_at: [time, 'When the miniapp asked for the payment.'],
  'settled_at?': [time, 'When a final result was taken; absent while it is in process.'],
  polls: [count, 'Status polls that the service made about it.'],
  'last_poll_at?': [time, 'When the service last polled the host app; absent: not yet.'],
  'last_outcome?': [text, 'Status that the host app gave at the last poll, or the code that says why there is none.'],
  'next_poll_at?': [time, 'When the service polls next; absent where no poll is planned.'],
  'order_id?': [text, 'Id of the order in the miniapp, from `order.miniapp_order_id`; absent where it gave none.'],
  'notice?': [
    oneOf(...deliveryStates),
    'How the delivery of the completion stands; absent where none is pending, or none is kept any more.',
  ],
  open_conflicts: [count, 'Contradicting reports that nobody has marked as resolved.'],
};

const disagreement = members({
  id: [text, 'Id of the disagreement within its payment, 64 hex digits.'],
  kind: [
    oneOf('conflict', 'difference'),
    '`conflict`: another final status; `difference`: the same status with another reason or attributes.',
  ],
  'payment_status?': [words, 'Status that the report gave; absent while its record is unreadable.'],
  'unreadable?': unreadable,
  differs_in: [
    list(oneOf('payment_status', 'payment_fail_reason', 'custom_attributes')),
    'Members in which the report differs from the result that was taken; their values are not shown.',
  ],
  request_id: requestIdOfCall,
  at: [time, 'When the report came.'],
  'resolved?': [
    members({
      at: [time, 'When the disagreement was marked as resolved.'],
      by: [text, 'Who marked it, as the audit trail names them.'],
      reason: [text, 'What they found out, in their own words.'],
    }),
    'The mark that somebody has looked into it; absent while nobody has.',
  ],
});

/** Schemas of payments and reports about them. */
export const paymentShapes: Readonly<Record<string, Schema>> = {
  Payment: object('A payment, or the attempt to open one. The order and the user are not shown.', payment),
  PaymentHistory: object('A payment with the result that was taken, and the reports that differ from it.', {
    ...payment,
    'result?': [
      members({
        payment_status: [words, 'Final status, as the host app reported it.'],
        request_id: requestIdOfCall,
        at: [time, 'When the result was reported.'],
      }),
      'The result that was taken; absent while the payment is in process.',
    ],
    disagreements: [list(disagreement), 'Reports that did not agree with the result, oldest first.'],
  }),
  UnmatchedResult: object('A result of a host app to which no opened payment belongs.', {
    id: [text, 'Id of the result inside the service.'],
    ...pairIfKnown,
    integration_id: integrationId,
    order_payment_id: orderPaymentId,
    status: [statuses, 'Final status that was reported.'],
    'request_id?': requestIdOfCall,
    'unreadable?': unreadable,
    received_at: [time, 'When the host app reported it.'],
  }),
};

import type { Router } from 'express';
import { deliveryStates } from '../../../../domain/deliveries/delivery';
import { statusOfWord } from '../../../../domain/payments/order-payment';
import {
  paymentCreations,
  unmatchedPlace,
  type NotedDisagreement,
  type PaymentBook,
  type PaymentHistory,
  type PaymentRecord,
  type UnmatchedResult,
} from '../../../../domain/payments/payment-book';
import { narrowed, partnersToo, requireSeen } from './access';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, oneOf, pageOf, time, word } from './query';
import { pathId, serve } from './serve';

const statuses = [...new Set(Object.values(statusOfWord))];

const filters = {
  id: word,
  client_id: word,
  app_id: word,
  order_payment_id: word,
  status: oneOf(statuses),
  creation: oneOf(paymentCreations),
  notice: oneOf(deliveryStates),
  conflict: oneOf(['open']),
  settled: oneOf(['yes', 'no']),
  from: time,
  to: time,
};

/**
 * `/payments`: what miniapps asked to be paid, how it ended, and how its host app is asked while it has not; and results that no
 * payment was opened for. Orders and users are not shown.
 */
export function paymentRoutes(router: Router, { payments }: { readonly payments: PaymentBook }): void {
  serve(router, '/payments', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, filters);
      const { client_id: clientId, app_id: appId, order_payment_id: orderPaymentId, conflict, settled, ...rest } = filter;
      const inConflict = conflict === undefined ? undefined : true;
      const isSettled = settled === undefined ? undefined : settled === 'yes';
      const wanted = narrowed(req, present({ ...rest, clientId, appId, orderPaymentId, inConflict, isSettled }));
      res.json(await pageOf(page, (asked) => payments.list(wanted, asked), { show: paymentView, cursorOf: ({ id }) => id }));
    }),
  });
  serve(router, '/payments/unmatched', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, { client_id: word, app_id: word, order_payment_id: word });
      const { client_id: clientId, app_id: appId, order_payment_id: orderPaymentId } = filter;
      const wanted = narrowed(req, present({ clientId, appId, orderPaymentId }));
      res.json(await pageOf(page, (asked) => payments.unmatched(wanted, asked), { show: unmatchedView, cursorOf: unmatchedPlace }));
    }),
  });
  serve(router, '/payments/:id', {
    get: partnersToo(async (req, res) => {
      const payment = await payments.find(pathId(req, 'id'));
      if (!payment) throw new ManageProblem('not-found');
      requireSeen(req, payment.pair);
      res.json(paymentHistoryView(payment));
    }),
  });
}

const paymentView = (payment: PaymentRecord): object =>
  present({
    id: payment.id,
    client_id: payment.pair?.clientId,
    app_id: payment.pair?.appId,
    integration_id: payment.integrationId,
    order_payment_id: payment.orderPaymentId,
    creation: payment.creation,
    status: payment.status,
    amount: payment.amount === '' ? undefined : payment.amount,
    currency: payment.currency === '' ? undefined : payment.currency,
    unreadable: payment.isUnreadable,
    created_at: timeText(payment.createdAt),
    settled_at: optionalTime(payment.settledAt),
    asks: payment.plan.asks,
    last_ask_at: optionalTime(payment.plan.askedAt),
    last_outcome: payment.plan.outcome,
    next_ask_at: optionalTime(payment.plan.nextAt),
    order_id: payment.orderId,
    notice: payment.notice,
    open_conflicts: payment.openConflicts,
  });

const optionalTime = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

const unmatchedView = ({ pair, ...result }: UnmatchedResult): object =>
  present({
    id: result.id,
    client_id: pair?.clientId,
    app_id: pair?.appId,
    integration_id: result.integrationId,
    order_payment_id: result.orderPaymentId,
    status: result.status,
    request_id: result.isUnreadable ? undefined : result.requestId,
    unreadable: result.isUnreadable,
    received_at: timeText(result.at),
  });

/** A payment with its reports. */
export const paymentHistoryView = ({ disagreements, result, ...payment }: PaymentHistory): object => ({
  ...paymentView(payment),
  ...(result && { result: { payment_status: result.word, request_id: result.requestId, at: timeText(result.at) } }),
  disagreements: disagreements.map(disagreementView),
});

const disagreementView = ({ word: said, differsIn, requestId, at, resolved, ...rest }: NotedDisagreement): object => ({
  ...rest,
  ...(said === undefined ? { unreadable: true } : { payment_status: said }),
  differs_in: differsIn,
  request_id: requestId,
  at: timeText(at),
  ...(resolved && { resolved: { at: timeText(resolved.at), by: resolved.by, reason: resolved.reason } }),
});

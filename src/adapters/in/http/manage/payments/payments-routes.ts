import type { Router } from 'express';
import { deliveryStates } from '../../../../../domain/deliveries/delivery';
import { statusOfWord } from '../../../../../domain/payments/order-payment';
import {
  paymentCreations,
  unmatchedCursor,
  type NotedDisagreement,
  type PaymentRecordRepository,
  type PaymentHistory,
  type PaymentRecord,
  type UnmatchedResult,
} from '../../../../../domain/payments/payment-record-repository';
import { narrowed, partnersToo, requireSeen, readsQuery } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { listQuery, oneOf, pageOf, time, word } from '../http/old-query';
import { servePath } from '../http/old-serve';
import { pathId } from '../http/serve';

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

/** `/payments`: payments with their results and pending status polls, and results without a payment. Orders and users are not shown. */
export function paymentRoutes(router: Router, { payments }: { readonly payments: PaymentRecordRepository }): void {
  servePath(router, '/payments', {
    get: partnersToo(readsQuery, async (req, res) => {
      const { filter, page } = listQuery(req, filters);
      const { client_id: clientId, app_id: appId, order_payment_id: orderPaymentId, conflict, settled, ...rest } = filter;
      const inConflict = conflict === undefined ? undefined : true;
      const isSettled = settled === undefined ? undefined : settled === 'yes';
      const wanted = narrowed(req, present({ ...rest, clientId, appId, orderPaymentId, inConflict, isSettled }));
      res.json(await pageOf(page, (request) => payments.list(wanted, request), { show: paymentView, cursorOf: ({ id }) => id }));
    }),
  });
  servePath(router, '/payments/unmatched', {
    get: partnersToo(readsQuery, async (req, res) => {
      const { filter, page } = listQuery(req, { client_id: word, app_id: word, order_payment_id: word });
      const { client_id: clientId, app_id: appId, order_payment_id: orderPaymentId } = filter;
      const wanted = narrowed(req, present({ clientId, appId, orderPaymentId }));
      res.json(await pageOf(page, (request) => payments.unmatched(wanted, request), { show: unmatchedView, cursorOf: unmatchedCursor }));
    }),
  });
  servePath(router, '/payments/:id', {
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
    polls: payment.plan.polls,
    last_poll_at: optionalTime(payment.plan.lastPollAt),
    last_outcome: payment.plan.outcome,
    next_poll_at: optionalTime(payment.plan.nextAt),
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

/** A payment with the reports about it. */
export const paymentHistoryView = ({ disagreements, result, ...payment }: PaymentHistory): object => ({
  ...paymentView(payment),
  ...(result && { result: { payment_status: result.word, request_id: result.requestId, at: timeText(result.at) } }),
  disagreements: disagreements.map(disagreementView),
});

const disagreementView = ({ word: reported, differsIn, requestId, at, resolved, ...rest }: NotedDisagreement): object => ({
  ...rest,
  ...(reported === undefined ? { unreadable: true } : { payment_status: reported }),
  differs_in: differsIn,
  request_id: requestId,
  at: timeText(at),
  ...(resolved && { resolved: { at: timeText(resolved.at), by: resolved.by, reason: resolved.reason } }),
});

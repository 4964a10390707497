import {
  unmatchedCursor,
  type NotedDisagreement,
  type PaymentRecordRepository,
  type PaymentHistory,
  type PaymentRecord,
  type UnmatchedResult,
} from '../../../../../domain/payments/payment-record-repository';
import { narrowed, requireSeen } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { type Mount, pathId, serve } from '../http/serve';
import { paymentCalls } from './payment-calls';

/** Serves payments with their results and pending status polls, and results without a payment. */
export function paymentRoutes(mount: Mount, { payments }: { readonly payments: PaymentRecordRepository }): void {
  serve(mount, paymentCalls, {
    list: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId, order_payment_id: orderPaymentId, conflict, settled, ...rest } = filter;
      const inConflict = conflict === undefined ? undefined : true;
      const isSettled = settled === undefined ? undefined : settled === 'yes';
      const wanted = narrowed(req, present({ ...rest, clientId, appId, orderPaymentId, inConflict, isSettled }));
      res.json(await pageOf(page, (request) => payments.list(wanted, request), { show: paymentView, cursorOf: ({ id }) => id }));
    },
    listUnmatched: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId, order_payment_id: orderPaymentId } = filter;
      const wanted = narrowed(req, present({ clientId, appId, orderPaymentId }));
      res.json(await pageOf(page, (request) => payments.unmatched(wanted, request), { show: unmatchedView, cursorOf: unmatchedCursor }));
    },
    get: async (req, res) => {
      const payment = await payments.find(pathId(req, 'id'));
      if (!payment) throw new ManageProblem('not-found');
      requireSeen(req, payment.pair);
      res.json(paymentHistoryView(payment));
    },
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

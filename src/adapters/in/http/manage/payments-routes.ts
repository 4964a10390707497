import type { Router } from 'express';
import { statusOfWord } from '../../../../domain/payments/order-payment';
import {
  paymentCreations,
  type NotedDisagreement,
  type PaymentBook,
  type PaymentHistory,
  type PaymentRecord,
} from '../../../../domain/payments/payment-book';
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
  from: time,
  to: time,
};

/** `/payments`: what miniapps asked to be paid and how it ended (contract, manage.md). Orders and users are not shown. */
export function paymentRoutes(router: Router, { payments }: { readonly payments: PaymentBook }): void {
  serve(router, '/payments', {
    get: [
      async (req, res) => {
        const { filter, page } = listQuery(req, filters);
        const { client_id: clientId, app_id: appId, order_payment_id: orderPaymentId, ...rest } = filter;
        const wanted = present({ ...rest, clientId, appId, orderPaymentId });
        res.json(await pageOf(page, (asked) => payments.list(wanted, asked), { show: paymentView, cursorOf: ({ id }) => id }));
      },
    ],
  });
  serve(router, '/payments/:id', {
    get: [
      async (req, res) => {
        const payment = await payments.find(pathId(req, 'id'));
        if (!payment) throw new ManageProblem('not-found');
        res.json(historyView(payment));
      },
    ],
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
    amount: payment.amount,
    currency: payment.currency,
    created_at: timeText(payment.createdAt),
    settled_at: payment.settledAt === undefined ? undefined : timeText(payment.settledAt),
  });

const historyView = ({ disagreements, ...payment }: PaymentHistory): object => ({
  ...paymentView(payment),
  disagreements: disagreements.map(disagreementView),
});

const disagreementView = ({ kind, requestId, at }: NotedDisagreement): object => ({ kind, request_id: requestId, at: timeText(at) });

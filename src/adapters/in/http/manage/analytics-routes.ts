import type { Router } from 'express';
import type { Difference, Said, SummaryLine, TransactionLine, TransactionReader } from '../../../../domain/analytics/ports';
import type { AgreementRepository } from '../../../../domain/partners/ports';
import { UnknownAgreement } from '../../../../domain/partners/registry-errors';
import { narrowed, partnersToo } from './access';
import type { Clock } from '../../../../domain/shared/ports';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, oneOf, pageOf, time, word } from './query';
import { serve } from './serve';

export interface AnalyticsRoutesDeps {
  readonly transactions: TransactionReader;
  readonly agreements: AgreementRepository;
  readonly clock: Clock;
}

const filters = {
  client_id: word,
  app_id: word,
  status: word,
  currency: word,
  transaction_id: word,
  order_payment_id: word,
  miniapp_order_id: word,
  from: time,
  to: time,
};

const cursorOf = ({ id }: { readonly id: string }): string => id;

/** `/analytics`: what miniapps reported, its sums, and where it differs from what the relay has seen. */
export function analyticsRoutes(router: Router, deps: AnalyticsRoutesDeps): void {
  const { transactions, agreements } = deps;
  dayRoutes(router, deps);
  serve(router, '/analytics/transactions', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, filters);
      const { client_id: clientId, app_id: appId, transaction_id: transactionId, ...others } = filter;
      const { order_payment_id: orderPaymentId, miniapp_order_id: miniappOrderId, ...rest } = others;
      const wanted = narrowed(req, present({ ...rest, clientId, appId, transactionId, orderPaymentId, miniappOrderId }));
      res.json(await pageOf(page, (asked) => transactions.list(wanted, asked), { show: transactionView, cursorOf }));
    }),
  });
  serve(router, '/analytics/summary', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, { client_id: word, app_id: word, from: time, to: time });
      const { client_id: clientId, app_id: appId, ...window } = filter;
      const wanted = narrowed(req, present({ ...window, clientId, appId }));
      res.json(await pageOf(page, (asked) => transactions.summary(wanted, asked), { show: summaryView, cursorOf }));
    }),
  });
  serve(router, '/analytics/differences', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, { client_id: word, app_id: word, kind: oneOf(kinds), from: time, to: time });
      const { client_id: clientId, app_id: appId, ...rest } = filter;
      const pair = await pairOf(agreements, narrowed(req, present({ clientId, appId })));
      const wanted = present({ ...rest, ...pair });
      res.json(await pageOf(page, (asked) => transactions.differences(wanted, asked), { show: differenceView, cursorOf }));
    }),
  });
}

/** `/analytics/days`: payments of each day, reported and relayed; the last 31 days unless asked otherwise. */
function dayRoutes(router: Router, { transactions, agreements, clock }: AnalyticsRoutesDeps): void {
  serve(router, '/analytics/days', {
    get: partnersToo(async (req, res) => {
      const { filter } = listQuery(req, { client_id: word, app_id: word, from: time, to: time });
      const { client_id: clientId, app_id: appId, to = clock.now() + 1, from = to - longestMs } = filter;
      if (!(from < to && to - from <= longestMs + hourMs)) {
        throw new ManageProblem('invalid-content', { errors: [{ path: 'from', rule: 'must be before to, and at most 31 days' }] });
      }
      const pair = await pairOf(agreements, narrowed(req, present({ clientId, appId })));
      res.json({ data: await transactions.paidDays({ ...pair, from, to }), next_cursor: null });
    }),
  });
}

const hourMs = 3_600_000;
const longestMs = 31 * 24 * hourMs;

const kinds = ['only_reported', 'only_seen', 'different'] as const;

/** Only the two sides of one integration can be compared. Throws ManageProblem, UnknownAgreement. */
async function pairOf(agreements: AgreementRepository, pair: { clientId?: string | undefined; appId?: string | undefined }) {
  const { clientId, appId } = pair;
  if (clientId === undefined || appId === undefined) {
    const missing = [clientId === undefined && 'client_id', appId === undefined && 'app_id'].filter((name) => name !== false);
    throw new ManageProblem('invalid-content', { errors: missing.map((path) => ({ path, rule: 'is required' })) });
  }
  const agreement = await agreements.find({ clientId, appId });
  if (!agreement) throw new UnknownAgreement();
  return { integrationId: agreement.id, clientId, appId };
}

const transactionView = (line: TransactionLine): object =>
  present({
    id: line.id,
    transaction_id: line.transactionId,
    client_id: line.clientId,
    app_id: line.appId,
    status: line.status,
    currency: line.currency,
    amount: line.amount,
    shipping: line.shipping,
    tax: line.tax,
    discount: line.discount,
    order_payment_id: line.orderPaymentId,
    miniapp_order_id: line.miniappOrderId,
    at: timeText(line.at),
    received_at: timeText(line.receivedAt),
    request_id: line.requestId,
  });

const summaryView = ({ day, clientId, appId, currency, status, count, amount, shipping, tax, discount }: SummaryLine): object => ({
  ...{ day, client_id: clientId, app_id: appId, currency, status },
  ...{ count, amount, shipping, tax, discount },
});

const differenceView = ({ kind, orderPaymentId, transactionId, differs, reported, seen }: Difference): object =>
  present({
    kind,
    order_payment_id: orderPaymentId,
    transaction_id: transactionId,
    differs,
    reported: reported && saidView(reported),
    seen: seen && saidView(seen),
  });

const saidView = ({ status, amount, currency, at }: Said<string>): object => present({ status, amount, currency, at: timeText(at) });

import type { Difference, PaymentSide, SummaryLine, TransactionLine, TransactionReader } from '../../../../../domain/analytics/ports';
import type { IntegrationRepository } from '../../../../../domain/partners/ports';
import { UnknownIntegration } from '../../../../../domain/partners/registry-errors';
import { narrowed } from '../http/access';
import type { Clock } from '../../../../../domain/shared/ports';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { type Handler, type Mount, serve } from '../http/serve';
import { analyticsCalls } from './analytics-calls';

export interface AnalyticsRoutesDeps {
  readonly transactions: TransactionReader;
  readonly integrations: IntegrationRepository;
  readonly clock: Clock;
}

const cursorOf = ({ id }: { readonly id: string }): string => id;

/** Serves the calls about transactions that miniapps reported. */
export function analyticsRoutes(mount: Mount, deps: AnalyticsRoutesDeps): void {
  const { transactions, integrations } = deps;
  serve(mount, analyticsCalls, {
    list: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId, transaction_id: transactionId, ...others } = filter;
      const { order_payment_id: orderPaymentId, miniapp_order_id: miniappOrderId, ...rest } = others;
      const wanted = narrowed(req, present({ ...rest, clientId, appId, transactionId, orderPaymentId, miniappOrderId }));
      res.json(await pageOf(page, (request) => transactions.list(wanted, request), { show: transactionView, cursorOf }));
    },
    summary: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId, ...window } = filter;
      const wanted = narrowed(req, present({ ...window, clientId, appId }));
      res.json(await pageOf(page, (request) => transactions.summary(wanted, request), { show: summaryView, cursorOf }));
    },
    differences: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId, ...rest } = filter;
      const pair = await pairOf(integrations, narrowed(req, present({ clientId, appId })));
      const wanted = present({ ...rest, ...pair });
      res.json(await pageOf(page, (request) => transactions.differences(wanted, request), { show: differenceView, cursorOf }));
    },
    days: paidDays(deps),
  });
}

/** The last 31 days by default. */
const paidDays =
  ({ transactions, integrations, clock }: AnalyticsRoutesDeps): Handler<(typeof analyticsCalls)['days']> =>
  async (req, res, { filter }) => {
    const { client_id: clientId, app_id: appId, to = clock.now() + 1, from = to - longestMs } = filter;
    if (!(from < to && to - from <= longestMs + hourMs)) {
      throw new ManageProblem('invalid-content', { errors: [{ path: 'from', rule: 'must be before to, and at most 31 days' }] });
    }
    const pair = await pairOf(integrations, narrowed(req, present({ clientId, appId })));
    res.json({ data: await transactions.paidDays({ ...pair, from, to }), next_cursor: null });
  };

const hourMs = 3_600_000;
const longestMs = 31 * 24 * hourMs;

/** Only one integration can be compared. Throws ManageProblem, UnknownIntegration. */
async function pairOf(integrations: IntegrationRepository, pair: { clientId?: string | undefined; appId?: string | undefined }) {
  const { clientId, appId } = pair;
  if (clientId === undefined || appId === undefined) {
    const missing = [clientId === undefined && 'client_id', appId === undefined && 'app_id'].filter((name) => name !== false);
    throw new ManageProblem('invalid-content', { errors: missing.map((path) => ({ path, rule: 'is required' })) });
  }
  const integrationRecord = await integrations.find({ clientId, appId });
  if (!integrationRecord) throw new UnknownIntegration();
  return { integrationId: integrationRecord.id, clientId, appId };
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
  day,
  client_id: clientId,
  app_id: appId,
  currency,
  status,
  count,
  amount,
  shipping,
  tax,
  discount,
});

const differenceView = ({ kind, orderPaymentId, transactionId, differs, reported, seen }: Difference): object =>
  present({
    kind,
    order_payment_id: orderPaymentId,
    transaction_id: transactionId,
    differs,
    reported: reported && reportedView(reported),
    seen: seen && reportedView(seen),
  });

const reportedView = ({ status, amount, currency, at }: PaymentSide<string>): object =>
  present({ status, amount, currency, at: timeText(at) });

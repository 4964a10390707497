import { viewers } from './fill';
import { idOfRow } from './insert-rows';
import { appId, hostId, pairWith } from './spread';

/** One list as somebody looks at it. */
export interface ListPlan {
  /** Its path. */
  readonly list: string;
  /** `first page`, `deep page`, or the filter. */
  readonly what: string;
  readonly who: string;
  /** Of its session; absent: the operator, by the token. */
  readonly token?: string;
  readonly query: Readonly<Record<string, string>>;
}

type Filters = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Shape {
  readonly filters: Filters;
  /** After which a page in the middle of the list goes on. */
  readonly cursor?: string;
  readonly for?: 'operator' | 'host-app';
}

const dayMs = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
const window = { 'of an hour, days ago': { from: daysAgo(18), to: daysAgo(18 - 1 / 24) }, 'until days ago': { to: daysAgo(20) } };
const first = pairWith(1);
const small = pairWith(5000);
const ofPair = {
  'of a large pair': { client_id: first.clientId, app_id: first.appId },
  'of a small pair': { client_id: small.clientId, app_id: small.appId },
};
const ofPartners = {
  ...{ 'of a large host app': { client_id: hostId(1) }, 'of a small host app': { client_id: hostId(3000) } },
  ...{ 'of a large miniapp': { app_id: appId(1) }, 'of a small miniapp': { app_id: appId(3000) } },
  ...ofPair,
};

/** A filter by each of the values of a parameter. */
const each = (parameter: string, ...values: readonly string[]): Filters =>
  Object.fromEntries(values.map((value) => [`${parameter}=${value}`, { [parameter]: value }]));

/** Every list with what it can be narrowed to; `middle`: the number of a row in its middle. */
const shapesAt = (middle: number): Readonly<Record<string, Shape>> => ({
  payments: {
    cursor: idOfRow(middle),
    filters: {
      ...{ ...window, ...each('id', 'nothing'), ...each('order_payment_id', 'pay-500', 'nothing') },
      ...each('status', 'paid', 'failed', 'cancelled', 'in_process'),
      ...each('creation', 'opened', 'refused', 'repeated', 'unanswered', 'begun'),
      ...{ ...each('notice', 'ready', 'parked', 'delivered', 'failed'), ...each('conflict', 'open'), ...each('settled', 'yes', 'no') },
    },
  },
  'payments/unmatched': { filters: each('order_payment_id', 'early-500', 'nothing') },
  deliveries: {
    cursor: idOfRow(middle),
    filters: {
      ...{
        ...window,
        ...each('id', 'nothing'),
        ...each('kind', 'completion', 'event'),
        ...each('state', 'ready', 'parked', 'delivered', 'failed'),
      },
      ...each('queue', `miniapp:${appId(1)}:completion`, `miniapp:${appId(3000)}:completion`, 'miniapp:nobody:completion'),
    },
  },
  'endpoint-queues': { cursor: `${appId(2500)}/miniapp-completion`, filters: {} },
  exchanges: {
    cursor: idOfRow(middle),
    filters: {
      ...{
        ...window,
        ...each('call', 'connect', 'nothing'),
        ...each('status', '200', '400', '503'),
        ...each('status_class', '2', '4', '5'),
      },
      ...each('error_code', 'UNEXPECTED_RESPONSE_ERROR', 'INVALID_AUTH_CODE', 'NOTHING'),
      ...{ ...each('request_id', 'req-500', 'nothing'), ...each('failed_side', 'hostapp', 'miniapp', 'platform') },
      ...{ ...each('refused_check', 'basic', 'signature'), ...each('min_ms', '100', '1400', '60000'), ...each('part_of', 'nothing') },
    },
  },
  'analytics/transactions': {
    cursor: idOfRow(middle),
    filters: {
      ...{ ...window, ...each('status', 'paid', 'failed', 'in_process'), ...each('currency', 'USD', 'JPY', 'XXX') },
      ...{ ...each('transaction_id', 'tx-500', 'nothing'), ...each('order_payment_id', 'pay-500', 'nothing') },
      ...each('miniapp_order_id', 'order-500', 'nothing'),
    },
  },
  'analytics/summary': { filters: window },
  audit: {
    cursor: String(middle),
    filters: {
      ...{
        ...window,
        ...each('subject', `host-app:${hostId(1)}`, 'nothing'),
        ...each('action', 'session.began', 'resend.started', 'nothing'),
      },
      ...each('actor', 'operator', 'nobody'),
    },
  },
  users: { for: 'host-app', cursor: `${hostId(1)}/${'8'.repeat(64)}`, filters: each('reference', 'user-500', 'nobody') },
  evidence: { cursor: idOfRow(middle), filters: each('exchange_id', idOfRow(500), 'nothing') },
  integrations: { cursor: `${hostId(2500)}/${appId(2500)}`, filters: {} },
  'integrations/readiness': { cursor: `${hostId(2500)}/${appId(2500)}`, filters: {} },
  'host-apps': { cursor: hostId(2500), filters: {} },
  miniapps: { cursor: appId(2500), filters: {} },
  'conformance/runs': { cursor: idOfRow(middle / 5), filters: {} },
  accounts: { for: 'operator', cursor: idOfRow(middle), filters: {} },
  resends: { for: 'operator', cursor: idOfRow(middle / 100), filters: {} },
  'operations/instances': { for: 'operator', filters: {} },
  sessions: { filters: {} },
  problems: { filters: {} },
  'ending-credentials': { filters: {} },
  'figures/integrations': { filters: each('order', 'failures', 'id') },
});

/** What of partners each list can be narrowed to, beside its own filters. */
const partnerFiltersOf: Readonly<Record<string, Filters>> = {
  ...Object.fromEntries(
    ['payments', 'payments/unmatched', 'deliveries', 'exchanges', 'analytics/transactions', 'analytics/summary', 'evidence'].map((list) => [
      list,
      ofPartners,
    ]),
  ),
  ...{ integrations: ofPartners, 'integrations/readiness': ofPartners, 'figures/integrations': ofPartners },
  users: { 'of a large host app': { client_id: hostId(1) }, 'of a small host app': { client_id: hostId(3000) }, ...ofPair },
  'conformance/runs': { 'of a large miniapp': { app_id: appId(1) }, 'of a small miniapp': { app_id: appId(3000) } },
};

/** Lists of two partners' common business, which must be named. */
const betweenPairs: Filters = Object.fromEntries(
  Object.entries(ofPair).flatMap(([name, pair]) => [
    [name, pair],
    [`${name}, an hour`, { ...pair, from: daysAgo(18), to: daysAgo(18 - 1 / 24) }],
  ]),
);

/** Every list with every filter, for the operator and for partners with much and with little. `rows`: of each record. */
export function listPlans(rows: number): ListPlan[] {
  const plans = Object.entries(shapesAt(Math.round(rows / 2))).flatMap(([list, shape]) => plansOf(list, shape));
  const between = ['analytics/differences', 'analytics/days'].flatMap((list) =>
    Object.entries(betweenPairs).map(([what, query]) => ({ list, what, who: 'operator', query })),
  );
  return [...plans, ...between];
}

function plansOf(list: string, { filters, cursor, for: whom }: Shape): ListPlan[] {
  const pages: Filters = { 'first page': {}, ...(cursor !== undefined && { 'deep page': { cursor } }) };
  const asOperator = Object.entries({ ...pages, ...filters, ...partnerFiltersOf[list] }).map(([what, query]) => ({
    list,
    what,
    who: 'operator',
    query,
  }));
  const lookers = whom === 'operator' ? [] : viewers.filter(({ role }) => whom === undefined || role === whom);
  const asPartners = lookers.flatMap(({ name: who, token }) =>
    Object.entries({ ...pages, ...filters }).map(([what, query]) => ({ list, what, who, token, query })),
  );
  return [...asOperator.filter(() => list !== 'sessions'), ...asPartners];
}

import { pageOf } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { bothPartners, pairFilters, rangeFilters } from '../http/filters';
import { oneOf, word } from '../http/query';

const kinds = ['only_reported', 'only_seen', 'different'] as const;

/** Reports of miniapps, and their comparison with relayed payments. */
export const analyticsCalls = {
  list: {
    at: 'GET /analytics/transactions',
    ...{ id: 'listTransactions', summary: 'List what miniapps reported', who: 'everyone', gives: pageOf('ReportedTransaction') },
    more: 'Nothing of the buyer is shown.',
    filters: {
      ...pairFilters,
      status: word('Only reports with this status, such as `paid`.'),
      currency: word('Only reports in this currency.'),
      transaction_id: word('Only the report with this id of the miniapp.'),
      order_payment_id: word('Only reports that name this payment.'),
      miniapp_order_id: word('Only reports that name this order in the miniapp.'),
      ...rangeFilters,
    },
  },
  summary: {
    at: 'GET /analytics/summary',
    ...{ id: 'sumTransactions', summary: 'Sum up what was reported, by day, pair, currency and status', who: 'everyone' },
    more: 'Days are those of UTC. Cancelled and failed purchases have lines of their own.',
    ...{ filters: { ...pairFilters, ...rangeFilters }, gives: pageOf('DailySum') },
  },
  differences: {
    at: 'GET /analytics/differences',
    ...{ id: 'listDifferences', summary: 'List where reports differ from what was relayed', who: 'everyone', gives: pageOf('Difference') },
    more: 'Of one integration. Reports without `order_payment_id` are not compared.',
    filters: { ...bothPartners, kind: oneOf(kinds, 'Only differences of this sort.'), ...rangeFilters },
  },
  days: {
    at: 'GET /analytics/days',
    ...{ id: 'listPaidDays', summary: 'Read what was paid each day, reported and relayed', who: 'everyone', gives: pageOf('PaidDay') },
    more: 'The last 31 days unless asked otherwise, and 31 days at most. `limit` and `cursor` are taken and mean nothing.',
    filters: { ...bothPartners, ...rangeFilters },
  },
} satisfies Calls;

import { pairOrders } from '../../../../../domain/figures/ports';
import { count, list, object, orNull, ref, text, time, whole, type Member, type Members } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { pairFilters, rangeFilters } from '../http/filters';
import { oneOf, word } from '../http/query';

/** The counted range of an answer: the requested one, widened to whole slots. */
export const range: Members = {
  from: [time, 'Start of the counted range, which is widened to whole slots.'],
  to: [time, 'End of the counted range; it does not belong to it.'],
};
export const slotLength: Member = [whole, 'Length of a slot in seconds; the last one may be cut short by `to`.'];

export const figureQuery = {
  ...pairFilters,
  call: word('Only calls of the endpoint with this short name, such as `connect`.'),
  ...rangeFilters,
};

/** What the calls about figures have in common. */
export const figure = (schema: string) => ({ who: 'everyone' as const, query: figureQuery, gives: ref(schema) });

const pairs = object('Integrations with their calls in the range.', {
  ...range,
  slot_s: slotLength,
  series_slot_s: [whole, 'Length of a slot of `series` in seconds.'],
  total: [count, 'Integrations on all pages together.'],
  data: [list(ref('PairFigures')), 'One entry for each integration that had a call.'],
  next_cursor: [orNull(text), '`cursor` of the page that follows; null: this is the last.'],
});

/** Calls as numbers. */
export const figureCalls = {
  traffic: {
    at: 'GET /figures/traffic',
    ...{ id: 'getTraffic', summary: 'Count calls by how they ended, over time', ...figure('Traffic') },
    more: 'Records of a second ago are counted already.',
  },
  latency: {
    at: 'GET /figures/latency',
    ...{ id: 'getLatency', summary: 'Read how long calls took, over time', ...figure('Latency') },
    more: 'Milliseconds; the shares of the three parties are means.',
  },
  errors: {
    at: 'GET /figures/errors',
    ...{ id: 'getErrors', summary: 'Count statuses and failures', ...figure('Endings') },
    more: 'Counts failures by code, party and step.',
  },
  refusals: {
    at: 'GET /figures/refusals',
    ...{ id: 'getRefusals', summary: 'Count refused calls by their cause, over time', ...figure('Refusals') },
    more: 'Calls that the service refused, not those that failed at a partner.',
  },
  refreshes: {
    at: 'GET /figures/refreshes',
    ...{ id: 'getRefreshes', summary: 'Count refreshes of tokens, over time', ...figure('Refreshes') },
    more: 'Tokens of users, and those of the service itself (`client`). `shared`: a call took the answer to the refresh of another one.',
    // Only host apps have tokens.
    who: 'host apps',
  },
  calls: {
    at: 'GET /figures/calls',
    ...{ id: 'getCallCounts', summary: 'Count how the calls of each endpoint ended', ...figure('CallCounts') },
    more: 'Endpoints that were not called are left out.',
  },
  spread: {
    at: 'GET /figures/spread',
    ...{ id: 'getSpread', summary: 'Count calls by how long they took, over time', ...figure('Spread') },
    more: 'Each count is of one slot and one range of durations.',
  },
  integrations: {
    at: 'GET /figures/integrations',
    ...{ id: 'getPairFigures', summary: 'Compare integrations', who: 'everyone', gives: pairs },
    more: 'Each that had a call in the range, those with the most calls first (`traffic`), with the most that failed (`failures`), or by `client_id`, then `app_id` (`id`). `total` is how many there are; `series` has slots of `series_slot_s`, 31 at most.',
    filters: { ...figureQuery, order: oneOf(pairOrders, 'Order of the entries; `traffic` unless given.') },
  },
} satisfies Calls;

/** Payments and deliveries as numbers. */
export const moneyFigureCalls = {
  payments: {
    at: 'GET /figures/payments',
    ...{ id: 'getPaymentFigures', summary: 'Count payments, and how long they took to end', ...figure('PaymentFigures') },
    more: 'Payments that were asked for in the range.',
  },
  deliveries: {
    at: 'GET /figures/deliveries',
    ...{ id: 'getDeliveryFigures', summary: 'Count deliveries of each endpoint', ...figure('DeliveryFigures') },
    more: 'With the backlog, where the range ends now.',
  },
} satisfies Calls;

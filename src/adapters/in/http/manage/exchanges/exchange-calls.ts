import { checkNames } from '../../../../../domain/exchanges/exchange';
import { list, object, pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { pairFilters, rangeFilters } from '../http/filters';
import { count, oneOf, required, text, whole, word } from '../http/query';

/** Records of calls, newest first. */
export const exchangeCalls = {
  list: {
    at: 'GET /exchanges',
    ...{ id: 'listExchanges', summary: 'List calls, newest first', who: 'everyone', gives: pageOf('Exchange') },
    more: 'An exchange is the record of one call with both its legs. No URL, header, body or token is in it.',
    filters: {
      ...pairFilters,
      call: word('Only calls of the endpoint with this short name, such as `connect`.'),
      status: whole(100, 599, 'Only calls that were answered with this HTTP status.'),
      error_code: word('Only calls that were answered with this code.'),
      request_id: word('Only calls with this `X-Request-Id`.'),
      status_class: whole(1, 5, 'Only calls whose HTTP status begins with this digit, such as 4.'),
      failed_side: oneOf(['hostapp', 'miniapp', 'platform'], 'Only calls in which this party failed.'),
      refused_check: oneOf(checkNames, 'Only calls that did not pass this credential check.'),
      min_ms: count('Only calls that took this many milliseconds or more.'),
      part_of: word('Only calls that belong to the payment or delivery with this id.'),
      ...rangeFilters,
    },
  },
  get: {
    at: 'GET /exchanges/{id}',
    ...{ id: 'getExchange', summary: 'Read a call', who: 'everyone', gives: ref('ExchangeWhole') },
    more: 'With a curl command that makes the call again, its credentials left out.',
  },
  reveal: {
    at: 'POST /exchanges/{id}/raw',
    ...{ id: 'revealRequest', summary: 'Look at a request as it came in', who: 'everyone', gives: ref('RawRequest') },
    more: 'Kept for a day where a signature was refused, its credentials left out. That somebody looked is audited.',
  },
} satisfies Calls;

const timeline = {
  who: 'everyone' as const,
  more: 'Calls to both partners, attempts and plans, as lines between the three parties.',
  gives: ref('Timeline'),
};

/** Everything about one call, payment or delivery. */
export const timelineCalls = {
  exchange: {
    at: 'GET /timelines/exchange/{id}',
    ...{ id: 'getTimelineOfExchange', summary: 'Read what belongs to a call, in order, and who has to act', ...timeline },
  },
  payment: {
    at: 'GET /timelines/payment/{id}',
    ...{ id: 'getTimelineOfPayment', summary: 'Read what belongs to a payment, in order, and who has to act', ...timeline },
  },
  delivery: {
    at: 'GET /timelines/delivery/{id}',
    ...{ id: 'getTimelineOfDelivery', summary: 'Read what belongs to a delivery, in order, and who has to act', ...timeline },
  },
} satisfies Calls;

/** A record of any kind by its whole id. */
export const searchCalls = {
  find: {
    at: 'GET /search',
    ...{ id: 'findById', summary: 'Find whatever has an id, by its whole id', who: 'everyone' },
    more: 'Ids of calls, payments, deliveries, users and partners. What belongs to others is not found.',
    query: { q: required(text('Whole id, such as an `X-Request-Id`; parts of one find nothing.')) },
    gives: object('The records that have the id.', { data: [list(ref('Hit')), 'Records of all sorts; empty where none has it.'] }),
  },
} satisfies Calls;

import { deliveryKinds, deliveryStates } from '../../../../../domain/deliveries/delivery';
import { count, list, object, pageOf, ref, text } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { pairFilters, rangeFilters } from '../http/filters';
import { oneOf, word } from '../http/query';
import { ReasonDto } from '../http/reason.dto';
import { ResendDto } from './resend.dto';

/** Deliveries to partners, and what became of them. */
export const deliveryCalls = {
  list: {
    at: 'GET /deliveries',
    ...{ id: 'listDeliveries', summary: 'List deliveries, newest first', who: 'everyone', gives: pageOf('Delivery') },
    more: 'Completions and durable events that a partner must receive. Bodies are not shown.',
    filters: {
      id: word('Only the delivery with this id.'),
      ...pairFilters,
      kind: oneOf(deliveryKinds, 'Only completions of payments, or only durable events.'),
      state: oneOf(deliveryStates, 'Only deliveries in this state.'),
      queue: word('Only deliveries of this endpoint queue.'),
      ...rangeFilters,
    },
  },
  get: {
    at: 'GET /deliveries/{id}',
    ...{ id: 'getDelivery', summary: 'Read a delivery with its attempts', who: 'everyone', gives: ref('DeliveryHistory') },
    more: 'The last 200 attempts, and when the next ones are due as long as all fail.',
  },
  resend: {
    at: 'POST /deliveries/{id}/resend',
    ...{ id: 'resendDelivery', summary: 'Deliver once more', who: 'everyone', gives: ref('Delivery') },
    more: 'A partner may ask for what it receives itself.',
  },
  abort: {
    at: 'POST /deliveries/{id}/abort',
    ...{ id: 'abortDelivery', summary: 'Give up on a delivery', who: 'everyone', body: ReasonDto },
    more: 'It counts as failed from then on, and can be resent. 409 where it has ended already.',
    ...{ gives: ref('Delivery'), kinds: ['conflict'] },
  },
  draft: {
    at: 'POST /deliveries/{id}/request',
    ...{ id: 'draftDelivery', summary: 'Get the request that would deliver it now', who: 'operator', gives: ref('DeliveryRequest') },
    more: 'Whole and signed, with the body; nothing is sent. In development alone.',
    kinds: ['conflict', 'forbidden'],
  },
} satisfies Calls;

const preview = object('What the batch would hold.', {
  count: [count, 'Deliveries that meet the conditions.'],
  ids: [list(text), 'Ids of the first 20 of them.'],
});
const batchDetails = 'Its deliveries are asked for one after the other, `per_second` of them a second.';

/** Batches that resend many deliveries. */
export const resendCalls = {
  start: {
    at: 'POST /deliveries/resend',
    ...{ id: 'resendDeliveries', summary: 'Deliver many once more, so many a second', who: 'operator', body: ResendDto },
    more: 'Exactly one of `state`, `failed_since` and `missing_since`. With `preview` they are only counted.',
    ...{ gives: ref('Resend'), status: 202 },
    or: { status: 200, description: 'How many it would be, and the first of them.', schema: preview },
  },
  list: {
    at: 'GET /resends',
    ...{ id: 'listResends', summary: 'List batches, newest first', who: 'operator', filters: {}, gives: pageOf('Resend') },
    more: batchDetails,
  },
  get: {
    at: 'GET /resends/{id}',
    ...{ id: 'getResend', summary: 'Read how far a batch is', who: 'operator', gives: ref('ResendProgress'), more: batchDetails },
  },
  cancel: {
    at: 'POST /resends/{id}/cancel',
    ...{ id: 'cancelResend', summary: 'Cancel a batch', who: 'operator', gives: ref('ResendProgress') },
    more: 'Deliveries that were asked for stay so; the rest is not asked for. A batch that has ended stays as it is.',
  },
} satisfies Calls;

const ofQueue = { who: 'everyone' as const, gives: ref('DeliveryQueue') };

/** Endpoints in trouble or for which something waits. */
export const endpointQueueCalls = {
  list: {
    at: 'GET /endpoint-queues',
    ...{ id: 'listQueues', summary: 'List endpoints in trouble or for which something waits', who: 'everyone' },
    more: 'An endpoint without trouble for which nothing waits is not in the list. A partner sees its own.',
    ...{ filters: {}, gives: pageOf('DeliveryQueue') },
  },
  get: {
    at: 'GET /endpoint-queues/{queue}',
    ...{ id: 'getQueue', summary: 'Read how an endpoint stands', ...ofQueue },
    more: 'Also of an endpoint without trouble: its state is `clear`.',
  },
  release: {
    at: 'POST /endpoint-queues/{queue}/release',
    ...{ id: 'releaseEndpointQueue', summary: 'Deliver again to an endpoint that was left alone', ...ofQueue },
    more: 'What waits is attempted at once, at a growing rate, instead of after the next probe.',
  },
  pause: {
    at: 'POST /endpoint-queues/{queue}/pause',
    ...{ id: 'pauseEndpointQueue', summary: 'Deliver nothing to an endpoint for now', ...ofQueue, body: ReasonDto },
    more: 'New deliveries wait, too. Single deliveries that the operator resends are still attempted.',
  },
  resume: {
    at: 'POST /endpoint-queues/{queue}/resume',
    ...{ id: 'resumeEndpointQueue', summary: 'Deliver again to an endpoint that was paused', ...ofQueue },
    more: 'What waited meanwhile is attempted again.',
  },
} satisfies Calls;

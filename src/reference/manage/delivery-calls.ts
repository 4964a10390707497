import { ReasonDto } from '../../adapters/in/http/manage/http/reason.dto';
import { ResendDto } from '../../adapters/in/http/manage/deliveries/resend.dto';
import { deliveryKinds, deliveryStates } from '../../domain/deliveries/delivery';
import { count, list, object, oneOf, ref, text, type Members, pageOf } from '../../adapters/dto/schema';
import { pairFilters, rangeFilters } from './filters';
import type { ManageCalls } from './operation';

const deliveryFilters: Members = {
  id: [text, 'Only the delivery with this id.'],
  ...pairFilters,
  kind: [oneOf(...deliveryKinds), 'Only completions of payments, or only durable events.'],
  state: [oneOf(...deliveryStates), 'Only deliveries in this state.'],
  queue: [text, 'Only deliveries of this endpoint queue.'],
  ...rangeFilters,
};

const preview = object('What the batch would hold.', {
  count: [count, 'Deliveries that meet the conditions.'],
  ids: [list(text), 'Ids of the first 20 of them.'],
});
const cancelDetails = 'Deliveries that were asked for stay so; the rest is not asked for. A batch that has ended stays as it is.';
const batchDetails = 'Its deliveries are asked for one after the other, `per_second` of them a second.';

/** Calls for deliveries, resends and endpoint queues. */
export const deliveries: ManageCalls = {
  'GET /deliveries': {
    ...{
      id: 'listDeliveries',
      summary: 'List deliveries, newest first',
      who: 'everyone',
      query: deliveryFilters,
      gives: pageOf('Delivery'),
    },
    more: 'Completions and durable events that a partner must receive. Bodies are not shown.',
  },
  'GET /deliveries/{id}': {
    ...{ id: 'getDelivery', summary: 'Read a delivery with its attempts', who: 'everyone', gives: ref('DeliveryHistory') },
    more: 'The last 200 attempts, and when the next ones are due as long as all fail.',
  },
  'POST /deliveries/{id}/resend': {
    ...{ id: 'resendDelivery', summary: 'Deliver once more', who: 'everyone', gives: ref('Delivery') },
    more: 'A partner may ask for what it receives itself.',
  },
  'POST /deliveries/{id}/abort': {
    ...{
      id: 'abortDelivery',
      summary: 'Give up on a delivery',
      who: 'everyone',
      body: ReasonDto,
      gives: ref('Delivery'),
      kinds: ['conflict'],
    },
    more: 'It counts as failed from then on, and can be resent. 409 where it has ended already.',
  },
  'POST /deliveries/{id}/request': {
    ...{ id: 'draftDelivery', summary: 'Get the request that would deliver it now', who: 'operator', gives: ref('DeliveryRequest') },
    more: 'Whole and signed, with the body; nothing is sent. In development alone.',
    kinds: ['conflict', 'forbidden'],
  },
  'POST /deliveries/resend': {
    ...{ id: 'resendDeliveries', summary: 'Deliver many once more, so many a second', who: 'operator', body: ResendDto },
    more: 'Exactly one of `state`, `failed_since` and `missing_since`. With `preview` they are only counted.',
    ...{ gives: ref('Resend'), status: 202 },
    or: { status: 200, description: 'How many it would be, and the first of them.', schema: preview },
  },
  'GET /resends': {
    id: 'listResends',
    summary: 'List batches, newest first',
    who: 'operator',
    query: {},
    gives: pageOf('Resend'),
    more: batchDetails,
  },
  'GET /resends/{id}': {
    id: 'getResend',
    summary: 'Read how far a batch is',
    who: 'operator',
    gives: ref('ResendProgress'),
    more: batchDetails,
  },
  'POST /resends/{id}/cancel': {
    id: 'cancelResend',
    summary: 'Cancel a batch',
    who: 'operator',
    gives: ref('ResendProgress'),
    more: cancelDetails,
  },
  'GET /endpoint-queues': {
    ...{
      id: 'listQueues',
      summary: 'List endpoints in trouble or for which something waits',
      who: 'everyone',
      query: {},
      gives: pageOf('DeliveryQueue'),
    },
    more: 'An endpoint without trouble for which nothing waits is not in the list. A partner sees its own.',
  },
  'GET /endpoint-queues/{queue}': {
    ...{ id: 'getQueue', summary: 'Read how an endpoint stands', who: 'everyone', gives: ref('DeliveryQueue') },
    more: 'Also of an endpoint without trouble: its state is `clear`.',
  },
  'POST /endpoint-queues/{queue}/release': {
    ...{
      id: 'releaseEndpointQueue',
      summary: 'Deliver again to an endpoint that was left alone',
      who: 'everyone',
      gives: ref('DeliveryQueue'),
    },
    more: 'What waits is attempted at once, at a growing rate, instead of after the next probe.',
  },
  'POST /endpoint-queues/{queue}/pause': {
    ...{
      id: 'pauseEndpointQueue',
      summary: 'Deliver nothing to an endpoint for now',
      who: 'everyone',
      body: ReasonDto,
      gives: ref('DeliveryQueue'),
    },
    more: 'New deliveries wait, too. Single deliveries that the operator resends are still attempted.',
  },
  'POST /endpoint-queues/{queue}/resume': {
    ...{ id: 'resumeEndpointQueue', summary: 'Deliver again to an endpoint that was paused', who: 'everyone', gives: ref('DeliveryQueue') },
    more: 'What waited meanwhile is attempted again.',
  },
};

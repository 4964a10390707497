import type { FastifyInstance } from 'fastify';
import type { Context } from './context';
import { requireSignature } from './credentials';
import type { PairIds } from './pairs';
import { id, object, text } from './schema';

interface Event extends PairIds {
  readonly event_type: string;
  readonly payload?: object;
}

const event = object({ client_id: id, app_id: id, event_type: text(250) }, { payload: { type: 'object' }, ordering_key: text(255) });

/** Events both ways: both are signed by the miniapp, and the receiver's answer is passed on. */
export function events(app: FastifyInstance, { partners, pairs, publicBase }: Context): void {
  app.post<{ Body: Event }>('/api/v1/events/miniapp/', { schema: { body: event } }, async (request) => {
    const pair = pairs.require(request.body);
    requireSignature(pair, request, publicBase);
    return partners.callHost<object>(pair, '/events', relayed(request.body));
  });
  app.post<{ Body: Event }>('/api/v1/events/hostapp/', { schema: { body: event } }, async (request) => {
    const pair = pairs.require(request.body);
    requireSignature(pair, request, publicBase);
    return partners.callMiniapp<object>(pair, '/events', JSON.stringify(relayed(request.body)));
  });
}

const relayed = ({ app_id, client_id, event_type, payload = {} }: Event): object => ({ app_id, client_id, event_type, payload });

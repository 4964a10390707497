import type { EventReceiver } from '../../../../domain/events/ports';
import type { JsonObject } from '../../../../domain/shared/json';
import type { PartnerRequest } from '../partner-call';

/** The call that sends an event to its receiver (contract/partner-calls#events-bridge). */
export const eventCalls: Readonly<Record<EventReceiver, PartnerRequest<JsonObject>>> = {
  hostapp: {
    leg: { side: 'hostapp', step: 'event' },
    method: 'POST',
    setting: 'events_bridge_url',
    url: ({ hostApp }) => hostApp.settings.endpoints.eventsBridge,
    body: (event) => event,
  },
  miniapp: {
    leg: { side: 'miniapp', step: 'event' },
    method: 'POST',
    setting: 'events_bridge_url',
    url: ({ miniapp }) => miniapp.settings.endpoints.eventsBridge,
    body: (event) => event,
  },
};

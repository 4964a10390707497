import type { EventReceiver } from '../../../../domain/events/ports';
import type { RelayEvent } from '../../../../domain/events/relay-event';
import { JsonObject } from '../../../../domain/shared/json';
import type { Answer } from '../answer';
import type { Action } from './api-route';
import type { EventDto } from './events.dto';

/** events/{sender}: relays an event from one partner to the other. */
export class EventsController {
  constructor(private readonly deps: { relayEvent: RelayEvent }) {}

  fromHostApp: Action<EventDto> = this.to('miniapp');

  fromMiniapp: Action<EventDto> = this.to('hostapp');

  private to(receiver: EventReceiver): Action<EventDto> {
    return async ({ relay, integration, fields }) => {
      const { event_type: type, payload = noMembers, ordering_key } = fields;
      // An empty ordering key counts as absent.
      const orderingKey = ordering_key || undefined;
      const relayed = await this.deps.relayEvent.execute({ relay, integration, receiver, type, payload, orderingKey });
      return 'eventId' in relayed ? accepted(relayed.eventId) : { status: 200, body: relayed.answer };
    };
  }
}

const noMembers = new JsonObject(new Map());

const accepted = (eventId: string): Answer => ({ status: 202, body: JsonObject.of({ event_id: eventId }) });

import { laneOf } from '../deliveries/lane';
import type { DeliveryBell, EventOutbox } from '../deliveries/ports';
import type { Relay } from '../exchanges/exchange';
import { spanOf } from '../exchanges/tracing';
import type { Integration } from '../partners/integration';
import { catalogue } from '../shared/error-catalogue';
import { isPartnerBusy } from '../isolation/partner-busy';
import { DomainError, refusal } from '../shared/errors';
import { JsonObject, type Json } from '../shared/json';
import type { Clock, IdSource } from '../shared/ports';
import type { EventGateway, EventReceiver } from './ports';

export interface RelayEventCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly receiver: EventReceiver;
  /** 1 to 250 characters. */
  readonly type: string;
  /** Travels untouched. */
  readonly payload: JsonObject;
  /** Durable events of one key are delivered in order; 1 to 255 characters, not passed on. */
  readonly orderingKey?: string | undefined;
}

/** How an event went: answered by its receiver, or owed to it from now on. */
export type RelayedEvent = { readonly answer: Json } | { readonly eventId: string };

interface Deps {
  readonly gateway: EventGateway;
  readonly outbox: EventOutbox;
  readonly bell: DeliveryBell;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/**
 * An event of one partner, brought to the other (contract/events#send-an-event): by one call whose answer is the answer, or, where
 * the integration is durable, written down and delivered until it is received. Touches nothing else: whoever may send an
 * event cannot settle a payment with it. Throws EVENT_RECEIVER_DISABLED where the receiver has no URL for events,
 * EVENT_DELIVERY_FAILED where it did not take this one, PartnerBusy where it was not asked to.
 */
export class RelayEvent {
  constructor(private readonly deps: Deps) {}

  async execute(command: RelayEventCommand): Promise<RelayedEvent> {
    requireReceiver(command);
    return command.integration.settings.eventDelivery === 'durable' ? this.owe(command) : this.relay(command);
  }

  private async relay(command: RelayEventCommand): Promise<RelayedEvent> {
    const { relay, integration, receiver } = command;
    try {
      const answer = await this.deps.gateway.relay({ relay, integration, receiver, body: bodyOf(command) });
      return { answer: answer === undefined ? emptyAnswer : answer };
    } catch (error) {
      throw notDelivered(error, receiver);
    }
  }

  private async owe(command: RelayEventCommand): Promise<RelayedEvent> {
    const { relay, integration, receiver, orderingKey } = command;
    const { outbox, bell, ids } = this.deps;
    const id = ids.next();
    const lane = laneOf({ receiver, clientId: integration.hostApp.id, appId: integration.miniapp.id, kind: 'event' });
    const about = { id, integrationId: integration.id, receiver, lane, orderingKey };
    await outbox.owe({ ...about, requestId: relay.requestId, span: spanOf(relay.origin), body: bodyOf(command) });
    relay.trace.partOf(id);
    bell.ring(lane);
    return { eventId: id };
  }
}

const emptyAnswer = new JsonObject(new Map());

/** What the receiver gets: these four, and nothing else (contract/partner-calls#events-bridge). */
const bodyOf = ({ integration, type, payload }: RelayEventCommand): JsonObject =>
  JsonObject.of({ app_id: integration.miniapp.id, client_id: integration.hostApp.id, event_type: type, payload });

function requireReceiver({ integration, receiver }: RelayEventCommand): void {
  const { settings } = receiver === 'hostapp' ? integration.hostApp : integration.miniapp;
  if (settings.endpoints.eventsBridge !== undefined) return;
  throw refusal('invalid', 'EVENT_RECEIVER_DISABLED', { side: receiver, step: 'event', setting: 'events_bridge_url' });
}

/** Whatever the receiver said instead of taking the event, the sender reads one code; the cause stays. An unsent event says so itself. */
function notDelivered(error: unknown, side: EventReceiver): unknown {
  if (!(error instanceof DomainError) || !error.kind.startsWith('partner-') || isPartnerBusy(error)) return error;
  const { step, cause, exception } = error.details;
  const code = 'EVENT_DELIVERY_FAILED';
  return new DomainError(error.kind, code, catalogue[code].meaning, {
    ...{ side, step: step ?? 'event' },
    ...(cause !== undefined && { cause }),
    ...(exception !== undefined && { exception }),
  });
}

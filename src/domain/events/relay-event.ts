import { queueOf } from '../deliveries/endpoint-queue';
import type { DeliveryNotifier, EventOutboxStore } from '../deliveries/ports';
import type { Relay } from '../exchanges/exchange';
import { spanOf } from '../exchanges/tracing';
import type { Integration } from '../partners/integrations/integration';
import { catalogue } from '../shared/error-catalogue';
import { isPartnerBusy } from '../isolation/partner-busy';
import { DomainError, refusal } from '../shared/errors';
import { JsonObject, type Json } from '../shared/json';
import type { Clock, IdGenerator } from '../shared/ports';
import type { EventGateway, EventReceiver } from './ports';

export interface RelayEventCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly receiver: EventReceiver;
  /** 1 to 250 characters. */
  readonly type: string;
  /** Passed on unchanged. */
  readonly payload: JsonObject;
  /** Durable events with the same key are delivered in order; 1 to 255 characters, not sent to the receiver. */
  readonly orderingKey?: string | undefined;
}

/** The outcome of an event: the receiver's answer, or the id of a queued event. */
export type RelayedEvent = { readonly answer: Json } | { readonly eventId: string };

interface Deps {
  readonly gateway: EventGateway;
  readonly outbox: EventOutboxStore;
  readonly notifier: DeliveryNotifier;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

/**
 * Relays an event from one partner to the other (contract/events#send-an-event): with one call, whose answer is passed back, or, if the
 * integration is durable, stored and delivered until it is received. Changes nothing else: an event cannot settle a payment. Throws
 * EVENT_RECEIVER_DISABLED where the receiver has no URL for events, EVENT_DELIVERY_FAILED where it did not accept this one, PartnerBusy
 * where nothing was sent.
 */
export class RelayEvent {
  constructor(private readonly deps: Deps) {}

  async execute(command: RelayEventCommand): Promise<RelayedEvent> {
    requireReceiver(command);
    return command.integration.settings.eventDelivery === 'durable' ? this.enqueue(command) : this.relay(command);
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

  private async enqueue(command: RelayEventCommand): Promise<RelayedEvent> {
    const { relay, integration, receiver, orderingKey } = command;
    const { outbox, notifier, ids } = this.deps;
    const id = ids.next();
    const queue = queueOf({ receiver, clientId: integration.hostApp.id, appId: integration.miniapp.id, kind: 'event' });
    const [integrationId, requestId] = [integration.id, relay.requestId];
    await outbox.add({ id, integrationId, receiver, queue, orderingKey, requestId, span: spanOf(relay.origin), body: bodyOf(command) });
    relay.trace.partOf(id);
    notifier.notify(queue);
    return { eventId: id };
  }
}

const emptyAnswer = new JsonObject(new Map());

/** The body for the receiver: these four members, and nothing else (contract/partner-calls#events-bridge). */
const bodyOf = ({ integration, type, payload }: RelayEventCommand): JsonObject =>
  JsonObject.of({ app_id: integration.miniapp.id, client_id: integration.hostApp.id, event_type: type, payload });

function requireReceiver({ integration, receiver }: RelayEventCommand): void {
  const { settings } = receiver === 'hostapp' ? integration.hostApp : integration.miniapp;
  if (settings.endpoints.eventsBridge !== undefined) return;
  throw refusal('invalid', 'EVENT_RECEIVER_DISABLED', { side: receiver, step: 'event', setting: 'events_bridge_url' });
}

/** Converts any failure of the receiver to one code for the sender, and keeps its cause. PartnerBusy is passed on: nothing was sent. */
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

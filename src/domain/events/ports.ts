import type { OwedEvent } from '../deliveries/ports';
import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import type { Json, JsonObject } from '../shared/json';

/** Whom an event is for. */
export type EventReceiver = OwedEvent['receiver'];

/** One event on its way. */
export interface EventSending {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly receiver: EventReceiver;
  /** What the receiver gets, whole. */
  readonly body: JsonObject;
}

/** Takes an event to its receiver's Events bridge URL, once. */
export interface EventGateway {
  /**
   * Resolves to the JSON of a 2xx answer, whatever it says; `undefined`: it has none. Throws the partner-* kinds where the
   * receiver did not take the event, EndpointNotSet, and what the credentials throw.
   */
  relay(sending: EventSending): Promise<Json | undefined>;
}

import type { OutboxEvent } from '../deliveries/ports';
import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import type { Json, JsonObject } from '../shared/json';

/** The partner that an event is for. */
export type EventReceiver = OutboxEvent['receiver'];

/** One event to send. */
export interface EventSending {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly receiver: EventReceiver;
  /** The complete body for the receiver. */
  readonly body: JsonObject;
}

/** Sends an event to its receiver's Events bridge URL, once. */
export interface EventGateway {
  /**
   * Resolves to the JSON of a 2xx answer; `undefined` when it has none. Throws the partner-* kinds where the receiver did not accept the
   * event, EndpointNotSet, and what the credentials throw.
   */
  relay(sending: EventSending): Promise<Json | undefined>;
}

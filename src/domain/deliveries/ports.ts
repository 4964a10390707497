import type { JsonObject } from '../shared/json';

/** Wakes whoever delivers: something is due now. Returns at once and never fails; who hears nothing looks again soon. */
export interface DeliveryBell {
  ring(): void;
}

/** An event that its receiver is owed until it has it (integration setting `event_delivery`: `durable`). */
export interface OwedEvent {
  readonly id: string;
  readonly integrationId: string;
  readonly receiver: 'hostapp' | 'miniapp';
  /** Events of one key and receiver are delivered in the order in which they were owed; absent: no order. */
  readonly orderingKey?: string | undefined;
  /** What the receiver gets, whole: printed once, the same bytes at every attempt. */
  readonly body: JsonObject;
  /** The inbound call's, passed on at every attempt. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Where owed events are written down. What resolves is committed. */
export interface EventOutbox {
  owe(event: OwedEvent): Promise<void>;
}

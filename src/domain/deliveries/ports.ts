import type { Integration } from '../partners/integration';
import type { AuditEntry, PageRequest } from '../partners/ports';
import type { JsonObject } from '../shared/json';
import type { Attempt, DeliveryHistory, DeliveryKind, DeliveryRecord, DeliveryState, DueDelivery, Receiver } from './delivery';

/** Wakes whoever delivers: something is due now. Returns at once and never fails; who hears nothing looks again soon. */
export interface DeliveryBell {
  ring(): void;
}

/** An event that its receiver is owed until it has it (integration setting `event_delivery`: `durable`). */
export interface OwedEvent {
  readonly id: string;
  readonly integrationId: string;
  readonly receiver: Receiver;
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

/** Which delivery, under which claim. */
export type Claim = Pick<DueDelivery, 'id' | 'lease'>;

/**
 * What is owed and not yet received, shared by all instances. A claim lasts `leaseMs`; then anybody may claim the delivery
 * anew, and who held it changes nothing any more: each method that ends a claim resolves to false where it was not ours.
 */
export interface DeliveryQueue {
  /**
   * Claims what is due, `limit` at most, oldest due first. Of the deliveries of one key only the first that is still owed
   * can be claimed.
   */
  claimDue(command: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueDelivery[]>;
  /** The receiver has it. */
  delivered(claim: Claim, attempt: Attempt): Promise<boolean>;
  /** Owed still: due again at `dueAt`, in milliseconds since the epoch. */
  retry(claim: Claim, attempt: Attempt, dueAt: number): Promise<boolean>;
  /** No further attempt unless the operator asks for one. */
  giveUp(claim: Claim, attempt: Attempt): Promise<boolean>;
  /** Nothing was attempted, as something is switched off; looked at again at `dueAt`. `code` says what. */
  park(claim: Claim, code: string, dueAt: number): Promise<boolean>;
}

/** What a receiver made of one attempt. */
export interface DeliveryAnswer {
  readonly status: number;
  /** The code in the body, where there was one. */
  readonly errorCode?: string | undefined;
  /** Seconds for which the receiver wants to be left alone. */
  readonly retryAfterS?: number | undefined;
}

/** One attempt to be made. */
export interface DeliverySending {
  readonly integration: Integration;
  readonly delivery: DueDelivery;
  /** Milliseconds since the epoch; told to the receiver. */
  readonly at: number;
  /** When the answer must be there, in milliseconds since the epoch. */
  readonly deadline: number;
}

/**
 * Takes what is owed to its receiver: to the URL and with the credentials that are stored now. Resolves to the answer,
 * whatever it says; throws ENDPOINT_URL_NOT_SET, the partner-* kinds where none came, and what the credentials throw.
 */
export interface DeliveryGateway {
  deliver(sending: DeliverySending): Promise<DeliveryAnswer>;
}

/** Chance, from 0 to 1, 1 not included. */
export interface Chance {
  roll(): number;
}

/** Which deliveries: all that are named must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface DeliveryFilter {
  readonly id?: string;
  readonly clientId?: string;
  readonly appId?: string;
  readonly kind?: DeliveryKind;
  readonly state?: DeliveryState;
  readonly from?: number;
  readonly to?: number;
}

/** Deliveries as the operator sees them. */
export interface DeliveryBook {
  /** Newest first. */
  list(filter: DeliveryFilter, page: PageRequest): Promise<readonly DeliveryRecord[]>;
  find(id: string): Promise<DeliveryHistory | undefined>;
  /**
   * Owes it again from `at` on, received or not: the same id and bytes, and the whole schedule anew. Committed with its audit
   * row. Resolves to `undefined` where there is no such delivery. An attempt that is under way stays the only one.
   */
  resend(id: string, at: number, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined>;
}

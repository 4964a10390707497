import type { Completion } from '../payments/order-payment';
import type { JsonObject } from '../shared/json';
import type { EndpointTrouble } from './circuit';

/** The partner that a delivery is for. */
export type Receiver = 'hostapp' | 'miniapp';

/** The content of a delivery: a payment's result for its miniapp, or a durable event for either side. */
export type DeliveryContent =
  | { readonly kind: 'completion'; readonly completion: Completion }
  | {
      readonly kind: 'event';
      readonly receiver: Receiver;
      readonly body: JsonObject;
      readonly requestId: string;
      readonly span?: string | undefined;
    };

/** A pending delivery, claimed for one attempt. */
export interface DueDelivery {
  /** The same at every attempt: the receiver recognizes a repeat by it. */
  readonly id: string;
  readonly integrationId: string;
  readonly content: DeliveryContent;
  /** Milliseconds, by the database's clock, from when the delivery was made or an operator resent it until it was claimed. */
  readonly ageMs: number;
  /** Attempts since the delivery was made or resent that used up a step of the schedule. */
  readonly tries: number;
  /** Identifies this claim; a later claim has another value. */
  readonly lease: string;
  /** The name of the endpoint's queue (`queueOf`). */
  readonly queue: string;
  /** State of a failing endpoint. Absent when the endpoint has no trouble. */
  readonly trouble?: EndpointTrouble | undefined;
  /** Whether the delivery has an ordering key, so that the next one of the key follows when it ends. Absent: it has none. */
  readonly inOrder?: boolean | undefined;
  readonly reason: AttemptReason;
}

/**
 * Why an attempt is made: `schedule`, it was due; `probe`, it tests an endpoint whose circuit is open; `release`, the endpoint works
 * again, so waiting deliveries are attempted ahead of their schedule; `operator`, an operator asked for it. Only the first uses up the
 * schedule.
 */
export const attemptReasons = ['schedule', 'probe', 'release', 'operator'] as const;
export type AttemptReason = (typeof attemptReasons)[number];

/** A stored attempt: without URL, headers and body. */
export interface Attempt {
  readonly reason: AttemptReason;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  /** The receiver's HTTP status. Absent when no answer came. */
  readonly status?: number | undefined;
  /** The receiver's error code, or one of ours. For a received delivery it is only informative. */
  readonly errorCode?: string | undefined;
  /** Why the delivery was not received, as one of our keywords. */
  readonly cause?: string | undefined;
}

/** `ready`: pending; `parked`: pending while a feature is switched off; `failed`: given up, until an operator resends it. */
export const deliveryStates = ['ready', 'parked', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const deliveryKinds = ['completion', 'event'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** A delivery as shown to the operator, without its content. */
export interface DeliveryRecord {
  readonly id: string;
  readonly integrationId: string;
  /** Absent when the integration was removed. */
  readonly pair?: { readonly clientId: string; readonly appId: string } | undefined;
  readonly kind: DeliveryKind;
  readonly receiver: Receiver;
  readonly queue: string;
  readonly state: DeliveryState;
  /** The error code that names the disabled feature. */
  readonly parkedBy?: string | undefined;
  readonly attemptCount: number;
  /** When the next attempt is due, in milliseconds since the epoch; absent once the delivery has ended. */
  readonly dueAt?: number | undefined;
  /** Milliseconds since the epoch, as are the next two members. */
  readonly createdAt: number;
  readonly endedAt?: number | undefined;
  readonly resentAt?: number | undefined;
  /** The last attempt. Absent when none was made. */
  readonly last?: Pick<Attempt, 'at' | 'status' | 'errorCode' | 'cause'> | undefined;
  /** The reason that an operator gave for giving it up. */
  readonly abortedReason?: string | undefined;
}

/** Maximum number of attempts shown per delivery: a dead endpoint is attempted for days. */
export const attemptsShown = 200;

/** A delivery with its latest attempts, at most `attemptsShown`, oldest first. */
export interface DeliveryHistory extends DeliveryRecord {
  readonly attempts: readonly Attempt[];
  /** Attempts since the delivery was made or resent that used up a step of the schedule. */
  readonly tries: number;
}

/** The id of the call that caused the delivery; sent at every attempt. */
export const requestIdOf = (content: DeliveryContent): string =>
  content.kind === 'completion' ? content.completion.requestId : content.requestId;

/** The span of that call. `undefined` when the call was not traced. */
export const causeSpanOf = (content: DeliveryContent): string | undefined =>
  content.kind === 'completion' ? content.completion.span : content.span;

import type { Completion } from '../payments/order-payment';
import type { JsonObject } from '../shared/json';
import type { LaneTrouble } from './circuit';

/** Whom a delivery is for. */
export type Receiver = 'hostapp' | 'miniapp';

/** The content of a delivery: how a payment ended, to its miniapp, or a durable event, to either side. */
export type Owed =
  | { readonly kind: 'completion'; readonly completion: Completion }
  | {
      readonly kind: 'event';
      readonly receiver: Receiver;
      readonly body: JsonObject;
      readonly requestId: string;
      readonly span?: string | undefined;
    };

/** Something owed to a partner, claimed for one attempt. */
export interface DueDelivery {
  /** The same on every attempt: the receiver knows a repeat by it. */
  readonly id: string;
  readonly integrationId: string;
  readonly owed: Owed;
  /** For how long it was owed as it was claimed, in milliseconds by the clock of the storage: since it was made, or asked for again by the operator. */
  readonly ageMs: number;
  /** Attempts since then. */
  readonly tries: number;
  /** Names this claim; who claims next has another one. */
  readonly lease: string;
  /** The way to its endpoint: `laneOf`. */
  readonly lane: string;
  /** Absent: the endpoint is well. */
  readonly trouble?: LaneTrouble | undefined;
  /** It stands in an order: the next of its key follows when it ends. Absent: it stands alone. */
  readonly inOrder?: boolean | undefined;
  readonly reason: AttemptReason;
}

/**
 * Why an attempt is made: it was due; it probes an endpoint whose circuit is open; the endpoint is back, so what waits is attempted
 * ahead of its schedule; the operator asked for it. Only the first uses up the schedule.
 */
export const attemptReasons = ['schedule', 'look', 'release', 'operator'] as const;
export type AttemptReason = (typeof attemptReasons)[number];

/** One attempt, as it is kept: no URL, header or body. */
export interface Attempt {
  readonly reason: AttemptReason;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  /** The receiver's HTTP status, where an answer came. */
  readonly status?: number | undefined;
  /** The receiver's own code, or one of ours; on a receipt it is only noted. */
  readonly errorCode?: string | undefined;
  /** Why there was no receipt, in one word of ours. */
  readonly cause?: string | undefined;
}

/** `ready`: owed; `parked`: owed, and something is switched off; `failed`: given up, until the operator asks for it again. */
export const deliveryStates = ['ready', 'parked', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const deliveryKinds = ['completion', 'event'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** A delivery as the operator sees it: all but its content. */
export interface DeliveryRecord {
  readonly id: string;
  readonly integrationId: string;
  /** Absent: the integration was removed. */
  readonly pair?: { readonly clientId: string; readonly appId: string } | undefined;
  readonly kind: DeliveryKind;
  readonly receiver: Receiver;
  readonly lane: string;
  readonly state: DeliveryState;
  /** The code that names the feature that is off. */
  readonly parkedBy?: string | undefined;
  readonly attemptCount: number;
  /** When the next attempt is due, in milliseconds since the epoch; absent once it has ended. */
  readonly dueAt?: number | undefined;
  /** Milliseconds since the epoch, as are the next two. */
  readonly createdAt: number;
  readonly endedAt?: number | undefined;
  readonly resentAt?: number | undefined;
  /** The last attempt; absent: none was made. */
  readonly last?: Pick<Attempt, 'at' | 'status' | 'errorCode' | 'cause'> | undefined;
  /** What somebody said who gave it up. */
  readonly abortedReason?: string | undefined;
}

/** Of one delivery; a dead endpoint is tried for days. */
export const attemptsShown = 200;

/** With its last attempts, `attemptsShown` at most, oldest first. */
export interface DeliveryHistory extends DeliveryRecord {
  readonly attempts: readonly Attempt[];
  /** Attempts since it was made or asked for again that used up a step of the schedule. */
  readonly tries: number;
}

/** The id of the call that caused the delivery; passed on at every attempt. */
export const requestIdOf = (owed: Owed): string => (owed.kind === 'completion' ? owed.completion.requestId : owed.requestId);

/** Names the span of that call; `undefined`: it was not traced. */
export const owingSpanOf = (owed: Owed): string | undefined => (owed.kind === 'completion' ? owed.completion.span : owed.span);

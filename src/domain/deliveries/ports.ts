import type { Integration } from '../partners/integrations/integration';
import type { AuditEntry, PageRequest } from '../partners/ports';
import type { JsonObject } from '../shared/json';
import type { ClaimRequest } from './claim-capacity';
import type { QueuePause, EndpointQueueRecord } from './endpoint-queue';
import type { Attempt, DeliveryHistory, DeliveryKind, DeliveryRecord, DeliveryState, DueDelivery, Receiver } from './delivery';
import type { Resend, ResendFilter, ResendPreview, ResendProgress, ResendStart } from './resend';

/** Wakes the delivery worker when something is due. Returns at once and never fails; a worker that misses it polls soon. */
export interface DeliveryNotifier {
  /** `queue` names the queue with the due delivery; absent: any queue. */
  notify(queue?: string): void;
}

/** Also notifies all other instances, since any of them may attempt a due delivery. */
export interface SharedDeliveryNotifier extends DeliveryNotifier {
  notifyAll(): void;
}

/** An event that is delivered until its receiver has it (integration setting `event_delivery`: `durable`). */
export interface OutboxEvent {
  readonly id: string;
  readonly integrationId: string;
  readonly receiver: Receiver;
  readonly queue: string;
  /** Events with the same key and receiver are delivered in the order in which they were queued; absent: in no order. */
  readonly orderingKey?: string | undefined;
  /** The whole body, serialized once, so that every attempt sends the same bytes. */
  readonly body: JsonObject;
  /** The request id of the inbound call, sent at every attempt. */
  readonly requestId: string;
  /** The span of that call. Absent when the call was not traced. */
  readonly span?: string | undefined;
}

/** Stores events for delivery. An event is committed when `add` resolves. */
export interface EventOutboxStore {
  add(event: OutboxEvent): Promise<void>;
}

/** Identifies a delivery and the claim that holds it. */
export type Claim = Pick<DueDelivery, 'id' | 'lease' | 'queue' | 'trouble' | 'inOrder' | 'reason'>;

/** A slot for one attempt in this process, reserved for a delivery that is about to be committed. */
export interface ReservedAttempt {
  /** Milliseconds for which the delivery must be claimed. */
  readonly leaseMs: number;
  /** Begins the attempt of the delivery, which must be committed and claimed. Returns at once. */
  begin(delivery: DueDelivery): void;
  /** Frees the slot if `begin` was not called; otherwise does nothing. */
  release(): void;
}

/**
 * Begins deliveries in the process that commits them. Such a delivery is stored as claimed, which saves a poll and a read. If the process
 * ends before the attempt does, other processes claim the delivery once the claim has expired.
 */
export interface DeliveryDispatch {
  /** Returns `undefined` when the queue has no free slot, or this process begins no more attempts. */
  reserve(queue: string): ReservedAttempt | undefined;
}

/** The consequences of an attempt that was not received. */
export interface Failure {
  /** Milliseconds until the next attempt, if this one used up a step of the schedule. */
  readonly dueInMs?: number | undefined;
  /** Absent when the failure does not count against the endpoint. */
  readonly trouble?: FailedEndpoint | undefined;
}

/** How a failure affects the endpoint's circuit. */
export interface FailedEndpoint {
  /** Milliseconds until the next probe, if the circuit is open. */
  readonly backoffMs: number;
  /** Number of consecutive failures that opens the circuit. */
  readonly opensAfter: number;
}

/**
 * What a receipt means for the endpoint. `answers`: it had failed before; `recovers`: it works again, so waiting deliveries are attempted
 * from now on; `keeps-up`: its circuit closes. If the circuit is open, any of them makes it half-open.
 */
export type EndpointNews = 'answers' | 'recovers' | 'keeps-up';

/** Limits for deliveries that have waited too long, both in milliseconds. */
export interface Overdue {
  readonly waitingForMs: number;
  /** Minimum time since a delivery was due: one that was due more recently may have been resent or switched on. */
  readonly overdueByMs: number;
}

/** Selects parked deliveries of a host app, a miniapp or their integration; with neither id, all. */
export interface ParkedOf {
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** When the next delivery is due. */
export interface NextDue {
  /** Whether any delivery is pending, even if it is not due yet. */
  readonly waits: boolean;
  /** Milliseconds from now; negative when overdue. Absent when no due time is known. */
  readonly inMs?: number | undefined;
}

/**
 * Pending deliveries, shared by all instances. A claim lasts `leaseMs`; then anybody may claim the delivery anew. Each method that ends a
 * claim resolves to false, and changes nothing, if the claim is no longer held.
 */
export interface DeliveryQueue {
  /**
   * Claims due deliveries, the longest due first in each queue, within its capacity. Of an ordering key only the first pending delivery
   * can be claimed. A queue with an open circuit yields one probe per claim; a queue with a recovering endpoint yields deliveries without
   * an attempt since the recovery, even before they are due. Parked deliveries can be claimed when they are due.
   */
  claimDue(request: ClaimRequest): Promise<readonly DueDelivery[]>;
  /** Ends the claim: the delivery was received. */
  delivered(claim: Claim, attempt: Attempt, news?: EndpointNews): Promise<boolean>;
  /** Ends the claim: the delivery stays pending. Without `dueInMs` its due time stays the same. */
  retry(claim: Claim, attempt: Attempt, failure: Failure): Promise<boolean>;
  /** Ends the delivery as failed: no further attempt unless an operator asks for one. */
  giveUp(claim: Claim, attempt: Attempt, failure: Pick<Failure, 'trouble'>): Promise<boolean>;
  /** Ends the claim without an attempt, because a feature is switched off (named by `code`); checked again in `inMs`. */
  park(claim: Claim, code: string, inMs: number): Promise<boolean>;
  /** Makes at most `limit` parked deliveries due now. Resolves to their number. */
  wake(of: ParkedOf, limit: number): Promise<number>;
  /** Gives up overdue deliveries in queues with an open circuit, attempted or not. Resolves to their number. */
  giveUpOverdue(overdue: Overdue): Promise<number>;
  /** Ignores deliveries in `fullQueues`, which have no free slot. */
  nextDue(fullQueues: readonly string[]): Promise<NextDue>;
}

/** The receiver's answer to one attempt. */
export interface DeliveryAnswer {
  readonly status: number;
  /** The error code from the body, if it has one. */
  readonly errorCode?: string | undefined;
  /** Seconds from the receiver's `Retry-After`. */
  readonly retryAfterS?: number | undefined;
}

/** One attempt to send. */
export interface DeliverySending {
  readonly integration: Integration;
  readonly delivery: DueDelivery;
  /** Milliseconds since the epoch; sent to the receiver. */
  readonly at: number;
  /** Deadline for the answer, in milliseconds since the epoch. */
  readonly deadline: number;
}

/**
 * Sends a delivery to its receiver with the URL and credentials that are stored now. Resolves to the answer, whatever its status; throws
 * ENDPOINT_URL_NOT_SET, the partner-* kinds where no answer came, and what the credentials throw.
 */
export interface DeliveryGateway {
  deliver(sending: DeliverySending): Promise<DeliveryAnswer>;
}

/** Returns random numbers from 0 to 1, 1 not included. */
export interface RandomGenerator {
  next(): number;
}

/** Selects deliveries; every given condition must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface DeliveryFilter {
  readonly id?: string;
  readonly clientId?: string;
  readonly appId?: string;
  readonly kind?: DeliveryKind;
  readonly state?: DeliveryState;
  readonly queue?: string;
  readonly from?: number;
  readonly to?: number;
}

/** An operator's reason for giving a delivery up. */
export interface DeliveryAbort {
  readonly reason: string;
}

export type AbortOutcome = 'ended' | 'in-flight' | DeliveryRecord;

/** Deliveries as shown to the operator. */
export interface DeliveryRepository {
  /** Newest first. */
  list(filter: DeliveryFilter, page: PageRequest): Promise<readonly DeliveryRecord[]>;
  find(id: string): Promise<DeliveryHistory | undefined>;
  /**
   * Queues a delivery again, received or not: with the same id and bytes, and a new schedule from now on. Committed with its audit row.
   * Resolves to `undefined` for an unknown delivery. If an attempt is in flight, no second one begins beside it.
   */
  resend(id: string, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined>;
  /**
   * Gives up a pending delivery: it has failed, for `reason`, until it is resent; the next one of its ordering key follows. Committed with
   * the audit row. `undefined`: unknown delivery; `ended`: it was delivered or given up before; `in-flight`: an attempt is running, and
   * its result counts.
   */
  abort(id: string, abort: DeliveryAbort, audit: (before: DeliveryRecord) => AuditEntry): Promise<AbortOutcome | undefined>;
}

/** The queues as shown to the operator: those with waiting deliveries or a failing endpoint. */
export interface EndpointQueueRepository {
  /** Sorted by name, ascending. */
  list(page: PageRequest): Promise<readonly EndpointQueueRecord[]>;
  find(queue: string): Promise<EndpointQueueRecord | undefined>;
  /**
   * Pauses a queue: only deliveries that an operator resends one by one are attempted, and none is given up for its age. An attempt in
   * flight continues. Committed with the audit row; if the queue is already paused, replaces the reason.
   */
  pause(queue: string, pause: Omit<QueuePause, 'at'>, audit: (before: EndpointQueueRecord) => AuditEntry): Promise<EndpointQueueRecord>;
  /** Lets waiting deliveries be attempted. Committed with the audit row; resolves to `undefined` where the queue is not paused. */
  resume(queue: string, audit: (before: EndpointQueueRecord) => AuditEntry): Promise<EndpointQueueRecord | undefined>;
  /**
   * Makes the circuit half-open, as the endpoint works again. Committed with the audit row; resolves to `undefined` where there is no
   * trouble, or the queue is paused.
   */
  release(queue: string, audit: (before: EndpointQueueRecord) => AuditEntry): Promise<EndpointQueueRecord | undefined>;
}

/** Batches of deliveries to resend. Their attempts have the reason `operator` and use up no schedule. */
export interface ResendRepository {
  preview(filter: ResendFilter): Promise<ResendPreview>;
  /**
   * Stores which deliveries match now, with the audit row; changes none of them. Resolves to `undefined`, and stores nothing, where they
   * are more than `resendRules.maxDeliveries`.
   */
  start(start: Omit<ResendStart, 'at'>, audit: (count: number) => AuditEntry): Promise<Resend | undefined>;
  /** Newest first. */
  list(page: PageRequest): Promise<readonly Resend[]>;
  find(id: string): Promise<ResendProgress | undefined>;
  /**
   * Cancels a batch; its deliveries without an attempt are as before. Resolves to `undefined` for an unknown batch; writes nothing for one
   * that was already cancelled.
   */
  cancel(id: string, audit: (before: ResendProgress) => AuditEntry): Promise<ResendProgress | undefined>;
  /**
   * Runs the next step of each due batch, in one instance at a time: queues as many deliveries as its rate allows, as
   * `DeliveryRepository.resend` does. Skips those delivered since the request. Resolves to the number of batches that went a step further.
   */
  step(): Promise<number>;
}

import type { Integration } from '../partners/integration';
import type { AuditEntry, PageRequest } from '../partners/ports';
import type { JsonObject } from '../shared/json';
import type { ClaimRequest } from './claim-room';
import type { LanePause, LaneRecord } from './lane';
import type { Attempt, DeliveryHistory, DeliveryKind, DeliveryRecord, DeliveryState, DueDelivery, Receiver } from './delivery';
import type { Resend, ResendFilter, ResendPreview, ResendProgress, ResendStart } from './resend';

/** Wakes whoever delivers: something is due now. Returns at once and never fails; who hears nothing looks again soon. */
export interface DeliveryBell {
  /** In which lane; absent: anywhere. */
  ring(lane?: string): void;
}

/** As the bell, and heard by every instance: any of them may begin a due delivery. */
export interface SharedBell extends DeliveryBell {
  ringAll(): void;
}

/** An event that its receiver is owed until it has it (integration setting `event_delivery`: `durable`). */
export interface OwedEvent {
  readonly id: string;
  readonly integrationId: string;
  readonly receiver: Receiver;
  readonly lane: string;
  /** Events of one key and receiver are delivered in the order in which they were owed; absent: no order. */
  readonly orderingKey?: string | undefined;
  /** What the receiver gets, whole: printed once, the same bytes at every attempt. */
  readonly body: JsonObject;
  /** The inbound call's, passed on at every attempt. */
  readonly requestId: string;
  /** Names the span of that call; absent: it was not traced. */
  readonly span?: string | undefined;
}

/** Where owed events are written down. What resolves is committed. */
export interface EventOutbox {
  owe(event: OwedEvent): Promise<void>;
}

/** Which delivery, under which claim. */
export type Claim = Pick<DueDelivery, 'id' | 'lease' | 'lane' | 'trouble' | 'inOrder' | 'reason'>;

/** A slot for one attempt in this process, reserved for a delivery that is about to be committed. */
export interface ReservedAttempt {
  /** How long the delivery is to be claimed, in milliseconds. */
  readonly leaseMs: number;
  /** Begins the attempt of the delivery, committed and claimed. Returns at once. */
  begin(delivery: DueDelivery): void;
  /** Frees the slot where nothing was begun; after `begin` it does nothing. */
  release(): void;
}

/**
 * Begins deliveries in the process that commits them. Such a delivery is claimed as it is made, so nobody has to look for it or read it again.
 * Where the process ends before the attempt does, others claim it once the claim has run out.
 */
export interface DeliveryDispatch {
  /** `undefined`: the lane has no slot free, or this process begins nothing more. */
  reserve(lane: string): ReservedAttempt | undefined;
}

/** How an attempt ended that was not received. */
export interface Failure {
  /** Milliseconds until it is due again, where the attempt used up a step of the schedule. */
  readonly dueInMs?: number | undefined;
  /** Absent: the failure says nothing of the endpoint. */
  readonly trouble?: FailedEndpoint | undefined;
}

/** An endpoint that failed once more. */
export interface FailedEndpoint {
  /** Milliseconds until the next probe, where its circuit is open. */
  readonly quietMs: number;
  /** Its circuit opens after so many failures in a row. */
  readonly opensAfter: number;
}

/**
 * What a receipt says of the endpoint. `answers`: it has failed before; `recovers`: it is well again, so what waits is attempted from
 * now on; `keeps-up`: its circuit closes. Where the circuit is open each of them makes it half-open.
 */
export type LaneNews = 'answers' | 'recovers' | 'keeps-up';

/** What has waited too long: milliseconds, both. */
export interface Overdue {
  readonly owedForMs: number;
  /** Less overdue ones have been asked for again, or switched on. */
  readonly overdueByMs: number;
}

/** Parked deliveries of one host app, one miniapp, their integration, or all. */
export interface ParkedOf {
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** When there is something to do. */
export interface NextDue {
  /** Something waits, if only for its time. */
  readonly waits: boolean;
  /** Milliseconds from now; below 0: it is overdue. Absent: nothing that is known of. */
  readonly inMs?: number | undefined;
}

/**
 * Pending deliveries, shared by all instances. A claim lasts `leaseMs`; then anybody may claim the delivery
 * anew, and who held it changes nothing any more: each method that ends a claim resolves to false where it was not ours.
 */
export interface DeliveryQueue {
  /**
   * Claims due deliveries, in each lane the longest due first, as many as may be begun there. Of the deliveries of one key
   * only the first that is still owed can be claimed. Of a lane whose circuit is open nothing is, but one probe each time that it is
   * claimed from; of one whose endpoint is back those that wait, due or not, without an attempt since. Parked ones can be claimed when they are due.
   */
  claimDue(request: ClaimRequest): Promise<readonly DueDelivery[]>;
  /** The receiver has it. */
  delivered(claim: Claim, attempt: Attempt, news?: LaneNews): Promise<boolean>;
  /** Owed still. Without `dueInMs` it stays due when it was. */
  retry(claim: Claim, attempt: Attempt, failure: Failure): Promise<boolean>;
  /** No further attempt unless the operator asks for one. */
  giveUp(claim: Claim, attempt: Attempt, failure: Pick<Failure, 'trouble'>): Promise<boolean>;
  /** Nothing was attempted, as something is switched off; looked at again in `inMs`. `code` says what. */
  park(claim: Claim, code: string, inMs: number): Promise<boolean>;
  /** Something was switched on: parked deliveries are due now, `limit` at most. Resolves to the number. */
  wake(of: ParkedOf, limit: number): Promise<number>;
  /** Gives up what has waited too long in lanes whose circuit is open, attempted or not. Resolves to the number. */
  giveUpOverdue(overdue: Overdue): Promise<number>;
  /** Whatever is due in `fullLanes` can not be begun now. */
  nextDue(fullLanes: readonly string[]): Promise<NextDue>;
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
 * Takes a delivery to its receiver: to the URL and with the credentials that are stored now. Resolves to the answer,
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
  readonly lane?: string;
  readonly from?: number;
  readonly to?: number;
}

/** That somebody gives a delivery up, and why. */
export interface DeliveryAbort {
  readonly reason: string;
}

export type AbortOutcome = 'ended' | 'under-way' | DeliveryRecord;

/** Deliveries as the operator sees them. */
export interface DeliveryBook {
  /** Newest first. */
  list(filter: DeliveryFilter, page: PageRequest): Promise<readonly DeliveryRecord[]>;
  find(id: string): Promise<DeliveryHistory | undefined>;
  /**
   * Owes it again from now on, received or not: the same id and bytes, and the whole schedule anew. Committed with its audit
   * row. Resolves to `undefined` where there is no such delivery. An attempt that is under way stays the only one.
   */
  resend(id: string, audit: (before: DeliveryRecord) => AuditEntry): Promise<DeliveryRecord | undefined>;
  /**
   * Gives it up, though it is still owed: it has failed, for `reason`, until it is asked for again; the next of its key follows.
   * Committed with the audit row. `undefined`: there is no such delivery; `ended`: nothing is owed any more; `under-way`: an
   * attempt is being made, and decides.
   */
  abort(id: string, abort: DeliveryAbort, audit: (before: DeliveryRecord) => AuditEntry): Promise<AbortOutcome | undefined>;
}

/** The lanes as the operator sees them: those in which something waits or whose endpoint is in trouble. */
export interface LaneBook {
  /** By name, ascending. */
  list(page: PageRequest): Promise<readonly LaneRecord[]>;
  find(lane: string): Promise<LaneRecord | undefined>;
  /**
   * From now on only deliveries that are asked for one by one are attempted there, and nothing is given up for its age; an attempt under
   * way ends as it ends. Committed with the audit row; of one that is paused already the reason is replaced.
   */
  pause(lane: string, pause: Omit<LanePause, 'at'>, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord>;
  /** What waits is attempted. Committed with the audit row; resolves to `undefined` where it is not paused. */
  resume(lane: string, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord | undefined>;
  /**
   * The endpoint is back: its circuit is half-open. Committed with the audit row; resolves to `undefined` where there is no trouble,
   * or the lane is paused.
   */
  release(lane: string, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord | undefined>;
}

/** Deliveries that the operator wants again, many at once. Their attempts are the operator's and use up no schedule. */
export interface ResendBook {
  preview(filter: ResendFilter): Promise<ResendPreview>;
  /**
   * Keeps which deliveries are meant, as they are now, with the audit row; changes none of them. Resolves to `undefined`, and
   * leaves nothing, where they are more than `resendRules.most`.
   */
  start(start: Omit<ResendStart, 'at'>, audit: (count: number) => AuditEntry): Promise<Resend | undefined>;
  /** Newest first. */
  list(page: PageRequest): Promise<readonly Resend[]>;
  find(id: string): Promise<ResendProgress | undefined>;
  /**
   * Deliveries without an attempt are as before. Resolves to `undefined` where there is no such batch; of one that was
   * cancelled before nothing is written.
   */
  cancel(id: string, audit: (before: ResendProgress) => AuditEntry): Promise<ResendProgress | undefined>;
  /**
   * The next step of a batch whose turn it is, by one instance at a time: as many as it may have in a second are owed again, the
   * same as by `DeliveryBook.resend`. Those delivered since the request are passed over. Resolves to the number of
   * batches that went a step further.
   */
  step(): Promise<number>;
}

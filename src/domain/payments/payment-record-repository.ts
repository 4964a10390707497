import type { DeliveryState } from '../deliveries/delivery';
import type { AuditEntry, PageRequest } from '../partners/ports';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Disagreement, PaymentStatus, PaymentWord } from './order-payment';

/** State of the creation at the host app; `repeated`: the host app returned the id of another of our payments. */
export const paymentCreations = ['begun', 'opened', 'repeated', 'refused', 'unanswered'] as const;
export type PaymentCreation = (typeof paymentCreations)[number];

/** A payment, or the attempt to open one, as shown to the operator, with the order's amount and id only. */
export interface PaymentRecord {
  readonly id: string;
  readonly integrationId: string;
  /** Absent when the integration was removed. */
  readonly pair?: { readonly clientId: string; readonly appId: string } | undefined;
  /** The host app's id. Absent while it is unknown. */
  readonly orderPaymentId?: string | undefined;
  readonly creation: PaymentCreation;
  readonly status: PaymentStatus;
  /** As the miniapp wrote it. Amount and currency are empty where the row cannot be decrypted. */
  readonly amount: string;
  readonly currency: string;
  /** Set when the row's sealed part cannot be decrypted. */
  readonly isUnreadable?: true | undefined;
  /** The miniapp's own id of the order. Absent when it gave none. */
  readonly orderId?: string | undefined;
  /** Milliseconds since the epoch, as is `settledAt`. */
  readonly createdAt: number;
  readonly settledAt?: number | undefined;
  readonly plan: PollRecord;
  /** State of the completion's delivery. Absent when there is none, or it is no longer stored. */
  readonly notice?: DeliveryState | undefined;
  /** Conflicts that no operator has resolved yet. */
  readonly openConflicts: number;
}

/** Past and planned status polls of a payment. */
export interface PollRecord {
  /** Number of polls made. */
  readonly polls: number;
  /** When the last poll was made, in milliseconds since the epoch, as is `nextAt`. */
  readonly lastPollAt?: number | undefined;
  /** The status word of the last poll, or an error code where there is none. */
  readonly outcome?: string | undefined;
  /** Earliest time of the next poll. Absent: never again. */
  readonly nextAt?: number | undefined;
}

/** An early result for which no payment was opened: the creation that it may belong to got no answer in 24 hours. */
export interface UnmatchedResult {
  readonly id: string;
  readonly integrationId: string;
  /** Absent when the integration was removed. */
  readonly pair?: { readonly clientId: string; readonly appId: string } | undefined;
  readonly orderPaymentId: string;
  readonly status: PaymentStatus;
  /** The request id of the reporting call; empty where the row cannot be decrypted. */
  readonly requestId: string;
  /** Set when the row's sealed part cannot be decrypted. */
  readonly isUnreadable?: true | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Cursor for the page of unmatched results after this one. */
export const unmatchedCursor = ({ at, id }: Pick<UnmatchedResult, 'at' | 'id'>): string => `${String(at)}/${id}`;

/** The fields in which two reports of one payment may differ. */
export type ReportDifference = 'payment_status' | 'payment_fail_reason' | 'custom_attributes';

/** A report that differs from the stored result. Shows only which fields differ, because reasons and attributes may hold personal data. */
export interface NotedDisagreement {
  /** Unique within its payment: 64 hex digits. */
  readonly id: string;
  readonly kind: Disagreement['kind'];
  /** The reported status. Absent when its row cannot be decrypted. */
  readonly word?: PaymentWord | undefined;
  readonly differsIn: readonly ReportDifference[];
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Absent while no operator has resolved it. */
  readonly resolved?: ConflictResolution | undefined;
}

export interface ConflictResolution {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

/** The stored result of a payment. */
export interface TakenResult {
  readonly word: PaymentWord;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A payment with the reports that differ from its result, oldest first. */
export interface PaymentHistory extends PaymentRecord {
  /** Absent while the payment is in process. */
  readonly result?: TakenResult | undefined;
  readonly disagreements: readonly NotedDisagreement[];
}

/** Identifies a differing report of a payment. */
export interface ConflictKey {
  readonly paymentId: string;
  readonly conflictId: string;
}

/** A poll that an operator requested, outside the poll plan. */
export interface NotedPoll {
  /** Milliseconds since the epoch. */
  readonly polledAt: number;
  /** The host app's status word, or an error code where there is none. */
  readonly outcome: string;
}

/** Selects payments; every given condition must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface PaymentFilter {
  readonly id?: string;
  readonly clientId?: string;
  readonly appId?: string;
  readonly orderPaymentId?: string;
  readonly status?: PaymentStatus;
  readonly creation?: PaymentCreation;
  readonly notice?: DeliveryState;
  /** True: only payments with a conflict that no operator has resolved. */
  readonly inConflict?: boolean;
  /** True: only payments with a known result; false: only those without one. */
  readonly isSettled?: boolean;
  readonly from?: number;
  readonly to?: number;
}

/** Payments as shown to the operator. */
export interface PaymentRecordRepository {
  /** Newest first. */
  list(filter: PaymentFilter, page: PageRequest): Promise<readonly PaymentRecord[]>;
  find(id: string): Promise<PaymentHistory | undefined>;
  /** Stores the result of a poll outside the plan, with its audit row; the plan stays as it is. */
  notePoll(id: string, poll: NotedPoll, audit: AuditEntry): Promise<void>;
  /**
   * Marks a conflict as resolved. Committed with the audit row; one that was resolved before stays as it was, without a row. Resolves to
   * `undefined` where there is no such disagreement.
   */
  resolve(
    key: ConflictKey,
    resolution: ConflictResolution,
    audit: (before: NotedDisagreement) => AuditEntry,
  ): Promise<PaymentHistory | undefined>;
  /** Newest first. `page.after` is an `unmatchedCursor`. */
  unmatched(filter: Pick<PaymentFilter, 'clientId' | 'appId' | 'orderPaymentId'>, page: PageRequest): Promise<readonly UnmatchedResult[]>;
}

/** Thrown when no payment has the id, or it has no such disagreement. */
export class UnknownPayment extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

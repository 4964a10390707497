import type { DeliveryState } from '../deliveries/delivery';
import type { AuditEntry, PageRequest } from '../partners/ports';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Disagreement, PaymentStatus, PaymentWord } from './order-payment';

/** How the creation at the host app went; `repeated`: it gave the id of another payment of ours. */
export const paymentCreations = ['begun', 'opened', 'repeated', 'refused', 'unanswered'] as const;
export type PaymentCreation = (typeof paymentCreations)[number];

/** A payment, or the attempt to open one, as the operator sees it: of the order only what it asks for. */
export interface PaymentRecord {
  readonly id: string;
  readonly integrationId: string;
  /** Absent: the integration was removed. */
  readonly pair?: { readonly clientId: string; readonly appId: string } | undefined;
  /** The host app's id, once it is known. */
  readonly orderPaymentId?: string | undefined;
  readonly creation: PaymentCreation;
  readonly status: PaymentStatus;
  /** As the miniapp wrote it; empty where the row is unreadable, as is the currency. */
  readonly amount: string;
  readonly currency: string;
  /** The sealed part of the row does not open. */
  readonly isUnreadable?: true | undefined;
  /** The miniapp's own id of the order, where it gave one. */
  readonly orderId?: string | undefined;
  /** Milliseconds since the epoch, as is the next. */
  readonly createdAt: number;
  readonly settledAt?: number | undefined;
  readonly plan: AskRecord;
  /** How the delivery of its completion stands; absent: none is owed, or it is no longer kept. */
  readonly notice?: DeliveryState | undefined;
  /** Conflicts that nobody has looked into yet. */
  readonly openConflicts: number;
}

/** How the host app was and will be asked about a payment that stays in process. */
export interface AskRecord {
  /** Asks that were made. */
  readonly asks: number;
  /** When the last one was made; milliseconds since the epoch, as is the next. */
  readonly askedAt?: number | undefined;
  /** The word that the host app said last, or the code that says why there is none, or why nobody was asked. */
  readonly outcome?: string | undefined;
  /** Not before this; absent: no more. */
  readonly nextAt?: number | undefined;
}

/** A result that came early, and the creation that it may belong to was not answered in 24 hours. */
export interface UnmatchedResult {
  readonly id: string;
  readonly integrationId: string;
  /** Absent: the integration was removed. */
  readonly pair?: { readonly clientId: string; readonly appId: string } | undefined;
  readonly orderPaymentId: string;
  readonly status: PaymentStatus;
  /** Of the call that brought it; empty where the row is unreadable. */
  readonly requestId: string;
  /** The sealed part of the row does not open. */
  readonly isUnreadable?: true | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What a page of unmatched results goes on after: this one. */
export const unmatchedPlace = ({ at, id }: Pick<UnmatchedResult, 'at' | 'id'>): string => `${String(at)}/${id}`;

/** In what two reports of one payment differ. */
export type ReportDifference = 'payment_status' | 'payment_fail_reason' | 'custom_attributes';

/** A report that did not agree with the result that was taken. Reasons and attributes may tell of a user: only that they differ is shown. */
export interface NotedDisagreement {
  /** Within its payment: 64 hex digits. */
  readonly id: string;
  readonly kind: Disagreement['kind'];
  /** What it said; absent: its row is unreadable. */
  readonly word?: PaymentWord | undefined;
  readonly differsIn: readonly ReportDifference[];
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Absent: nobody has looked into it yet. */
  readonly resolved?: ConflictResolution | undefined;
}

export interface ConflictResolution {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

/** The result that was taken. */
export interface TakenResult {
  readonly word: PaymentWord;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** With the reports that did not agree, oldest first. */
export interface PaymentHistory extends PaymentRecord {
  /** Absent while in process. */
  readonly result?: TakenResult | undefined;
  readonly disagreements: readonly NotedDisagreement[];
}

/** A disagreement of a payment. */
export interface ConflictKey {
  readonly paymentId: string;
  readonly conflictId: string;
}

/** An ask that was made beside the plan. */
export interface NotedAsk {
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** The word that the host app said, or a code: why there is none. */
  readonly outcome: string;
}

/** Which payments: all that are named must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface PaymentFilter {
  readonly id?: string;
  readonly clientId?: string;
  readonly appId?: string;
  readonly orderPaymentId?: string;
  readonly status?: PaymentStatus;
  readonly creation?: PaymentCreation;
  readonly notice?: DeliveryState;
  /** True: only those with a conflict that nobody has looked into. */
  readonly inConflict?: boolean;
  /** True: only those whose result is known; false: only those without one. */
  readonly isSettled?: boolean;
  readonly from?: number;
  readonly to?: number;
}

/** Payments as the operator sees them. */
export interface PaymentBook {
  /** Newest first. */
  list(filter: PaymentFilter, page: PageRequest): Promise<readonly PaymentRecord[]>;
  find(id: string): Promise<PaymentHistory | undefined>;
  /** Keeps how an ask beside the plan went, with its audit row; the plan stays as it is. */
  noteAsk(id: string, ask: NotedAsk, audit: AuditEntry): Promise<void>;
  /**
   * Somebody has looked into a conflict. Committed with the audit row; one that was resolved before stays as it was, without a
   * row. Resolves to `undefined` where there is no such disagreement.
   */
  resolve(
    key: ConflictKey,
    resolution: ConflictResolution,
    audit: (before: NotedDisagreement) => AuditEntry,
  ): Promise<PaymentHistory | undefined>;
  /** Newest first. `page.after`: of `unmatchedPlace`. */
  unmatched(filter: Pick<PaymentFilter, 'clientId' | 'appId' | 'orderPaymentId'>, page: PageRequest): Promise<readonly UnmatchedResult[]>;
}

/** No payment has the id, or it has no such disagreement. */
export class UnknownPayment extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

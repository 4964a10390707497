import type { PageRequest } from '../partners/ports';
import type { Disagreement, PaymentStatus } from './order-payment';

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
  /** As the miniapp wrote it. */
  readonly amount: string;
  readonly currency: string;
  /** Milliseconds since the epoch, as is the next. */
  readonly createdAt: number;
  readonly settledAt?: number | undefined;
  readonly plan: AskRecord;
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
  /** Of the call that brought it. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A report that did not agree with the result that was taken. */
export interface NotedDisagreement {
  readonly kind: Disagreement['kind'];
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** With the reports that did not agree, oldest first. */
export interface PaymentHistory extends PaymentRecord {
  readonly disagreements: readonly NotedDisagreement[];
}

/** Which payments: all that are named must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface PaymentFilter {
  readonly id?: string;
  readonly clientId?: string;
  readonly appId?: string;
  readonly orderPaymentId?: string;
  readonly status?: PaymentStatus;
  readonly creation?: PaymentCreation;
  readonly from?: number;
  readonly to?: number;
}

/** Payments as the operator sees them. */
export interface PaymentBook {
  /** Newest first. */
  list(filter: PaymentFilter, page: PageRequest): Promise<readonly PaymentRecord[]>;
  find(id: string): Promise<PaymentHistory | undefined>;
  /** Newest first. */
  unmatched(filter: Pick<PaymentFilter, 'clientId' | 'appId' | 'orderPaymentId'>, page: PageRequest): Promise<readonly UnmatchedResult[]>;
}

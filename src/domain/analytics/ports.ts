import type { PageRequest } from '../partners/ports';
import type { PaymentStatus } from '../payments/order-payment';
import type { KeptTransaction, ReportedStatus } from './transaction-report';

/** A report is known by the integration and the miniapp's id for it. */
export interface TransactionKey {
  readonly integrationId: string;
  readonly transactionId: string;
}

/** Where the transactions are kept that miniapps report. */
export interface TransactionLedger {
  /**
   * Keeps all of them, each key once, or none. One that is kept already and says the same stays as it is. Where one says
   * something else than the stored report, nothing is stored, and the transaction ids of all such are the answer; otherwise it is
   * empty. `transactions` hold no key twice. Equal and contrary calls at once, on any instance, come out as one after the other.
   */
  keep(transactions: readonly KeptTransaction[]): Promise<readonly string[]>;
  find(key: TransactionKey): Promise<KeptTransaction | undefined>;
}

/** Which transactions: all that are named must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface TransactionFilter {
  readonly clientId?: string;
  readonly appId?: string;
  readonly status?: string;
  readonly currency?: string;
  readonly transactionId?: string;
  readonly orderPaymentId?: string;
  readonly miniappOrderId?: string;
  readonly from?: number;
  readonly to?: number;
}

/** A reported transaction as an operator sees it: nothing of the user. Decimals as text. */
export interface TransactionLine {
  readonly id: string;
  readonly clientId: string;
  readonly appId: string;
  readonly transactionId: string;
  readonly status: ReportedStatus;
  readonly currency: string;
  /** As it came. */
  readonly amount: string;
  readonly shipping?: string | undefined;
  readonly tax?: string | undefined;
  readonly discount?: string | undefined;
  readonly orderPaymentId?: string | undefined;
  readonly miniappOrderId?: string | undefined;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly receivedAt: number;
  readonly requestId: string;
}

export type SummaryFilter = Pick<TransactionFilter, 'clientId' | 'appId' | 'from' | 'to'>;

/** Reports of one day (UTC), integration, currency and status. Sums are decimals as text. */
export interface SummaryLine {
  /** Names the line among all others; stays while the line grows. */
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly clientId: string;
  readonly appId: string;
  readonly currency: string;
  readonly status: ReportedStatus;
  readonly count: number;
  readonly amount: string;
  readonly shipping: string;
  readonly tax: string;
  readonly discount: string;
}

/** One side's word on a payment. */
export interface Said<Status> {
  readonly status: Status;
  /** Absent: it was not written down in a form that can be compared. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * A payment on which the miniapp's report and the relay do not agree. A refund goes with a paid payment, and may be of a
 * part: its amount is not compared. Currencies are compared without regard to case, amounts by value.
 */
export interface Difference {
  readonly id: string;
  readonly kind: 'only_reported' | 'only_seen' | 'different';
  readonly orderPaymentId: string;
  /** Absent where it was not reported. */
  readonly transactionId?: string | undefined;
  /** What differs, where both have the payment. */
  readonly differs: readonly ('amount' | 'currency' | 'status')[];
  readonly reported?: Said<ReportedStatus> | undefined;
  readonly seen?: Said<PaymentStatus> | undefined;
}

/** Which differences: those of the payments that were reported for, or created at, a time in the window. */
export interface DifferenceFilter {
  readonly integrationId: string;
  readonly clientId: string;
  readonly appId: string;
  readonly kind?: Difference['kind'];
  readonly from?: number;
  readonly to?: number;
}

/** How many were paid, and for how much: a decimal as text, exact. */
export interface PaidSum {
  readonly count: number;
  readonly amount: string;
}

/** Payments of one day (UTC) in one currency, as the miniapp reported it and as the relay has seen it. */
export interface PaidDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** In capitals. */
  readonly currency: string;
  readonly reported: PaidSum;
  readonly relayed: PaidSum;
  /** Reported less relayed. */
  readonly difference: string;
}

/** Which days: of one integration, from `from` to before `to`, in milliseconds since the epoch. */
export interface PaidDaysFilter {
  readonly integrationId: string;
  readonly clientId: string;
  readonly appId: string;
  readonly from: number;
  readonly to: number;
}

/** What miniapps reported, for the operator. */
export interface TransactionReader {
  /** Newest first, by when they happened. */
  list(filter: TransactionFilter, page: PageRequest): Promise<readonly TransactionLine[]>;
  /** Newest day first. */
  summary(filter: SummaryFilter, page: PageRequest): Promise<readonly SummaryLine[]>;
  /** Newest first. Of the reports, only those that name an order payment can be compared. */
  differences(filter: DifferenceFilter, page: PageRequest): Promise<readonly Difference[]>;
  /** Oldest first. A refund goes with a payment that was paid; what names no order payment is counted as it was reported. */
  paidDays(filter: PaidDaysFilter): Promise<readonly PaidDay[]>;
}

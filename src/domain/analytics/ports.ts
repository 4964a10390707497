import type { PageRequest } from '../partners/ports';
import type { PaymentStatus } from '../payments/order-payment';
import type { KeptTransaction, ReportedStatus } from './transaction-report';

/** Identifies a report: the integration and the miniapp's transaction id. */
export interface TransactionKey {
  readonly integrationId: string;
  readonly transactionId: string;
}

/** Stores the transactions that miniapps report. */
export interface TransactionRepository {
  /**
   * Stores all of them, each key once, or none. A report that is already stored with the same content stays as it is. If one differs from
   * the stored report, nothing is stored, and the result lists the transaction ids of all such reports; otherwise it is empty.
   * `transactions` must hold no key twice. Concurrent calls, on any instance, behave as if one came after the other.
   */
  keep(transactions: readonly KeptTransaction[]): Promise<readonly string[]>;
  find(key: TransactionKey): Promise<KeptTransaction | undefined>;
}

/** Selects transactions; every given condition must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
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

/** A reported transaction as shown to the operator, without user data. Decimals are text. */
export interface TransactionLine {
  readonly id: string;
  readonly clientId: string;
  readonly appId: string;
  readonly transactionId: string;
  readonly status: ReportedStatus;
  readonly currency: string;
  /** As received. */
  readonly amount: string;
  readonly shipping?: string | undefined;
  readonly tax?: string | undefined;
  readonly discount?: string | undefined;
  readonly orderPaymentId?: string | undefined;
  readonly miniappOrderId?: string | undefined;
  /** When the transaction happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly receivedAt: number;
  readonly requestId: string;
}

export type SummaryFilter = Pick<TransactionFilter, 'clientId' | 'appId' | 'from' | 'to'>;

/** Reports of one day (UTC), integration, currency and status. Sums are decimals as text. */
export interface SummaryLine {
  /** Identifies the line; stays the same while the counts grow. */
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

/** A payment as one side recorded it. */
export interface PaymentSide<Status> {
  readonly status: Status;
  /** Absent when it was not recorded in a comparable form. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * A payment for which the miniapp's report and the relay differ. A refund matches a paid payment, and may be partial, so its amount is not
 * compared. Currencies are compared ignoring case, amounts by value.
 */
export interface Difference {
  readonly id: string;
  readonly kind: 'only_reported' | 'only_seen' | 'different';
  readonly orderPaymentId: string;
  /** Absent where it was not reported. */
  readonly transactionId?: string | undefined;
  /** The differing fields, where both sides have the payment. */
  readonly differs: readonly ('amount' | 'currency' | 'status')[];
  readonly reported?: PaymentSide<ReportedStatus> | undefined;
  readonly seen?: PaymentSide<PaymentStatus> | undefined;
}

/** Selects differences: of payments reported for, or created at, a time in the window. */
export interface DifferenceFilter {
  readonly integrationId: string;
  readonly clientId: string;
  readonly appId: string;
  readonly kind?: Difference['kind'];
  readonly from?: number;
  readonly to?: number;
}

/** Number and total of paid payments; the amount is an exact decimal as text. */
export interface PaidSum {
  readonly count: number;
  readonly amount: string;
}

/** Payments of one day (UTC) in one currency, as reported by the miniapp and as relayed. */
export interface PaidDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** In upper case. */
  readonly currency: string;
  readonly reported: PaidSum;
  readonly relayed: PaidSum;
  /** Reported minus relayed. */
  readonly difference: string;
}

/** Selects days of one integration, from `from` to before `to`, in milliseconds since the epoch. */
export interface PaidDaysFilter {
  readonly integrationId: string;
  readonly clientId: string;
  readonly appId: string;
  readonly from: number;
  readonly to: number;
}

/** Reads the reports of miniapps, for the operator. */
export interface TransactionReader {
  /** Newest first, by the time of the transaction. */
  list(filter: TransactionFilter, page: PageRequest): Promise<readonly TransactionLine[]>;
  /** Newest day first. */
  summary(filter: SummaryFilter, page: PageRequest): Promise<readonly SummaryLine[]>;
  /**
   * Newest first: by the report's time where it lies in the window, otherwise by the payment's creation. Only reports that name an order
   * payment can be compared.
   */
  differences(filter: DifferenceFilter, page: PageRequest): Promise<readonly Difference[]>;
  /** Oldest first. A refund counts as paid where its payment was paid; a report without an order payment is counted as reported. */
  paidDays(filter: PaidDaysFilter): Promise<readonly PaidDay[]>;
}

import { plainDecimal } from '../shared/decimal';
import { readDateTime } from '../shared/date-time';
import { JsonObject, type JsonArray, type JsonNumber } from '../shared/json';
import { jsonEquals } from '../shared/print-json';

/** The status of a transaction as reported by a miniapp (contract/analytics#miniapp-transactions). */
export const reportedStatuses = ['paid', 'cancelled', 'failed', 'in_process', 'refunded'] as const;
export type ReportedStatus = (typeof reportedStatuses)[number];

/** A decimal as received, text or number; at most 20 digits, 2 after the point. */
export type Amount = string | JsonNumber;

/** A miniapp's report of one transaction with a user; all values as received. */
export interface TransactionReport {
  /** The miniapp's own id, unique within the integration. */
  readonly transactionId: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly status: ReportedStatus;
  readonly shipping?: Amount | undefined;
  readonly tax?: Amount | undefined;
  readonly discount?: Amount | undefined;
  readonly orderPaymentId?: string | undefined;
  readonly miniappOrderId?: string | undefined;
  readonly userReference?: string | undefined;
  /** RFC 3339. */
  readonly occurredAt?: string | undefined;
  readonly items?: JsonArray | undefined;
  readonly customer?: JsonObject | undefined;
  readonly customAttributes?: JsonObject | undefined;
}

/** The call that brought a report. */
export interface TransactionOrigin {
  readonly integrationId: string;
  readonly clientId: string;
  readonly appId: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** A stored report. */
export interface KeptTransaction extends TransactionOrigin {
  readonly id: string;
  /** The time of the transaction: as reported, otherwise when it was received. Milliseconds since the epoch. */
  readonly at: number;
  readonly report: TransactionReport;
}

/** Makes the record to store for a report. */
export function keptTransaction(id: string, report: TransactionReport, origin: TransactionOrigin): KeptTransaction {
  const occurredAt = report.occurredAt === undefined ? undefined : readDateTime(report.occurredAt);
  return { id, at: occurredAt ?? origin.receivedAt, report, ...origin };
}

/**
 * The canonical form of a report: equal JSON for equal contents, whatever the notation of amounts and the time's offset. An absent member
 * equals its default.
 */
export function contentOf({ amount, shipping, tax, discount, occurredAt, ...report }: TransactionReport): JsonObject {
  const plain = (amount: Amount | undefined): string | undefined => (amount === undefined ? undefined : plainDecimal(amount));
  const content = {
    amount: plain(amount),
    shipping: plain(shipping),
    tax: plain(tax),
    discount: plain(discount),
    occurredAt: occurredAt === undefined ? undefined : String(readDateTime(occurredAt)),
    ...report,
  };
  return JsonObject.of(content);
}

/** Whether two reports have the same content, in any order of members. */
export const haveSameContent = (a: TransactionReport, b: TransactionReport): boolean => jsonEquals(contentOf(a), contentOf(b));

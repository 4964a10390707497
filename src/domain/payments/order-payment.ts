import type { Json, JsonObject } from '../shared/json';
import { jsonEquals } from '../shared/print-json';

/** The status of a payment; all but `in_process` are final (contract/payments#states). */
export type PaymentStatus = 'in_process' | 'paid' | 'cancelled' | 'failed';

/** The status words that a host app may use; `processing` means `in_process` and is relayed unchanged. */
export const statusOfWord = {
  in_process: 'in_process',
  processing: 'in_process',
  paid: 'paid',
  cancelled: 'cancelled',
  failed: 'failed',
} as const satisfies Readonly<Record<string, PaymentStatus>>;
export type PaymentWord = keyof typeof statusOfWord;

/** The fields of an order that the service reads; decimals are kept as the text that was received. */
export interface OrderFields {
  readonly currency: string;
  readonly amount: string;
  readonly miniappOrderId?: string | undefined;
  /** The user's reference at the host app. */
  readonly hostappUserId?: string | undefined;
}

/** A miniapp's order; `relayed` is passed on unchanged. */
export interface Order {
  readonly fields: OrderFields;
  readonly relayed: JsonObject;
}

/** A payment as stored before the call that opens it at the host app. */
export interface PaymentIntent {
  readonly id: string;
  readonly integrationId: string;
  /** The Client ID of the integration's host app. */
  readonly clientId: string;
  readonly order: Order;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Time of the first status poll, in milliseconds since the epoch. Absent when no poll is planned. */
  readonly firstPollAt?: number | undefined;
}

/** A host app's report of a payment's result or status; all but the last three members are sent in the completion webhook. */
export interface Completion {
  readonly clientId: string;
  readonly appId: string;
  readonly orderPaymentId: string;
  readonly word: PaymentWord;
  readonly failReason?: string | undefined;
  readonly customAttributes?: Json | undefined;
  readonly requestId: string;
  /** The span of the call that brought the report. Absent when it was not traced. */
  readonly span?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A payment at a host app, identified by (integration, orderPaymentId). */
export interface OrderPayment {
  readonly id: string;
  readonly integrationId: string;
  /** The host app's id of the payment. */
  readonly orderPaymentId: string;
  readonly status: PaymentStatus;
  /** The order's user at the host app. Absent when the order has none. */
  readonly userReference?: string | undefined;
  /** The first final report; absent while in process. */
  readonly completion?: Completion | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The delivery of a result to the miniapp, committed with the result. */
export interface PendingCompletion {
  /** The payment's own id, so that the primary key of deliveries allows only one. */
  readonly id: string;
  readonly integrationId: string;
  readonly completion: Completion;
}

/** A report that differs from the stored result. It changes nothing, and is stored for the operator. */
export interface Disagreement {
  /** `conflict`: another result; `difference`: the same result with another reason or attributes. */
  readonly kind: 'conflict' | 'difference';
  readonly report: Completion;
}

/**
 * The effect of one report on a payment; all of it is committed together. `noted`: still in process; `settled`: the report gave the
 * result; `repeated`: the payment had this result; `refused`: it had another one.
 */
export type Settlement =
  | { readonly outcome: 'noted'; readonly payment: OrderPayment }
  | { readonly outcome: 'settled'; readonly payment: OrderPayment; readonly pending: PendingCompletion }
  | { readonly outcome: 'repeated' | 'refused'; readonly payment: OrderPayment; readonly disagreement?: Disagreement };

/** The report that differs from the stored result, if there is one. */
export const disagreementOf = (settlement: Settlement): Disagreement | undefined =>
  settlement.outcome === 'repeated' || settlement.outcome === 'refused' ? settlement.disagreement : undefined;

/**
 * Applies a report to a payment. The first final report wins and is delivered to the miniapp; the same result again is a repeat; another
 * result, or a return to in process, is refused (contract/payments#states).
 */
export function settle(payment: OrderPayment, report: Completion): Settlement {
  const status = statusOfWord[report.word];
  if (payment.status === 'in_process') {
    if (status === 'in_process') return { outcome: 'noted', payment };
    const { id, integrationId } = payment;
    const pending = { id, integrationId, completion: report };
    return { outcome: 'settled', payment: Object.assign({}, payment, { status, completion: report }), pending };
  }
  if (status === 'in_process') return { outcome: 'refused', payment };
  if (status !== payment.status) return { outcome: 'refused', payment, disagreement: { kind: 'conflict', report } };
  if (isSameReport(payment.completion, report)) return { outcome: 'repeated', payment };
  return { outcome: 'repeated', payment, disagreement: { kind: 'difference', report } };
}

const isSameReport = (first: Completion | undefined, report: Completion): boolean =>
  first?.failReason === report.failReason && jsonEquals(first?.customAttributes, report.customAttributes);

/** Whether the word is a result, and differs from the payment's. */
export const contradicts = ({ status }: OrderPayment, { word }: Pick<Completion, 'word'>): boolean =>
  status !== 'in_process' && statusOfWord[word] !== 'in_process' && statusOfWord[word] !== status;

/** Applies a report that must not settle the payment: at most a conflict, where it contradicts the result. */
export function contradict(payment: OrderPayment, report: Completion): Settlement {
  if (!contradicts(payment, report)) return { outcome: 'noted', payment };
  return { outcome: 'refused', payment, disagreement: { kind: 'conflict', report } };
}

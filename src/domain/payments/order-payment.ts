import { jsonEquals, type Json, type JsonObject } from '../shared/json';

/** Where a payment stands; all but `in_process` are final (contract/payments#states). */
export type PaymentStatus = 'in_process' | 'paid' | 'cancelled' | 'failed';

/** The words that a host app may say; `processing` means `in_process` and is relayed as it was said. */
export const statusOfWord = {
  in_process: 'in_process',
  processing: 'in_process',
  paid: 'paid',
  cancelled: 'cancelled',
  failed: 'failed',
} as const satisfies Readonly<Record<string, PaymentStatus>>;
export type PaymentWord = keyof typeof statusOfWord;

/** What of an order the service itself has to know; decimals as the text they came with. */
export interface OrderFacts {
  readonly currency: string;
  readonly amount: string;
  readonly miniappOrderId?: string | undefined;
  /** The user's reference at the host app. */
  readonly hostappUserId?: string | undefined;
}

/** What a miniapp asks to be paid; `relayed` travels untouched. */
export interface Order {
  readonly facts: OrderFacts;
  readonly relayed: JsonObject;
}

/** The record that is stored before the host app is asked to open a payment. */
export interface PaymentIntent {
  readonly id: string;
  readonly integrationId: string;
  readonly order: Order;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Which host app is asked how the payment stands, and when for the first time; absent: nobody asks. */
  readonly ask?: FirstAsk | undefined;
}

export interface FirstAsk {
  readonly clientId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A host app's report of how a payment ended or stands; but for the last three, what its webhook says. */
export interface Completion {
  readonly clientId: string;
  readonly appId: string;
  readonly orderPaymentId: string;
  readonly word: PaymentWord;
  readonly failReason?: string | undefined;
  readonly customAttributes?: Json | undefined;
  readonly requestId: string;
  /** Names the span of the call that brought it; absent: it was not traced. */
  readonly span?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A payment at a host app, known by (integration, orderPaymentId). */
export interface OrderPayment {
  readonly id: string;
  readonly integrationId: string;
  /** The host app's id. */
  readonly orderPaymentId: string;
  readonly status: PaymentStatus;
  /** The order's user at the host app, where the order named one. */
  readonly userReference?: string | undefined;
  /** The first final report; absent while in process. */
  readonly completion?: Completion | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A delivery owed to the miniapp: committed with the result that it tells of. */
export interface OwedCompletion {
  /** The payment's own id: one delivery ever, by the primary key of deliveries. */
  readonly id: string;
  readonly integrationId: string;
  readonly completion: Completion;
}

/** A report that does not agree with the result that was taken. It changes nothing, and is kept to be seen. */
export interface Disagreement {
  /** `conflict`: another result; `difference`: the same result with another reason or attributes. */
  readonly kind: 'conflict' | 'difference';
  readonly report: Completion;
}

/**
 * What one report makes of a payment; everything in it is committed together. `noted`: it is still in process; `settled`: the
 * report ended it; `repeated`: it had ended so; `refused`: it had ended, and not so.
 */
export type Settlement =
  | { readonly outcome: 'noted'; readonly payment: OrderPayment }
  | { readonly outcome: 'settled'; readonly payment: OrderPayment; readonly owed: OwedCompletion }
  | { readonly outcome: 'repeated' | 'refused'; readonly payment: OrderPayment; readonly disagreement?: Disagreement };

/** The report that did not agree, where there was one. */
export const disagreementOf = (settlement: Settlement): Disagreement | undefined =>
  settlement.outcome === 'repeated' || settlement.outcome === 'refused' ? settlement.disagreement : undefined;

/**
 * Settling is one-way: the first final report wins and is owed to the miniapp; the same result again is a repeat,
 * another one is refused, and so is a step back to in process (contract/payments#states).
 */
export function settle(payment: OrderPayment, report: Completion): Settlement {
  const status = statusOfWord[report.word];
  if (payment.status === 'in_process') {
    if (status === 'in_process') return { outcome: 'noted', payment };
    const { id, integrationId } = payment;
    const owed = { id, integrationId, completion: report };
    return { outcome: 'settled', payment: Object.assign({}, payment, { status, completion: report }), owed };
  }
  if (status === 'in_process') return { outcome: 'refused', payment };
  if (status !== payment.status) return { outcome: 'refused', payment, disagreement: { kind: 'conflict', report } };
  if (saysTheSame(payment.completion, report)) return { outcome: 'repeated', payment };
  return { outcome: 'repeated', payment, disagreement: { kind: 'difference', report } };
}

const saysTheSame = (first: Completion | undefined, report: Completion): boolean =>
  first?.failReason === report.failReason && jsonEquals(first?.customAttributes, report.customAttributes);

/** Whether the word is a result, and another one than the payment has. */
export const contradicts = ({ status }: OrderPayment, { word }: Pick<Completion, 'word'>): boolean =>
  status !== 'in_process' && statusOfWord[word] !== 'in_process' && statusOfWord[word] !== status;

/** What a report that may not settle anything makes of a payment: a conflict, where it contradicts the result. */
export function contradict(payment: OrderPayment, report: Completion): Settlement {
  if (!contradicts(payment, report)) return { outcome: 'noted', payment };
  return { outcome: 'refused', payment, disagreement: { kind: 'conflict', report } };
}

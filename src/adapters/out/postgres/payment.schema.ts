import { EntitySchema } from 'typeorm';
import { statusOfWord, type Completion, type Order, type PaymentStatus, type PaymentWord } from '../../../domain/payments/order-payment';
import { JsonNumber, JsonObject, printJson, readJson } from '../../../domain/shared/json';

/** A row of order_payments: an intent until `order_payment_id` is known, then a payment. */
export interface OrderPaymentRow {
  id: string;
  integration_id: string;
  order_payment_id: string | null;
  /** How the creation at the host app went; `repeated`: it gave the id of another payment of ours. */
  creation: 'begun' | 'opened' | 'repeated' | 'refused' | 'unanswered';
  status: PaymentStatus;
  sealed_order: Buffer;
  /** What reports are compared with; null for orders from before it was kept. */
  currency: string | null;
  amount: string | null;
  user_reference: Buffer | null;
  completion: Buffer | null;
  created_at: Date;
  ended_at: Date | null;
  settled_at: Date | null;
}

export const orderPaymentSchema = new EntitySchema<OrderPaymentRow>({
  name: 'OrderPayment',
  tableName: 'order_payments',
  columns: {
    id: { type: 'text', primary: true, primaryKeyConstraintName: 'order_payments_pkey' },
    integration_id: { type: 'text' },
    order_payment_id: { type: 'text', nullable: true },
    creation: { type: 'text' },
    status: { type: 'text' },
    sealed_order: { type: 'bytea' },
    currency: { type: 'text', nullable: true },
    amount: { type: 'numeric', nullable: true },
    user_reference: { type: 'bytea', nullable: true },
    completion: { type: 'bytea', nullable: true },
    created_at: { type: 'timestamptz' },
    ended_at: { type: 'timestamptz', nullable: true },
    settled_at: { type: 'timestamptz', nullable: true },
  },
  checks: [
    { name: 'order_payments_creation', expression: `creation in ('begun', 'opened', 'repeated', 'refused', 'unanswered')` },
    { name: 'order_payments_status', expression: `status in ('in_process', 'paid', 'cancelled', 'failed')` },
  ],
  indices: [
    { name: 'order_payments_by_key', columns: ['integration_id', 'order_payment_id'], unique: true },
    {
      name: 'order_payments_awaited',
      columns: ['integration_id', 'created_at'],
      where: `creation in ('begun', 'unanswered')`,
    },
    { name: 'order_payments_by_time', columns: ['created_at', 'id'] },
    { name: 'order_payments_by_integration', columns: ['integration_id', 'created_at'] },
  ],
});

/** A row of payment_completions_early: the first final result of a payment that is not known yet. */
export interface EarlyCompletionRow {
  integration_id: string;
  order_payment_id: string;
  status: PaymentStatus;
  completion: Buffer;
  at: Date;
}

const earlyKey = { type: 'text', primary: true, primaryKeyConstraintName: 'payment_completions_early_pkey' } as const;

export const earlyCompletionSchema = new EntitySchema<EarlyCompletionRow>({
  name: 'EarlyCompletion',
  tableName: 'payment_completions_early',
  columns: {
    integration_id: earlyKey,
    order_payment_id: earlyKey,
    status: { type: 'text' },
    completion: { type: 'bytea' },
    at: { type: 'timestamptz' },
  },
});

/** A row of payment_conflicts: a report that does not agree with the result that was taken. Equal ones are kept once. */
export interface PaymentConflictRow {
  integration_id: string;
  order_payment_id: string;
  report_digest: Buffer;
  kind: 'conflict' | 'difference';
  completion: Buffer;
  request_id: string;
  at: Date;
}

const conflictKey = { primary: true, primaryKeyConstraintName: 'payment_conflicts_pkey' } as const;

export const paymentConflictSchema = new EntitySchema<PaymentConflictRow>({
  name: 'PaymentConflict',
  tableName: 'payment_conflicts',
  columns: {
    integration_id: { type: 'text', ...conflictKey },
    order_payment_id: { type: 'text', ...conflictKey },
    report_digest: { type: 'bytea', ...conflictKey },
    kind: { type: 'text' },
    completion: { type: 'bytea' },
    request_id: { type: 'text' },
    at: { type: 'timestamptz' },
  },
});

/** Where an order is sealed. */
export const orderPlace = (id: string): string => `order_payments.sealed_order:${id}`;

/** An order as it is sealed: what travels untouched beside the facts that were read from it. */
export function orderText({ facts, relayed }: Order): string {
  const { currency, amount, miniappOrderId, hostappUserId } = facts;
  return printJson(JsonObject.of({ currency, amount, miniapp_order_id: miniappOrderId, hostapp_user_id: hostappUserId, order: relayed }));
}

/** A report as it is sealed. */
export function completionText(completion: Completion): string {
  return printJson(
    JsonObject.of({
      client_id: completion.clientId,
      app_id: completion.appId,
      order_payment_id: completion.orderPaymentId,
      ...saidIn(completion),
      request_id: completion.requestId,
      at: new JsonNumber(String(completion.at)),
    }),
  );
}

/** What a report says of its payment, the same text for all that say the same. */
export const reportText = (completion: Completion): string => printJson(JsonObject.of(saidIn(completion)), { sortKeys: true });

const saidIn = ({ word, failReason, customAttributes }: Completion) => ({
  payment_status: word,
  payment_fail_reason: failReason,
  custom_attributes: customAttributes,
});

/** Reads what `completionText` wrote. Throws where it is something else. */
export function completionFrom(bytes: Uint8Array): Completion {
  const stored = readJson(bytes);
  const member = (name: string) => (stored instanceof JsonObject ? stored.get(name) : undefined);
  const text = (name: string): string => {
    const value = member(name);
    if (typeof value !== 'string') throw new Error(`A stored completion has no ${name}`);
    return value;
  };
  const at = member('at');
  const word = text('payment_status');
  if (!Object.hasOwn(statusOfWord, word)) throw new Error('A stored completion has an unknown status');
  return {
    clientId: text('client_id'),
    appId: text('app_id'),
    orderPaymentId: text('order_payment_id'),
    word: word as PaymentWord,
    failReason: member('payment_fail_reason') === undefined ? undefined : text('payment_fail_reason'),
    customAttributes: member('custom_attributes'),
    requestId: text('request_id'),
    at: at instanceof JsonNumber ? Number(at.text) : 0,
  };
}

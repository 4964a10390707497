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
  /** By which the payments of a user are found; null: the order named none, or the user was erased. */
  user_digest: Buffer | null;
  completion: Buffer | null;
  created_at: Date;
  ended_at: Date | null;
  settled_at: Date | null;
  /** When what told of its user was removed. */
  erased_at: Date | null;
  /** The host app that is asked while the payment is in process, its Client ID; null: nobody is. */
  asked_of: string | null;
  /** When the next ask is due; null: no more. */
  ask_at: Date | null;
  asks: number;
  asked_at: Date | null;
  ask_outcome: string | null;
  ask_lease: string | null;
  ask_lease_until: Date | null;
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
    user_digest: { type: 'bytea', nullable: true },
    completion: { type: 'bytea', nullable: true },
    created_at: { type: 'timestamptz' },
    ended_at: { type: 'timestamptz', nullable: true },
    settled_at: { type: 'timestamptz', nullable: true },
    erased_at: { type: 'timestamptz', nullable: true },
    asked_of: { type: 'text', collation: 'C', nullable: true },
    ask_at: { type: 'timestamptz', nullable: true },
    asks: { type: 'integer', default: 0 },
    asked_at: { type: 'timestamptz', nullable: true },
    ask_outcome: { type: 'text', nullable: true },
    ask_lease: { type: 'text', nullable: true },
    ask_lease_until: { type: 'timestamptz', nullable: true },
  },
  checks: [
    { name: 'order_payments_creation', expression: `creation in ('begun', 'opened', 'repeated', 'refused', 'unanswered')` },
    { name: 'order_payments_status', expression: `status in ('in_process', 'paid', 'cancelled', 'failed')` },
  ],
  indices: [
    { name: 'order_payments_by_key', columns: ['order_payment_id', 'integration_id'], unique: true },
    {
      name: 'order_payments_awaited',
      columns: ['integration_id', 'created_at'],
      where: `creation in ('begun', 'unanswered')`,
    },
    { name: 'order_payments_by_time', columns: ['created_at', 'id'] },
    { name: 'order_payments_by_integration', columns: ['integration_id', 'created_at'] },
    {
      name: 'order_payments_to_ask',
      columns: ['asked_of', 'ask_at'],
      where: `status = 'in_process' and order_payment_id is not null and ask_at is not null`,
    },
    {
      name: 'order_payments_never_asked',
      columns: ['asked_of', 'ask_at'],
      where: `status = 'in_process' and order_payment_id is not null and ask_at is not null and asks = 0`,
    },
    { name: 'order_payments_by_user', columns: ['user_digest'], where: 'user_digest is not null' },
    { name: 'order_payments_in_process', columns: ['created_at', 'id'], where: `status = 'in_process' and creation = 'opened'` },
    { name: 'order_payments_not_paid', columns: ['status', 'created_at', 'id'], where: `status in ('failed', 'cancelled')` },
    { name: 'order_payments_not_opened', columns: ['creation', 'created_at', 'id'], where: `creation in ('refused', 'repeated')` },
    { name: 'order_payments_under_ask', columns: ['asked_of'], where: 'ask_lease_until is not null' },
  ],
});

/** A row of payment_completions_early: the first final result of a payment that is not known yet. */
export interface EarlyCompletionRow {
  integration_id: string;
  order_payment_id: string;
  status: PaymentStatus;
  completion: Buffer;
  at: Date;
  /** Since when it is known that no payment was opened for it; null: one may be yet. */
  unmatched_since: Date | null;
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
    unmatched_since: { type: 'timestamptz', nullable: true },
  },
  indices: [
    { name: 'payment_completions_early_awaited', columns: ['at'], where: 'unmatched_since is null' },
    { name: 'payment_completions_early_unmatched', columns: ['at'], where: 'unmatched_since is not null' },
    { name: 'payment_completions_early_of_payment', columns: ['order_payment_id'], where: 'unmatched_since is not null' },
  ],
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
  /** When somebody had looked into it; null: nobody has. */
  resolved_at: Date | null;
  resolved_by: string | null;
  resolved_reason: string | null;
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
    resolved_at: { type: 'timestamptz', nullable: true },
    resolved_by: { type: 'text', nullable: true },
    resolved_reason: { type: 'text', nullable: true },
  },
  indices: [
    {
      name: 'payment_conflicts_open',
      columns: ['integration_id', 'order_payment_id'],
      where: `kind = 'conflict' and resolved_at is null`,
    },
  ],
});

/** A row of asked_host_apps: how a host app is spared that is asked about its payments. */
export interface AskedHostAppRow {
  client_id: string;
  /** How often in a row it could not be reached. */
  failures: number;
  quiet_until: Date | null;
  /** When asks may be begun again. */
  turn_at: Date;
  /** Polls per second that it bears, as far as is known. */
  polls_per_second: number;
  /** How often it was in trouble so far. */
  troubles: number;
}

export const askedHostAppSchema = new EntitySchema<AskedHostAppRow>({
  name: 'AskedHostApp',
  tableName: 'asked_host_apps',
  columns: {
    client_id: { type: 'text', collation: 'C', primary: true, primaryKeyConstraintName: 'asked_host_apps_pkey' },
    failures: { type: 'integer' },
    quiet_until: { type: 'timestamptz', nullable: true },
    turn_at: { type: 'timestamptz' },
    polls_per_second: { type: 'double precision', default: 10 },
    troubles: { type: 'integer', default: 0 },
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
      span: completion.span,
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
    span: member('span') === undefined ? undefined : text('span'),
    at: at instanceof JsonNumber ? Number(at.text) : 0,
  };
}

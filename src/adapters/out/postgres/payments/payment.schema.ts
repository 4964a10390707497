import { EntitySchema } from 'typeorm';
import { statusOfWord, type Completion, type Order, type PaymentStatus, type PaymentWord } from '../../../../domain/payments/order-payment';
import { JsonNumber, JsonObject } from '../../../../domain/shared/json';
import { printInTurns, readInTransaction } from '../../../json/in-turns';
import { printJson } from '../../../../domain/shared/print-json';

/** A row of order_payments: an intent until `order_payment_id` is known, then a payment. */
export interface OrderPaymentRow {
  id: string;
  integration_id: string;
  order_payment_id: string | null;
  /** The outcome of the creation at the host app; `repeated`: the host app answered with the id of another payment. */
  creation: 'begun' | 'opened' | 'repeated' | 'refused' | 'unanswered';
  status: PaymentStatus;
  sealed_order: Buffer;
  /** What a list shows of the order. Null for orders from before this column existed. */
  sealed_summary: Buffer | null;
  /** Reports are compared with `currency` and `amount`. Null for orders from before these columns existed. */
  currency: string | null;
  amount: string | null;
  user_reference: Buffer | null;
  /** A blind index that finds the payments of a user. Null: the order named no user, or the user was erased. */
  user_digest: Buffer | null;
  completion: Buffer | null;
  created_at: Date;
  ended_at: Date | null;
  settled_at: Date | null;
  /** When the user's data was erased from this row. */
  erased_at: Date | null;
  /** The Client ID of the host app that is polled while the payment is in process. Null: no host app is polled. */
  polled_host_app: string | null;
  /** When the next status poll is due. Null: no more polls. */
  poll_at: Date | null;
  polls: number;
  polled_at: Date | null;
  poll_outcome: string | null;
  poll_lease: string | null;
  poll_lease_until: Date | null;
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
    sealed_summary: { type: 'bytea', nullable: true },
    currency: { type: 'text', nullable: true },
    amount: { type: 'numeric', nullable: true },
    user_reference: { type: 'bytea', nullable: true },
    user_digest: { type: 'bytea', nullable: true },
    completion: { type: 'bytea', nullable: true },
    created_at: { type: 'timestamptz' },
    ended_at: { type: 'timestamptz', nullable: true },
    settled_at: { type: 'timestamptz', nullable: true },
    erased_at: { type: 'timestamptz', nullable: true },
    polled_host_app: { type: 'text', collation: 'C', nullable: true },
    poll_at: { type: 'timestamptz', nullable: true },
    polls: { type: 'integer', default: 0 },
    polled_at: { type: 'timestamptz', nullable: true },
    poll_outcome: { type: 'text', nullable: true },
    poll_lease: { type: 'text', nullable: true },
    poll_lease_until: { type: 'timestamptz', nullable: true },
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
      name: 'order_payments_to_poll',
      columns: ['polled_host_app', 'poll_at'],
      where: `status = 'in_process' and order_payment_id is not null and poll_at is not null`,
    },
    {
      name: 'order_payments_never_polled',
      columns: ['polled_host_app', 'poll_at'],
      where: `status = 'in_process' and order_payment_id is not null and poll_at is not null and polls = 0`,
    },
    { name: 'order_payments_by_user', columns: ['user_digest'], where: 'user_digest is not null' },
    { name: 'order_payments_unsettled', columns: ['created_at', 'id'], where: `status = 'in_process'` },
    { name: 'order_payments_not_paid', columns: ['status', 'created_at', 'id'], where: `status in ('failed', 'cancelled')` },
    {
      name: 'order_payments_never_opened',
      columns: ['creation', 'created_at', 'id'],
      where: `creation in ('refused', 'repeated', 'unanswered')`,
    },
    { name: 'order_payments_being_polled', columns: ['polled_host_app'], where: 'poll_lease_until is not null' },
  ],
});

/** A row of payment_completions_early: the first final result of a payment that is not known yet. */
export interface EarlyCompletionRow {
  integration_id: string;
  order_payment_id: string;
  status: PaymentStatus;
  completion: Buffer;
  at: Date;
  /** When the service found out that no payment was opened for this result. Null: a payment may still be opened. */
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

/** A row of payment_conflicts: a report that disagrees with the accepted result. Equal reports are stored once. */
export interface PaymentConflictRow {
  integration_id: string;
  order_payment_id: string;
  report_digest: Buffer;
  kind: 'conflict' | 'difference';
  completion: Buffer;
  request_id: string;
  at: Date;
  /** When an operator resolved the conflict. Null: still open. */
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

/** The seal context of an order. */
export const orderSealContext = (id: string): string => `order_payments.sealed_order:${id}`;

/** The text of an order that is sealed: the relayed JSON, unchanged, and the fields that were read from it. */
export function orderText({ fields, relayed }: Order): Promise<string> {
  const { currency, amount, miniappOrderId, hostappUserId } = fields;
  return printInTurns(
    JsonObject.of({ currency, amount, miniapp_order_id: miniappOrderId, hostapp_user_id: hostappUserId, order: relayed }),
  );
}

/** The text of a summary that is sealed: only what an order keeps when its user is erased. */
export const summaryText = ({ fields: { currency, amount, miniappOrderId } }: Order): string =>
  printJson(JsonObject.of({ currency, amount, miniapp_order_id: miniappOrderId }));

/** The text of a report that is sealed. */
export function completionText(completion: Completion): string {
  return printJson(
    JsonObject.of({
      client_id: completion.clientId,
      app_id: completion.appId,
      order_payment_id: completion.orderPaymentId,
      request_id: completion.requestId,
      span: completion.span,
      at: new JsonNumber(String(completion.at)),
      ...reportMembers(completion),
    }),
  );
}

/** The JSON of a report. Equal reports have equal texts, because keys are sorted. */
export const reportText = (completion: Completion): string => printJson(JsonObject.of(reportMembers(completion)), { sortKeys: true });

const reportMembers = ({ word, failReason, customAttributes }: Completion) => ({
  payment_status: word,
  payment_fail_reason: failReason,
  custom_attributes: customAttributes,
});

/** Parses the text that `completionText` wrote. Throws if it is anything else. */
export async function completionFrom(bytes: Uint8Array): Promise<Completion> {
  const stored = await readInTransaction(bytes);
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

import { EntitySchema } from 'typeorm';
import type { PaymentStatus } from '../../../domain/payments/order-payment';

/** A row of order_payments: an intent until `order_payment_id` is known, then a payment. */
export interface OrderPaymentRow {
  id: string;
  integration_id: string;
  order_payment_id: string | null;
  /** How the creation at the host app went; `repeated`: it gave the id of another payment of ours. */
  creation: 'begun' | 'opened' | 'repeated' | 'refused' | 'unanswered';
  status: PaymentStatus;
  sealed_order: Buffer;
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

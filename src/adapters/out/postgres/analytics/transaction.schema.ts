import { EntitySchema } from 'typeorm';
import type { TransactionLine } from '../../../../domain/analytics/ports';
import type { Amount, ReportedStatus, TransactionReport } from '../../../../domain/analytics/transaction-report';
import { JsonNumber, JsonObject } from '../../../../domain/shared/json';
import { printInTurns, readInTransaction } from '../../../json/in-turns';

/** A row of miniapp_transactions. Decimals are read and written as text. */
export interface TransactionRow {
  id: string;
  integration_id: string;
  client_id: string;
  app_id: string;
  transaction_id: string;
  content_digest: Buffer;
  /** A blind index that finds the reports on a user. Null: the report names no user, or the user was erased. */
  user_digest: Buffer | null;
  status: ReportedStatus;
  currency: string;
  amount: string;
  /** The amount as the miniapp sent it. */
  amount_text: string;
  shipping: string | null;
  tax: string | null;
  discount: string | null;
  order_payment_id: string | null;
  miniapp_order_id: string | null;
  /** The whole report as received, sealed. */
  sealed_report: Buffer;
  at: Date;
  received_at: Date;
  request_id: string;
}

const money = { type: 'numeric', precision: 22, scale: 2 } as const;

export const transactionSchema = new EntitySchema<TransactionRow>({
  name: 'MiniappTransaction',
  tableName: 'miniapp_transactions',
  columns: {
    id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'miniapp_transactions_pkey' },
    integration_id: { type: 'text' },
    client_id: { type: 'text' },
    app_id: { type: 'text' },
    transaction_id: { type: 'text' },
    content_digest: { type: 'bytea' },
    user_digest: { type: 'bytea', nullable: true },
    status: { type: 'text' },
    currency: { type: 'text' },
    amount: money,
    amount_text: { type: 'text' },
    shipping: { ...money, nullable: true },
    tax: { ...money, nullable: true },
    discount: { ...money, nullable: true },
    order_payment_id: { type: 'text', nullable: true },
    miniapp_order_id: { type: 'text', nullable: true },
    sealed_report: { type: 'bytea' },
    at: { type: 'timestamptz' },
    received_at: { type: 'timestamptz' },
    request_id: { type: 'text' },
  },
  checks: [
    { name: 'miniapp_transactions_one_content', expression: 'octet_length(content_digest) = 32' },
    { name: 'miniapp_transactions_status', expression: `status in ('paid', 'cancelled', 'failed', 'in_process', 'refunded')` },
  ],
  indices: [
    { name: 'miniapp_transactions_of_key', columns: ['transaction_id', 'integration_id'], unique: true },
    { name: 'miniapp_transactions_by_time', columns: ['at', 'id'] },
    { name: 'miniapp_transactions_of_host_app', columns: ['client_id', 'at', 'id'] },
    { name: 'miniapp_transactions_of_miniapp', columns: ['app_id', 'at', 'id'] },
    { name: 'miniapp_transactions_of_currency', columns: ['currency', 'at'] },
    { name: 'miniapp_transactions_of_order', columns: ['miniapp_order_id'], where: 'miniapp_order_id is not null' },
    { name: 'miniapp_transactions_of_payment', columns: ['order_payment_id', 'integration_id'], where: 'order_payment_id is not null' },
    { name: 'miniapp_transactions_not_paid', columns: ['status', 'at', 'id'], where: `status <> 'paid'` },
    { name: 'miniapp_transactions_by_user', columns: ['user_digest'], where: 'user_digest is not null' },
  ],
});

/** The text of a report that is sealed. */
export function reportText(report: TransactionReport): Promise<string> {
  return printInTurns(
    JsonObject.of({
      transaction_id: report.transactionId,
      amount: report.amount,
      currency: report.currency,
      status: report.status,
      shipping: report.shipping,
      tax: report.tax,
      discount: report.discount,
      order_payment_id: report.orderPaymentId,
      miniapp_order_id: report.miniappOrderId,
      user_reference: report.userReference,
      occurred_at: report.occurredAt,
      items: report.items,
      customer: report.customer,
      custom_attributes: report.customAttributes,
    }),
  );
}

/** Parses the text that `reportText` wrote. */
export async function reportFrom(bytes: Uint8Array): Promise<TransactionReport> {
  const stored = await readInTransaction(bytes);
  const members = stored instanceof JsonObject ? Object.fromEntries(stored.members) : {};
  // The seal guarantees that reportText wrote this text, so the cast is safe.
  return {
    transactionId: members.transaction_id,
    amount: members.amount,
    currency: members.currency,
    status: members.status,
    shipping: members.shipping,
    tax: members.tax,
    discount: members.discount,
    orderPaymentId: members.order_payment_id,
    miniappOrderId: members.miniapp_order_id,
    userReference: members.user_reference,
    occurredAt: members.occurred_at,
    items: members.items,
    customer: members.customer,
    customAttributes: members.custom_attributes,
  } as TransactionReport;
}

/** The text of an amount, unchanged. */
export const amountText = (amount: Amount): string => (amount instanceof JsonNumber ? amount.text : amount);

/** The line that the operator sees: `amount` as received, the other amounts with two decimals. */
export const lineFrom = (row: Omit<TransactionRow, 'integration_id' | 'content_digest' | 'amount' | 'sealed_report'>): TransactionLine => ({
  id: row.id,
  clientId: row.client_id,
  appId: row.app_id,
  transactionId: row.transaction_id,
  status: row.status,
  currency: row.currency,
  amount: row.amount_text,
  shipping: row.shipping ?? undefined,
  tax: row.tax ?? undefined,
  discount: row.discount ?? undefined,
  orderPaymentId: row.order_payment_id ?? undefined,
  miniappOrderId: row.miniapp_order_id ?? undefined,
  at: row.at.getTime(),
  receivedAt: row.received_at.getTime(),
  requestId: row.request_id,
});

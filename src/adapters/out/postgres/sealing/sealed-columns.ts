import type { ConsentEntryRow } from '../sso/consent.schema';
import { bodySealContext, type DeliveryRow } from '../deliveries/delivery.schema';
import { evidenceSealContext, type EvidenceLinkRow } from '../evidence/evidence-link.schema';
import type { SharedTaskRow } from '../sso/shared-task.schema';
import type { IdempotentCallRow } from '../payments/idempotent-call.schema';
import type { KeptKeyRow } from './kept-key.schema';
import { credentialSealContext, type CredentialRow } from '../partners/partner.schema';
import {
  completionSealContext,
  conflictSealContext,
  earlySealContext,
  summarySealContext,
  userReferenceSealContext,
} from '../payments/payment-seals';
import { orderSealContext, type EarlyCompletionRow, type OrderPaymentRow, type PaymentConflictRow } from '../payments/payment.schema';
import { sharedTaskSealContext } from '../sso/postgres-shared-task-store';
import { answerSealContext } from '../payments/postgres-idempotency-store';
import { reportSealContext } from '../analytics/postgres-transaction-repository';
import { keptKeySealContext, referenceSealContext } from './reference-index';
import { refusedRequestSealContext, type RefusedRequestRow } from '../credentials/refused-request.schema';
import type { TransactionRow } from '../analytics/transaction.schema';
import { userSealContexts, type UserRow, type UserTokensRow } from '../sso/user.schema';

/** A column whose values are sealed. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Columns besides the key that are part of the seal context. */
  readonly also: readonly string[];
  /** The seal context of a row's value. The row has at least the columns of `key` and `also`. */
  readonly contextOf: (row: never) => string;
}

type ColumnOf<Row> = keyof Row & string;

const inTable =
  <Row>(table: string, key: readonly ColumnOf<Row>[], also: readonly ColumnOf<Row>[] = []) =>
  (column: ColumnOf<Row>, contextOf: (row: Row) => string): SealedColumn => ({ table, column, key, also, contextOf });

const credentials = inTable<CredentialRow>('partner_credentials', ['partner_kind', 'partner_id', 'kind', 'slot']);
const keptKeys = inTable<KeptKeyRow>('kept_keys', ['name']);
const users = inTable<UserRow>('users', ['client_id', 'reference_digest']);
const tokens = inTable<UserTokensRow>('user_tokens', ['client_id', 'reference_digest']);
const consents = inTable<ConsentEntryRow>('consent_entries', ['id'], ['reference_digest']);
const sharedTasks = inTable<SharedTaskRow>('shared_tasks', ['purpose', 'key_digest']);
const calls = inTable<IdempotentCallRow>('idempotent_calls', ['key_digest']);
const payments = inTable<OrderPaymentRow>('order_payments', ['id']);
const early = inTable<EarlyCompletionRow>('payment_completions_early', ['integration_id', 'order_payment_id']);
const conflicts = inTable<PaymentConflictRow>('payment_conflicts', ['integration_id', 'order_payment_id', 'report_digest']);
const deliveries = inTable<DeliveryRow>('deliveries', ['id']);
const refusals = inTable<RefusedRequestRow>('refused_requests', ['exchange_id']);
const evidence = inTable<EvidenceLinkRow>('evidence_links', ['id']);
const transactions = inTable<TransactionRow>('miniapp_transactions', ['id']);

const userSlots = ({ client_id, reference_digest }: Pick<UserRow, 'client_id' | 'reference_digest'>) =>
  userSealContexts(client_id, reference_digest);
const paymentKey = ({ integration_id: integrationId, order_payment_id: orderPaymentId }: EarlyCompletionRow | PaymentConflictRow) => ({
  integrationId,
  orderPaymentId,
});

/** Every sealed column of the database. A test fails when one is missing. */
export const sealedColumns: readonly SealedColumn[] = [
  keptKeys('sealed', ({ name }) => keptKeySealContext(name)),
  credentials('sealed', credentialSealContext),
  users('reference', (row) => referenceSealContext(row.reference_digest)),
  users('data', (row) => userSlots(row).data),
  tokens('access_token', (row) => userSlots(row).accessToken),
  tokens('refresh_token', (row) => userSlots(row).refreshToken),
  tokens('failure', (row) => userSlots(row).failure),
  consents('reference', (row) => referenceSealContext(row.reference_digest)),
  sharedTasks('value', (row) => sharedTaskSealContext([row.purpose, row.key_digest])),
  calls('answer', (row) => answerSealContext(row.key_digest)),
  payments('sealed_order', ({ id }) => orderSealContext(id)),
  payments('sealed_summary', ({ id }) => summarySealContext(id)),
  payments('user_reference', ({ id }) => userReferenceSealContext(id)),
  payments('completion', ({ id }) => completionSealContext(id)),
  early('completion', (row) => earlySealContext(paymentKey(row))),
  conflicts('completion', (row) => conflictSealContext(paymentKey(row), row.report_digest)),
  deliveries('body', ({ id }) => bodySealContext(id)),
  transactions('sealed_report', ({ id }) => reportSealContext(id)),
  refusals('sealed', refusedRequestSealContext),
  evidence('sealed', evidenceSealContext),
];

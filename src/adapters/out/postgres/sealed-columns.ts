import { ledgerPlace } from './consent-statement';
import type { ConsentLedgerRow } from './consent.schema';
import { bodyPlace, type DeliveryRow } from './delivery.schema';
import { evidencePlace, type EvidenceLinkRow } from './evidence/evidence-link.schema';
import type { FlightRow } from './flight.schema';
import type { IdempotentCallRow } from './idempotent-call.schema';
import type { KeptKeyRow } from './kept-key.schema';
import { credentialPlace, type CredentialRow } from './partners/partner.schema';
import { completionPlace, conflictPlace, earlyPlace, userPlace } from './payment-seals';
import { orderPlace, type EarlyCompletionRow, type OrderPaymentRow, type PaymentConflictRow } from './payment.schema';
import { flightPlace } from './postgres-flight-board';
import { answerPlace } from './postgres-idempotency-ledger';
import { reportPlace } from './postgres-transaction-ledger';
import { keptKeyPlace } from './reference-index';
import { refusedRequestPlace, type RefusedRequestRow } from './refused-request.schema';
import type { TransactionRow } from './transaction.schema';
import { placesOf, type UserRow, type UserTokensRow } from './user.schema';

/** A column whose values are sealed. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Columns beside the key that the place is made of. */
  readonly also: readonly string[];
  /** Where the value of a row lies; the row has at least the columns of `key` and `also`. */
  readonly place: (row: never) => string;
}

type ColumnOf<Row> = keyof Row & string;

const inTable =
  <Row>(table: string, key: readonly ColumnOf<Row>[], also: readonly ColumnOf<Row>[] = []) =>
  (column: ColumnOf<Row>, place: (row: Row) => string): SealedColumn => ({ table, column, key, also, place });

const credentials = inTable<CredentialRow>('partner_credentials', ['partner_kind', 'partner_id', 'kind', 'slot']);
const keptKeys = inTable<KeptKeyRow>('kept_keys', ['name']);
const users = inTable<UserRow>('users', ['client_id', 'reference_digest']);
const tokens = inTable<UserTokensRow>('user_tokens', ['client_id', 'reference_digest']);
const consents = inTable<ConsentLedgerRow>('consent_ledger', ['id'], ['integration_id', 'reference_digest']);
const flights = inTable<FlightRow>('flights', ['purpose', 'key_digest']);
const calls = inTable<IdempotentCallRow>('idempotent_calls', ['key_digest']);
const payments = inTable<OrderPaymentRow>('order_payments', ['id']);
const early = inTable<EarlyCompletionRow>('payment_completions_early', ['integration_id', 'order_payment_id']);
const conflicts = inTable<PaymentConflictRow>('payment_conflicts', ['integration_id', 'order_payment_id', 'report_digest']);
const deliveries = inTable<DeliveryRow>('deliveries', ['id']);
const refusals = inTable<RefusedRequestRow>('refused_requests', ['exchange_id']);
const evidence = inTable<EvidenceLinkRow>('evidence_links', ['id']);
const transactions = inTable<TransactionRow>('miniapp_transactions', ['id']);

const userPlaces = ({ client_id, reference_digest }: Pick<UserRow, 'client_id' | 'reference_digest'>) =>
  placesOf(client_id, reference_digest);
const paymentKey = ({ integration_id: integrationId, order_payment_id: orderPaymentId }: EarlyCompletionRow | PaymentConflictRow) => ({
  integrationId,
  orderPaymentId,
});

/** Every sealed column of the database; a test finds those that are missing here. */
export const sealedColumns: readonly SealedColumn[] = [
  keptKeys('sealed', ({ name }) => keptKeyPlace(name)),
  credentials('sealed', credentialPlace),
  users('reference', (row) => userPlaces(row).reference),
  users('data', (row) => userPlaces(row).data),
  tokens('access_token', (row) => userPlaces(row).accessToken),
  tokens('refresh_token', (row) => userPlaces(row).refreshToken),
  tokens('failure', (row) => userPlaces(row).failure),
  consents('reference', (row) => ledgerPlace(row.integration_id, row.reference_digest)),
  flights('value', (row) => flightPlace([row.purpose, row.key_digest])),
  calls('answer', (row) => answerPlace(row.key_digest)),
  payments('sealed_order', ({ id }) => orderPlace(id)),
  payments('user_reference', ({ id }) => userPlace(id)),
  payments('completion', ({ id }) => completionPlace(id)),
  early('completion', (row) => earlyPlace(paymentKey(row))),
  conflicts('completion', (row) => conflictPlace(paymentKey(row), row.report_digest)),
  deliveries('body', ({ id }) => bodyPlace(id)),
  transactions('sealed_report', ({ id }) => reportPlace(id)),
  refusals('sealed', refusedRequestPlace),
  evidence('sealed', evidencePlace),
];

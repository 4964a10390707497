import type { DataSource } from 'typeorm';
import type { TransactionKey, TransactionLedger } from '../../../domain/analytics/ports';
import { contentOf, type Amount, type KeptTransaction } from '../../../domain/analytics/transaction-report';
import type { SecretBox } from '../../../domain/credentials/ports';
import { plainDecimal } from '../../../domain/shared/decimal';
import { requireIds } from '../../../domain/shared/required-id';
import { isCheckViolation } from './postgres-errors';
import { reportUserDigest, type ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import { run, type Statement } from './statement';
import { amountText, reportFrom, reportText, type TransactionRow } from './transaction.schema';

const oneContent = 'miniapp_transactions_one_content';

const keep: Statement = {
  name: 'transactions.keep',
  // Other content for a kept id breaks the check on purpose: one statement then keeps all or nothing, also against a call
  // at the same time. In the order of ids, so that two calls never wait for each other.
  text: `
    insert into miniapp_transactions (id, integration_id, client_id, app_id, transaction_id, content_digest, status, currency, amount,
      amount_text, shipping, tax, discount, order_payment_id, miniapp_order_id, sealed_report, at, received_at, request_id, user_digest)
    select id, integration_id, client_id, app_id, transaction_id, content_digest, status, currency, amount,
      amount_text, shipping, tax, discount, order_payment_id, miniapp_order_id, sealed_report, at, received_at, request_id, user_digest
    from json_to_recordset($1::json) as x(
      id text, integration_id text, client_id text, app_id text, transaction_id text, content_digest bytea, status text, currency text,
      amount numeric, amount_text text, shipping numeric, tax numeric, discount numeric, order_payment_id text, miniapp_order_id text,
      sealed_report bytea, at timestamptz, received_at timestamptz, request_id text, user_digest bytea)
    order by integration_id, transaction_id
    on conflict (integration_id, transaction_id) do update set content_digest = ''
    where miniapp_transactions.content_digest <> excluded.content_digest`,
};

const findContradicted: Statement = {
  name: 'transactions.find-contradicted',
  text: `
    select transaction_id from miniapp_transactions
    join json_to_recordset($1::json) as x(integration_id text, transaction_id text, content_digest bytea)
      using (integration_id, transaction_id)
    where miniapp_transactions.content_digest <> x.content_digest`,
};

const find: Statement = {
  name: 'transactions.find',
  text: `
    select id, integration_id, client_id, app_id, sealed_report, at, received_at, request_id
    from miniapp_transactions where integration_id = $1 and transaction_id = $2`,
};

type FoundRow = Pick<
  TransactionRow,
  'id' | 'integration_id' | 'client_id' | 'app_id' | 'sealed_report' | 'at' | 'received_at' | 'request_id'
>;

/** Reported transactions in Postgres: amounts as numbers that add up, the report itself sealed, compared by a keyed digest. */
export class PostgresTransactionLedger implements TransactionLedger {
  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox; readonly index: ReferenceIndex }) {}

  async keep(transactions: readonly KeptTransaction[]): Promise<readonly string[]> {
    const rows = transactions.map((transaction) => this.rowOf(transaction));
    try {
      await run(this.deps.db, keep, [JSON.stringify(rows)]);
      return [];
    } catch (error) {
      if (!isCheckViolation(error, oneContent)) throw error;
      return this.contradicted(rows);
    }
  }

  async find({ integrationId, transactionId }: TransactionKey): Promise<KeptTransaction | undefined> {
    requireIds({ integrationId, transactionId });
    const [row] = await run<FoundRow>(this.deps.db, find, [integrationId, transactionId]);
    return (
      row && {
        id: row.id,
        integrationId: row.integration_id,
        clientId: row.client_id,
        appId: row.app_id,
        report: reportFrom(this.deps.box.open(row.sealed_report, reportPlace(row.id))),
        at: row.at.getTime(),
        receivedAt: row.received_at.getTime(),
        requestId: row.request_id,
      }
    );
  }

  private async contradicted(rows: readonly ReturnType<PostgresTransactionLedger['rowOf']>[]): Promise<readonly string[]> {
    const keys = rows.map(({ integration_id, transaction_id, content_digest }) => ({ integration_id, transaction_id, content_digest }));
    const found = await run<Pick<TransactionRow, 'transaction_id'>>(this.deps.db, findContradicted, [JSON.stringify(keys)]);
    return found.map(({ transaction_id: transactionId }) => transactionId);
  }

  /** As the row travels to the database inside a JSON array. */
  private rowOf({ id, integrationId, clientId, appId, report, at, receivedAt, requestId }: KeptTransaction) {
    const { transactionId, orderPaymentId, miniappOrderId, userReference } = report;
    requireIds({ id, integrationId, transactionId });
    return {
      id,
      integration_id: integrationId,
      client_id: clientId,
      app_id: appId,
      transaction_id: transactionId,
      content_digest: hex(this.deps.index.digest('transaction', integrationId, transactionId, contentOf(report))),
      status: report.status,
      currency: report.currency,
      amount: numeric(report.amount),
      amount_text: amountText(report.amount),
      shipping: numeric(report.shipping),
      tax: numeric(report.tax),
      discount: numeric(report.discount),
      order_payment_id: orderPaymentId ?? null,
      miniapp_order_id: miniappOrderId ?? null,
      sealed_report: hex(sealText(this.deps.box, reportText(report), reportPlace(id))),
      at: new Date(at).toISOString(),
      received_at: new Date(receivedAt).toISOString(),
      request_id: requestId,
      user_digest: userReference ? hex(reportUserDigest(this.deps.index, clientId, userReference)) : null,
    };
  }
}

/** Where a report is sealed. */
export const reportPlace = (id: string): string => `miniapp_transactions.sealed_report:${id}`;
/** Bytes as Postgres reads them from text. */
const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
const numeric = (amount: Amount | undefined): string | null => (amount === undefined ? null : (plainDecimal(amount) ?? null));

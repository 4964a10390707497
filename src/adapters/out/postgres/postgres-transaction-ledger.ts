import type { DataSource } from 'typeorm';
import type { TransactionKey, TransactionLedger } from '../../../domain/analytics/ports';
import { contentOf, type Amount, type KeptTransaction } from '../../../domain/analytics/transaction-report';
import type { SecretBox } from '../../../domain/credentials/ports';
import { plainDecimal } from '../../../domain/shared/decimal';
import { requireIds } from '../../../domain/shared/required-id';
import { arrayParameter, type ArrayType, type ArrayValue } from './array-parameters';
import { GroupedStatements } from './grouped-statements';
import { isCheckViolation } from './postgres-errors';
import { reportUserDigest, type ReferenceIndex } from './reference-index';
import { sealText } from './sealed-text';
import { run, type Statement } from './statement';
import { amountText, reportFrom, reportText, type TransactionRow } from './transaction.schema';

const oneContent = 'miniapp_transactions_one_content';

/** The columns of a row as it travels: an array for each. Decimals go as text. */
const columns = {
  id: 'text',
  integration_id: 'text',
  client_id: 'text',
  app_id: 'text',
  transaction_id: 'text',
  content_digest: 'bytea',
  status: 'text',
  currency: 'text',
  amount: 'text',
  amount_text: 'text',
  shipping: 'text',
  tax: 'text',
  discount: 'text',
  order_payment_id: 'text',
  miniapp_order_id: 'text',
  sealed_report: 'bytea',
  at: 'timestamptz',
  received_at: 'timestamptz',
  request_id: 'text',
  user_digest: 'bytea',
} as const satisfies Readonly<Record<string, ArrayType>>;
type ColumnName = keyof typeof columns;
const names = Object.keys(columns) as ColumnName[];
const decimals: readonly ColumnName[] = ['amount', 'shipping', 'tax', 'discount'];

/** A report on its way. */
type Row = Readonly<Record<ColumnName, ArrayValue>> & Readonly<Record<'integration_id' | 'transaction_id', string>>;

const keep: Statement = {
  name: 'transactions.keep',
  // Other content for a kept id breaks the check on purpose: one statement then keeps all or nothing, also against a call
  // at the same time. In the order of ids, so that two calls never wait for each other.
  text: `
    insert into miniapp_transactions (${names.join(', ')})
    select ${names.map((name) => (decimals.includes(name) ? `${name}::numeric` : name)).join(', ')}
    from unnest(${names.map((name, i) => `$${String(i + 1)}::${columns[name]}[]`).join(', ')}) as x(${names.join(', ')})
    order by integration_id, transaction_id
    on conflict (integration_id, transaction_id) do update set content_digest = ''
    where miniapp_transactions.content_digest <> excluded.content_digest`,
};

const findContradicted: Statement = {
  name: 'transactions.find-contradicted',
  text: `
    select t.transaction_id from miniapp_transactions t
    join unnest($1::text[], $2::text[], $3::bytea[]) as x(integration_id, transaction_id, content_digest)
      on t.integration_id = x.integration_id and t.transaction_id = x.transaction_id
    where t.content_digest <> x.content_digest`,
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

/** Calls with one report each that one statement keeps at most. */
const maxBatchSize = 64;

/** Reported transactions in Postgres: amounts as numbers that add up, the report itself sealed, compared by a keyed digest. */
export class PostgresTransactionLedger implements TransactionLedger {
  /** Calls with one report that come at the same time share a statement. One that contradicts a stored report is refused by itself. */
  private readonly singles = new GroupedStatements<Row, undefined>({
    most: maxBatchSize,
    run: async (rows) => {
      await this.write(rows);
      return rows.map(() => undefined);
    },
    nameOf: ({ integration_id: integrationId, transaction_id: transactionId }) => `${integrationId}/${transactionId}`,
  });

  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretBox; readonly index: ReferenceIndex }) {}

  async keep(transactions: readonly KeptTransaction[]): Promise<readonly string[]> {
    const rows = transactions.map((transaction) => this.rowOf(transaction));
    const [only, ...others] = rows;
    try {
      if (only && others.length === 0) await this.singles.add(only);
      else await this.write(rows);
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

  private async write(rows: readonly Row[]): Promise<void> {
    await run(this.deps.db, keep, arraysOf(names, rows));
  }

  private async contradicted(rows: readonly Row[]): Promise<readonly string[]> {
    const values = arraysOf(['integration_id', 'transaction_id', 'content_digest'], rows);
    const found = await run<Pick<TransactionRow, 'transaction_id'>>(this.deps.db, findContradicted, values);
    return found.map(({ transaction_id: transactionId }) => transactionId);
  }

  private rowOf({ id, integrationId, clientId, appId, report, at, receivedAt, requestId }: KeptTransaction): Row {
    const { transactionId, orderPaymentId, miniappOrderId, userReference } = report;
    requireIds({ id, integrationId, transactionId });
    return {
      id,
      integration_id: integrationId,
      client_id: clientId,
      app_id: appId,
      transaction_id: transactionId,
      content_digest: this.deps.index.digest('transaction', integrationId, transactionId, contentOf(report)),
      status: report.status,
      currency: report.currency,
      amount: numeric(report.amount),
      amount_text: amountText(report.amount),
      shipping: numeric(report.shipping),
      tax: numeric(report.tax),
      discount: numeric(report.discount),
      order_payment_id: orderPaymentId ?? null,
      miniapp_order_id: miniappOrderId ?? null,
      sealed_report: sealText(this.deps.box, reportText(report), reportPlace(id)),
      at: new Date(at),
      received_at: new Date(receivedAt),
      request_id: requestId,
      user_digest: userReference ? reportUserDigest(this.deps.index, clientId, userReference) : null,
    };
  }
}

const arraysOf = (of: readonly ColumnName[], rows: readonly Row[]): Buffer[] =>
  of.map((name) =>
    arrayParameter(
      columns[name],
      rows.map((row) => row[name]),
    ),
  );

/** Where a report is sealed. */
export const reportPlace = (id: string): string => `miniapp_transactions.sealed_report:${id}`;
const numeric = (amount: Amount | undefined): string | null => (amount === undefined ? null : (plainDecimal(amount) ?? null));

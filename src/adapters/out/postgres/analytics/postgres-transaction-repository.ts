import type { DataSource } from 'typeorm';
import type { TransactionKey, TransactionRepository } from '../../../../domain/analytics/ports';
import { contentOf, type Amount, type KeptTransaction } from '../../../../domain/analytics/transaction-report';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { plainDecimal } from '../../../../domain/shared/decimal';
import { requireIds } from '../../../../domain/shared/required-id';
import { mapInTurns, printInTurns } from '../../../json/in-turns';
import { namedParameters, type ArrayType, type ArrayValue } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import { isCheckViolation } from '../connection/postgres-errors';
import { userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { sealText } from '../sealing/sealed-text';
import { run, type Statement } from '../connection/statement';
import { amountText, reportFrom, reportText, type TransactionRow } from './transaction.schema';

const oneContent = 'miniapp_transactions_one_content';

/** The column types of the statement, which takes one array per column. Decimals are sent as text. */
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

/** A report to store. */
type Row = Readonly<Record<ColumnName, ArrayValue>> & Readonly<Record<'integration_id' | 'transaction_id', string>>;

const keep: Statement = {
  name: 'transactions.keep',
  // Different content for a stored id violates the check on purpose: the statement then stores all reports or none, even against a
  // concurrent call. Rows are sorted by id so that two calls cannot deadlock.
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

/** The maximum number of single reports that one statement stores. */
const maxGroupSize = 64;

/**
 * Reported transactions in Postgres. Amounts are numeric columns that can be added up; the report itself is sealed and compared by a keyed
 * digest.
 */
export class PostgresTransactionRepository implements TransactionRepository {
  /** Concurrent calls with one report share a statement. A report that contradicts a stored one is refused alone. */
  private readonly singles = new GroupedStatements<Row, undefined>({
    maxGroupSize,
    run: async (rows) => {
      await this.write(rows);
      return rows.map(() => undefined);
    },
    nameOf: ({ integration_id: integrationId, transaction_id: transactionId }) => `${integrationId}/${transactionId}`,
  });

  constructor(private readonly deps: { readonly db: DataSource; readonly box: SecretCipher; readonly index: ReferenceIndex }) {}

  async keep(transactions: readonly KeptTransaction[]): Promise<readonly string[]> {
    const rows = await mapInTurns(transactions, (transaction) => this.rowOf(transaction));
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
        report: await reportFrom(this.deps.box.open(row.sealed_report, reportSealContext(row.id))),
        at: row.at.getTime(),
        receivedAt: row.received_at.getTime(),
        requestId: row.request_id,
      }
    );
  }

  private async write(rows: readonly Row[]): Promise<void> {
    await run(this.deps.db, keep, namedParameters(columns, rows));
  }

  private async contradicted(rows: readonly Row[]): Promise<readonly string[]> {
    const { integration_id, transaction_id, content_digest } = columns;
    const values = namedParameters({ integration_id, transaction_id, content_digest }, rows);
    const found = await run<Pick<TransactionRow, 'transaction_id'>>(this.deps.db, findContradicted, values);
    return found.map(({ transaction_id: transactionId }) => transactionId);
  }

  private async rowOf({ id, integrationId, clientId, appId, report, at, receivedAt, requestId }: KeptTransaction): Promise<Row> {
    const { transactionId, orderPaymentId, miniappOrderId, userReference } = report;
    requireIds({ id, integrationId, transactionId });
    const content = await printInTurns(contentOf(report), { sortKeys: true });
    return {
      id,
      integration_id: integrationId,
      client_id: clientId,
      app_id: appId,
      transaction_id: transactionId,
      content_digest: this.deps.index.digest('transaction', integrationId, transactionId, content),
      status: report.status,
      currency: report.currency,
      amount: numeric(report.amount),
      amount_text: amountText(report.amount),
      shipping: numeric(report.shipping),
      tax: numeric(report.tax),
      discount: numeric(report.discount),
      order_payment_id: orderPaymentId ?? null,
      miniapp_order_id: miniappOrderId ?? null,
      sealed_report: sealText(this.deps.box, await reportText(report), reportSealContext(id)),
      at: new Date(at),
      received_at: new Date(receivedAt),
      request_id: requestId,
      user_digest: userReference ? userDigest(this.deps.index, { clientId, reference: userReference }) : null,
    };
  }
}

/** The seal context of a report. */
export const reportSealContext = (id: string): string => `miniapp_transactions.sealed_report:${id}`;
const numeric = (amount: Amount | undefined): string | null => (amount === undefined ? null : (plainDecimal(amount) ?? null));

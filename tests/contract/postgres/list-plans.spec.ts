import { PostgresAuditReader } from '../../../src/adapters/out/postgres/audit/postgres-audit-reader';
import { PostgresDeliveryRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-repository';
import { PostgresExchangeReader } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-reader';
import { PostgresPaymentRecordRepository } from '../../../src/adapters/out/postgres/payments/postgres-payment-record-repository';
import { PostgresTransactionReader } from '../../../src/adapters/out/postgres/analytics/postgres-transaction-reader';
import type { DataSource } from 'typeorm';
import { recordedStatements } from '../../support/postgres/recorded-statements';
import { storePairs } from '../../support/postgres/stored-pairs';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';

const rows = 5000;
const page = { limit: 51 };
const at = `now() - (${String(rows)} - n) * interval '1 minute'`;
const sealed = `'\\x00'::bytea`;

/** Half of all rows belong to the integration int_1; one in a thousand of another one is rare in everything. */
const integration = `case when n % 2 = 0 then 'int_1' when n % 1000 = 1 then 'int_3' else 'int_x' || n % 50 end`;
const client = `case when n % 2 = 0 then 'host_1' when n % 1000 = 1 then 'host_2' else 'host_x' || n % 50 end`;

const filled = [
  `insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, created_at)
   select 'pay_' || n, ${integration}, 'op_' || n, 'opened', case when n % 500 = 3 then 'failed' else 'paid' end, ${sealed}, ${at}
   from generate_series(1, ${String(rows)}) n`,
  `insert into deliveries (id, integration_id, kind, key, queue, body, state, due_at, created_at)
   select 'dlv_' || n, ${integration}, 'completion', 'dlv_' || n, 'miniapp:app_1:completion', ${sealed},
     case when n % 500 = 3 then 'failed' else 'delivered' end, now(), ${at} from generate_series(1, ${String(rows)}) n`,
  `insert into exchanges (id, request_id, call, client_id, app_id, at, ms, status, checks, legs)
   select 'ex_' || n, 'req_' || n, 'connect', ${client}, 'app_' || n % 7, ${at}, 5, case when n % 500 = 3 then 400 else 200 end, '{}', '[]'
   from generate_series(1, ${String(rows)}) n`,
  `insert into miniapp_transactions (id, integration_id, client_id, app_id, transaction_id, content_digest, status, currency, amount, amount_text,
     sealed_report, at, received_at, request_id)
   select 't_' || n, ${integration}, ${client}, 'app_' || n % 997, 'tx_' || n, sha256(n::text::bytea), 'paid', 'USD', 1, '1', ${sealed}, ${at}, ${at}, 'r'
   from generate_series(1, ${String(rows)}) n`,
];

/** Without the chain, in which each would wait for the one before. */
const auditEntries = `
  set session_replication_role = replica;
  insert into audit_log (at, actor, action, subject, request_id, previous_hash, hash)
  select ${at}, 'operator', 'host-app.changed', 'host-app:' || ${client}, 'r', '', '' from generate_series(1, ${String(rows)}) n;
  set session_replication_role = origin`;

type Readers = ReturnType<typeof readersOf>;
const readersOf = (db: DataSource) => ({
  payments: new PostgresPaymentRecordRepository({ db, box: testBox() }),
  deliveries: new PostgresDeliveryRepository(db),
  exchanges: new PostgresExchangeReader(db),
  transactions: new PostgresTransactionReader(db),
  audit: new PostgresAuditReader(db),
});

const lists: readonly (readonly [string, string, (readers: Readers) => Promise<unknown>])[] = [
  ['payments', 'order_payments', ({ payments }) => payments.list({}, page)],
  ['payments after one in the middle', 'order_payments', ({ payments }) => payments.list({}, { ...page, after: 'pay_2500' })],
  ['payments of a large host app', 'order_payments', ({ payments }) => payments.list({ clientId: 'host_1', appId: 'app_1' }, page)],
  ['payments of a small host app', 'order_payments', ({ payments }) => payments.list({ clientId: 'host_2' }, page)],
  ['payments with a rare status', 'order_payments', ({ payments }) => payments.list({ status: 'failed' }, page)],
  ['payments that nobody refused', 'order_payments', ({ payments }) => payments.list({ creation: 'refused' }, page)],
  ['payments that nobody answered', 'order_payments', ({ payments }) => payments.list({ creation: 'unanswered' }, page)],
  ['payments in process', 'order_payments', ({ payments }) => payments.list({ isSettled: false }, page)],
  ['payments with a parked delivery', 'deliveries', ({ payments }) => payments.list({ notice: 'parked' }, page)],
  ['payments with a delivery that is pending', 'deliveries', ({ payments }) => payments.list({ notice: 'ready' }, page)],
  ['payments with a delivery that was given up', 'deliveries', ({ payments }) => payments.list({ notice: 'failed' }, page)],
  ['payments by the id of the host app', 'order_payments', ({ payments }) => payments.list({ orderPaymentId: 'nothing' }, page)],
  ['deliveries', 'deliveries', ({ deliveries }) => deliveries.list({}, page)],
  ['deliveries after one in the middle', 'deliveries', ({ deliveries }) => deliveries.list({}, { ...page, after: 'dlv_2500' })],
  ['deliveries of a small host app', 'deliveries', ({ deliveries }) => deliveries.list({ clientId: 'host_2' }, page)],
  ['deliveries that were given up', 'deliveries', ({ deliveries }) => deliveries.list({ state: 'failed' }, page)],
  ['deliveries of events', 'deliveries', ({ deliveries }) => deliveries.list({ kind: 'event' }, page)],
  ['exchanges of a large host app', 'exchanges', ({ exchanges }) => exchanges.list({ clientId: 'host_1' }, page)],
  ['exchanges of a small host app', 'exchanges', ({ exchanges }) => exchanges.list({ clientId: 'host_2' }, page)],
  ['exchanges with a rare status', 'exchanges', ({ exchanges }) => exchanges.list({ statusClass: 4 }, page)],
  ['exchanges with an error that none had', 'exchanges', ({ exchanges }) => exchanges.list({ errorCode: 'NOTHING' }, page)],
  ['transactions of a large host app', 'miniapp_transactions', ({ transactions }) => transactions.list({ clientId: 'host_1' }, page)],
  ['transactions of a small miniapp', 'miniapp_transactions', ({ transactions }) => transactions.list({ appId: 'app_1' }, page)],
  ['transactions by the id of the miniapp', 'miniapp_transactions', ({ transactions }) => transactions.list({ transactionId: 'x' }, page)],
  ['transactions by an order', 'miniapp_transactions', ({ transactions }) => transactions.list({ miniappOrderId: 'x' }, page)],
  ['transactions with a rare status', 'miniapp_transactions', ({ transactions }) => transactions.list({ status: 'failed' }, page)],
  ['transactions in a currency that none has', 'of_currency', ({ transactions }) => transactions.list({ currency: 'XXX' }, page)],
  ['audit entries', 'audit_log', ({ audit }) => audit.list({}, page)],
  ['audit entries of a small host app', 'audit_log', ({ audit }) => audit.list({ clientId: 'host_2' }, page)],
  ['audit entries of a miniapp that has none', 'audit_log', ({ audit }) => audit.list({ appId: 'app_1' }, page)],
  ['audit entries by somebody who did nothing', 'audit_log', ({ audit }) => audit.list({ actor: 'nobody' }, page)],
];

// On empty tables there is nothing to hold: lists are planned anew for every call, and the database sees how large a table has become.
onEachDatabase((_name, database) => {
  /** Calls the list; resolves to the plans of what it sent. */
  const plansOf = async (list: (readers: Readers) => Promise<unknown>): Promise<string> => {
    const { db, sent } = recordedStatements(database().db);
    await list(readersOf(db));
    const plans: string[] = [];
    for (const { text, values } of sent) {
      const lines: { 'QUERY PLAN': string }[] = await database().db.query(`explain ${text}`, [...values]);
      plans.push(...lines.map((line) => line['QUERY PLAN']));
    }
    return plans.join('\n');
  };
  const store = async (): Promise<void> => {
    const { db, wipe } = database();
    await wipe();
    await storePairs(db);
  };

  describe('lists of full tables', () => {
    beforeAll(async () => {
      await store();
      const { db } = database();
      for (const statement of [...filled, auditEntries, 'analyze']) await db.query(statement);
    }, 60_000);
    afterAll(async () => {
      await database().wipe();
      await database().db.query('analyze');
    });

    it.each(lists)('%s: by an index', async (_what, table, list) => {
      const plans = await plansOf(list);
      expect(plans).toContain(table);
      expect(plans).not.toContain(`Seq Scan on ${table}`);
    });
  });
});

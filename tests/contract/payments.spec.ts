import { MemoryOrderPaymentRepository } from '../../src/adapters/out/memory/memory-order-payment-repository';
import type { DeliveryRow } from '../../src/adapters/out/postgres/delivery.schema';
import { completionFrom, type PaymentConflictRow } from '../../src/adapters/out/postgres/payment.schema';
import { PostgresOrderPaymentRepository } from '../../src/adapters/out/postgres/postgres-order-payment-repository';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { settle } from '../../src/domain/payments/order-payment';
import { readJsonText, type JsonObject } from '../../src/domain/shared/json';
import { testBox } from '../support/test-box';
import { earlyCompletionContract } from './early-completion.contract';
import { onEachDatabase, onSecondSource } from './each-database';
import { orderPaymentRepositoryContract } from './order-payment-repository.contract';

const inMemory = async () => {
  let ahead = 0;
  const payments = new MemoryOrderPaymentRepository({ now: () => Date.now() + ahead });
  return {
    payments,
    other: payments,
    owed: async () => payments.owed,
    disagreements: async () => payments.disagreements,
    age: async (ms: number) => {
      ahead += ms;
    },
  };
};
orderPaymentRepositoryContract('memory', inMemory);
earlyCompletionContract('memory', inMemory);

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const index = await openReferenceIndex(db, box);
    return {
      payments: new PostgresOrderPaymentRepository({ db, box, index }),
      other: new PostgresOrderPaymentRepository({ db: second(), box, index }),
      owed: async () => {
        const rows: DeliveryRow[] = await db.query('select * from deliveries order by created_at, id');
        return rows.map(({ id, integration_id: integrationId, body, due_at: dueAt }) => {
          return { id, integrationId, completion: completionFrom(box.open(body, `deliveries.body:${id}`)), dueAt: dueAt.getTime() };
        });
      },
      disagreements: async () => {
        const rows: PaymentConflictRow[] = await db.query('select * from payment_conflicts order by kind desc, at');
        return rows.map(({ integration_id: integrationId, order_payment_id: orderPaymentId, kind, completion, report_digest: digest }) => {
          const place = `payment_conflicts.completion:${JSON.stringify([integrationId, orderPaymentId])}/${digest.toString('hex')}`;
          return { integrationId, orderPaymentId, kind, report: completionFrom(box.open(completion, place)) };
        });
      },
      age: async (ms: number) => {
        await db.query(
          `update order_payments set created_at = created_at - $1 * interval '1 ms', ended_at = ended_at - $1 * interval '1 ms'`,
          [ms],
        );
      },
    };
  };
  orderPaymentRepositoryContract(name, inDatabase);
  earlyCompletionContract(name, inDatabase);

  it('writes a delivery that is due, not yet attempted, and leased by nobody', async () => {
    const { payments } = await inDatabase();
    const order = { facts: { currency: 'USD', amount: '1' }, relayed: readJsonText('{}') as JsonObject };
    const intent = { id: 'pay_1', integrationId: 'int_1', order, at: Date.now() };
    await payments.intend(intent);
    await payments.open(intent, 'op-1');
    const report = { clientId: 'h', appId: 'a', orderPaymentId: 'op-1', word: 'paid', requestId: 'r', at: 1_700_000_000_000 } as const;
    await payments.settle({ integrationId: 'int_1', orderPaymentId: 'op-1' }, (payment) => settle(payment, report));
    const rows: unknown[] = await database().db.query(
      'select kind, key, state, attempts, lease, lease_until, due_at, created_at from deliveries',
    );
    const at = new Date(report.at);
    expect(rows).toEqual([
      { kind: 'completion', key: 'pay_1', state: 'ready', attempts: 0, lease: null, lease_until: null, due_at: at, created_at: at },
    ]);
  });

  it('neither locks a payment nor writes, where a report only repeats its result', async () => {
    const { payments } = await inDatabase();
    const order = { facts: { currency: 'USD', amount: '1' }, relayed: readJsonText('{}') as JsonObject };
    const intent = { id: 'pay_1', integrationId: 'int_1', order, at: Date.now() };
    await payments.intend(intent);
    await payments.open(intent, 'op-1');
    const report = { clientId: 'h', appId: 'a', orderPaymentId: 'op-1', word: 'paid', requestId: 'r', at: 1 } as const;
    const complete = () => payments.settle({ integrationId: 'int_1', orderPaymentId: 'op-1' }, (payment) => settle(payment, report));
    // A row that was locked names the transaction that locked it.
    const lockedBy = async () => (await database().db.query('select xmax::text, xmin::text from order_payments')) as unknown;
    await complete();
    const before = await lockedBy();
    expect((await complete()).outcome).toBe('repeated');
    expect(await lockedBy()).toEqual(before);
  });

  it('holds nothing of an order, its user or its reports that a dump would show', async () => {
    const { payments } = await inDatabase();
    const facts = { currency: 'USD', amount: '1.10', hostappUserId: 'canary-user' };
    const order = { facts, relayed: readJsonText('{"note":"canary-note"}') as JsonObject };
    const report = {
      clientId: 'host_1',
      appId: 'app_1',
      orderPaymentId: 'op-1',
      word: 'paid',
      failReason: 'canary-reason',
      customAttributes: readJsonText('{"canary-name":"canary-value"}'),
      requestId: 'r',
      at: 1,
    } as const;
    const complete = (orderPaymentId: string, more: object = {}) =>
      payments.settle({ integrationId: 'int_1', orderPaymentId }, (payment) => settle(payment, { ...report, orderPaymentId, ...more }));
    for (const id of ['pay_1', 'pay_2']) await payments.intend({ id, integrationId: 'int_1', order, at: Date.now() });
    await payments.open({ id: 'pay_1', integrationId: 'int_1' }, 'op-1');
    await complete('op-1');
    await complete('op-1', { word: 'failed' });
    await complete('op-2');
    for (const table of ['order_payments', 'deliveries', 'payment_conflicts', 'payment_completions_early']) {
      const rows: { shown: string }[] = await database().db.query(`select t::text as shown from ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      const shown = JSON.stringify(rows);
      expect(shown).not.toContain('canary');
      expect(shown).not.toContain(Buffer.from('canary').toString('hex'));
    }
  });
});

import { mapInTurns } from '../../../src/adapters/json/in-turns';
import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import type { DeliveryRow } from '../../../src/adapters/out/postgres/deliveries/delivery.schema';
import { completionFrom, type PaymentConflictRow } from '../../../src/adapters/out/postgres/payments/payment.schema';
import { PostgresDeliveryQueue } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-queue';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { queueOfCompletion } from '../../../src/domain/deliveries/endpoint-queue';
import { settle } from '../../../src/domain/payments/order-payment';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { capacityOf } from '../../support/outbox-events';
import { testBox } from '../../support/postgres/test-box';
import { earlyCompletionContract } from './early-completion.contract';
import { onEachDatabase, onSecondSource } from '../each-database';
import { orderPaymentRepositoryContract } from './order-payment-repository.contract';
import { actionsOn, key, report } from './payment-harness';

const inMemory = async () => {
  let ahead = 0;
  const payments = new MemoryOrderPaymentRepository({ now: () => Date.now() + ahead });
  return {
    payments,
    other: payments,
    pending: async () => payments.pending,
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
      pending: async () => {
        const rows: DeliveryRow[] = await db.query('select * from deliveries order by created_at, id');
        return mapInTurns(rows, async ({ id, integration_id: integrationId, body }) => {
          return { id, integrationId, completion: await completionFrom(box.open(body, `deliveries.body:${id}`)) };
        });
      },
      disagreements: async () => {
        const rows: PaymentConflictRow[] = await db.query('select * from payment_conflicts order by kind desc, at');
        return mapInTurns(rows, async ({ completion, report_digest: digest, ...row }) => {
          const { integration_id: integrationId, order_payment_id: orderPaymentId, kind } = row;
          const context = `payment_conflicts.completion:${JSON.stringify([integrationId, orderPaymentId])}/${digest.toString('hex')}`;
          return { integrationId, orderPaymentId, kind, report: await completionFrom(box.open(completion, context)) };
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

  it("writes a delivery that is due by the database's clock and has no lease", async () => {
    const { payments } = await inDatabase();
    const order = { fields: { currency: 'USD', amount: '1' }, relayed: readJsonText('{}') as JsonObject };
    const intent = { id: 'pay_1', integrationId: 'int_1', clientId: 'host_1', order, at: Date.now() };
    await payments.intend(intent);
    await payments.open(intent, 'op-1');
    const report = { clientId: 'h', appId: 'a', orderPaymentId: 'op-1', word: 'paid', requestId: 'r', at: 1_700_000_000_000 } as const;
    await payments.settle({ integrationId: 'int_1', orderPaymentId: 'op-1' }, (payment) => settle(payment, report));
    const rows: unknown[] = await database().db.query(
      "select kind, key, state, attempts, lease, lease_until, due_at = created_at and now() - due_at < interval '1 min' as is_due from deliveries",
    );
    expect(rows).toEqual([{ kind: 'completion', key: 'pay_1', state: 'ready', attempts: 0, lease: null, lease_until: null, is_due: true }]);
  });

  describe('a delivery that is claimed as it is made', () => {
    const queue = queueOfCompletion(report('paid'));
    const claimForMs = 20_000;
    const ready = async () => {
      const harness = await inDatabase();
      const { db } = database();
      const { opened, complete: completeUnclaimed } = actionsOn(harness);
      const complete = () => harness.payments.settle(key, (payment) => settle(payment, report('paid')), { claimForMs });
      const leases = async (): Promise<unknown> =>
        db.query('select id, lease, round(extract(epoch from lease_until - now()) / 5) * 5 as s from deliveries order by id');
      return { db, complete, completeUnclaimed, opened, leases, deliveries: new PostgresDeliveryQueue({ db, box: testBox() }) };
    };

    it('is handed to who settled, with all that an attempt needs', async () => {
      const { leases, opened, complete } = await ready();
      await opened();
      const { outcome, claimed } = await complete();
      expect(outcome).toBe('settled');
      expect(claimed).toEqual({
        ...{ id: 'pay_1', integrationId: 'int_1', content: { kind: 'completion', completion: report('paid') }, ageMs: 0 },
        ...{ tries: 0, lease: claimed!.lease, queue, reason: 'schedule' },
      });
      expect(await leases()).toEqual([{ id: 'pay_1', lease: claimed!.lease, s: '20' }]);
    });

    it('is claimed by no other worker, and ends like any other', async () => {
      const { db, deliveries, opened, complete } = await ready();
      await opened();
      const { claimed } = await complete();
      expect(await deliveries.claimDue({ limit: 10, leaseMs: 1000, capacity: capacityOf() })).toEqual([]);
      expect(await deliveries.delivered(claimed!, { reason: 'schedule', at: 1, ms: 1, status: 200 })).toBe(true);
      expect(await db.query('select state, lease, attempts from deliveries')).toEqual([{ state: 'delivered', lease: null, attempts: 1 }]);
    });

    it('is due without a claim if no process wants to begin it', async () => {
      const { leases, opened, completeUnclaimed } = await ready();
      await opened();
      expect((await completeUnclaimed(report('paid'))).claimed).toBeUndefined();
      expect(await leases()).toEqual([{ id: 'pay_1', lease: null, s: null }]);
    });

    it('is left unclaimed where its endpoint is in trouble', async () => {
      const { deliveries, leases, opened, complete } = await ready();
      await opened();
      const claim = { id: 'none', lease: 'l', queue, reason: 'schedule' } as const;
      await deliveries.retry(claim, { reason: 'schedule', at: 1, ms: 1 }, { trouble: { backoffMs: 60_000, opensAfter: 5 } });
      const settlement = await complete();
      expect([settlement.outcome, settlement.claimed]).toEqual(['settled', undefined]);
      expect(await leases()).toEqual([{ id: 'pay_1', lease: null, s: null }]);
    });

    it('is handed to one of ten that report at once', async () => {
      const { opened, complete } = await ready();
      await opened();
      const settlements = await Promise.all(Array.from({ length: 10 }, () => complete()));
      expect(settlements.filter(({ outcome }) => outcome === 'settled')).toHaveLength(1);
      expect(settlements.filter(({ claimed }) => claimed)).toHaveLength(1);
    });
  });

  it('neither locks nor writes if a report only repeats the result', async () => {
    const { payments } = await inDatabase();
    const order = { fields: { currency: 'USD', amount: '1' }, relayed: readJsonText('{}') as JsonObject };
    const intent = { id: 'pay_1', integrationId: 'int_1', clientId: 'host_1', order, at: Date.now() };
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
    const fields = { currency: 'USD', amount: '1.10', hostappUserId: 'canary-user' };
    const order = { fields, relayed: readJsonText('{"note":"canary-note"}') as JsonObject };
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
    for (const id of ['pay_1', 'pay_2']) await payments.intend({ id, integrationId: 'int_1', clientId: 'host_1', order, at: Date.now() });
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

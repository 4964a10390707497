import { MemoryOrderPaymentRepository } from '../../src/adapters/out/memory/memory-order-payment-repository';
import { MemoryPaymentAsks } from '../../src/adapters/out/memory/memory-payment-asks';
import { hostAppsToAsk } from '../../src/adapters/out/postgres/ask-statements';
import { PostgresOrderPaymentRepository } from '../../src/adapters/out/postgres/postgres-order-payment-repository';
import { PostgresPaymentAsks } from '../../src/adapters/out/postgres/postgres-payment-asks';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { CountingIds } from '../support/counting-ids';
import { testBox } from '../support/test-box';
import { onEachDatabase, onSecondSource } from './each-database';
import { paymentAsksContract } from './payment-asks.contract';

paymentAsksContract('memory', async () => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const payments = new MemoryOrderPaymentRepository(clock);
  const caps = new Map<string, number>();
  const asks = new MemoryPaymentAsks({ clock, ids: new CountingIds(), payments, capOf: (clientId) => caps.get(clientId) });
  return {
    ...{ payments, asks, other: asks },
    now: () => clock.now(),
    pass: async (ms) => void (ahead += ms),
    cap: async (clientId, perSecond) => void caps.set(clientId, perSecond),
  };
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  paymentAsksContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const back = (columns: readonly string[]): string => columns.map((column) => `${column} = ${column} - $1 * interval '1 ms'`).join();
    return {
      payments: new PostgresOrderPaymentRepository({ db, box, index: await openReferenceIndex(db, box) }),
      asks: new PostgresPaymentAsks(db),
      other: new PostgresPaymentAsks(second()),
      now: () => Date.now(),
      pass: async (ms) => {
        await db.query(`update order_payments set ${back(['created_at', 'ended_at', 'ask_at', 'ask_lease_until'])}`, [ms]);
        await db.query(`update asked_host_apps set ${back(['quiet_until', 'turn_at'])}`, [ms]);
        await db.query(`update payment_completions_early set ${back(['at'])}`, [ms]);
      },
      cap: async (clientId, perSecond) => {
        const settings = { reconcileMaxPerSecond: perSecond };
        await db.query('insert into host_apps values ($1, 1, $2, now(), now())', [clientId, settings]);
      },
    };
  });

  it('reads the plan by its index, however many payments have ended', async () => {
    const { db, wipe } = database();
    await wipe();
    await db.query(`
      insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, created_at, asked_of, ask_at)
      select 'pay_' || n, 'int_1', 'op-' || n, 'opened', case when n % 100 = 0 then 'in_process' else 'paid' end, '', now(), 'host_' || n % 5,
        now() + case when n % 1000 = 0 then -1 else 1 end * interval '1 hour'
      from generate_series(1, 5000) n`);
    await db.query('analyze order_payments');
    const explained: object[] = await db.query(`explain ${hostAppsToAsk.text.replace('$1', '64')}`);
    const plan = JSON.stringify(explained);
    expect(plan).not.toContain('Seq Scan on order_payments');
    expect(plan).toContain('order_payments_to_ask');
  });
});

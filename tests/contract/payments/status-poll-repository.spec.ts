import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import { MemoryStatusPollRepository } from '../../../src/adapters/out/memory/payments/memory-status-poll-repository';
import { hostAppsToPoll } from '../../../src/adapters/out/postgres/payments/status-poll-statements';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresStatusPollRepository } from '../../../src/adapters/out/postgres/payments/postgres-status-poll-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { CountingIds } from '../../support/counting-ids';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase, onSecondSource } from '../each-database';
import { statusPollRepositoryContract } from './status-poll-repository.contract';

statusPollRepositoryContract('memory', async () => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const payments = new MemoryOrderPaymentRepository(clock);
  const caps = new Map<string, number>();
  const polls = new MemoryStatusPollRepository({ clock, ids: new CountingIds(), payments, capOf: (clientId) => caps.get(clientId) });
  return {
    ...{ payments, polls, other: polls },
    now: () => clock.now(),
    pass: async (ms) => void (ahead += ms),
    cap: async (clientId, perSecond) => void caps.set(clientId, perSecond),
  };
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  statusPollRepositoryContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const back = (columns: readonly string[]): string => columns.map((column) => `${column} = ${column} - $1 * interval '1 ms'`).join();
    return {
      payments: new PostgresOrderPaymentRepository({ db, box, index: await openReferenceIndex(db, box) }),
      polls: new PostgresStatusPollRepository(db),
      other: new PostgresStatusPollRepository(second()),
      now: () => Date.now(),
      pass: async (ms) => {
        await db.query(`update order_payments set ${back(['created_at', 'ended_at', 'poll_at', 'poll_lease_until'])}`, [ms]);
        await db.query(`update polled_host_apps set ${back(['backoff_until', 'turn_at'])}`, [ms]);
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
      insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, created_at, polled_host_app, poll_at)
      select 'pay_' || n, 'int_1', 'op-' || n, 'opened', case when n % 100 = 0 then 'in_process' else 'paid' end, '', now(), 'host_' || n % 5,
        now() + case when n % 1000 = 0 then -1 else 1 end * interval '1 hour'
      from generate_series(1, 5000) n`);
    await db.query('analyze order_payments');
    const explained: object[] = await db.query(`explain ${hostAppsToPoll.text.replace('$1', '64')}`);
    const plan = JSON.stringify(explained);
    expect(plan).not.toContain('Seq Scan on order_payments');
    expect(plan).toContain('order_payments_to_poll');
  });
});

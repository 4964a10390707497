import { MemoryDeliveries } from '../../src/adapters/out/memory/memory-deliveries';
import { MemoryOrderPaymentRepository } from '../../src/adapters/out/memory/memory-order-payment-repository';
import { MemoryPaymentAsks } from '../../src/adapters/out/memory/memory-payment-asks';
import { MemoryRegistry } from '../../src/adapters/out/memory/memory-registry';
import { MemoryTimeShift } from '../../src/adapters/out/memory/memory-time-shift';
import { PostgresDeliveryBook } from '../../src/adapters/out/postgres/postgres-delivery-book';
import { PostgresDeliveryQueue } from '../../src/adapters/out/postgres/postgres-delivery-queue';
import { PostgresEventOutbox } from '../../src/adapters/out/postgres/postgres-event-outbox';
import { PostgresOrderPaymentRepository } from '../../src/adapters/out/postgres/postgres-order-payment-repository';
import { PostgresPaymentAsks } from '../../src/adapters/out/postgres/postgres-payment-asks';
import { PostgresTimeShift } from '../../src/adapters/out/postgres/postgres-time-shift';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { defaultIntegrationSettings } from '../../src/domain/partners/integration';
import { CountingIds } from '../support/counting-ids';
import { storePairs } from '../support/stored-pairs';
import { testBox } from '../support/test-box';
import { onEachDatabase } from './each-database';
import { timeShiftContract } from './time-shift.contract';

timeShiftContract('memory', async () => {
  const clock = { now: () => Date.now() };
  const ids = new CountingIds();
  const registry = new MemoryRegistry();
  for (const number of ['1', '2']) {
    const [clientId, appId] = [`host_${number}`, `app_${number}`];
    registry.agreements.set(`${clientId}/${appId}`, {
      ...{ id: `int_${number}`, clientId, appId, version: 1, settings: defaultIntegrationSettings },
    });
  }
  const payments = new MemoryOrderPaymentRepository(clock);
  const deliveries = new MemoryDeliveries({ clock, ids, registry, completions: payments.owed });
  const asks = new MemoryPaymentAsks({ clock, ids, payments });
  return {
    ...{ queue: deliveries, outbox: deliveries, book: deliveries, payments, asks, now: () => clock.now() },
    timeShift: new MemoryTimeShift({ registry, deliveries, payments, asks, clock }),
    audited: async () => registry.audit,
  };
});

onEachDatabase((name, database) => {
  timeShiftContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const index = await openReferenceIndex(db, box);
    await storePairs(
      db,
      ['1', '2'].map((number) => ({ id: `int_${number}`, clientId: `host_${number}`, appId: `app_${number}` })),
    );
    return {
      queue: new PostgresDeliveryQueue({ db, box }),
      outbox: new PostgresEventOutbox({ db, box, index }),
      book: new PostgresDeliveryBook(db),
      payments: new PostgresOrderPaymentRepository({ db, box, index }),
      asks: new PostgresPaymentAsks(db),
      timeShift: new PostgresTimeShift(db),
      now: () => Date.now(),
      audited: () => db.query('select action, subject from audit_log order by id'),
    };
  });
});

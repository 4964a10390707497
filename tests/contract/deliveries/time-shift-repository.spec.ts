import { MemoryDeliveries } from '../../../src/adapters/out/memory/deliveries/memory-deliveries';
import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import { MemoryStatusPollRepository } from '../../../src/adapters/out/memory/payments/memory-status-poll-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { MemoryTimeShiftRepository } from '../../../src/adapters/out/memory/deliveries/memory-time-shift-repository';
import { PostgresDeliveryRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-repository';
import { PostgresDeliveryQueue } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-queue';
import { PostgresEventOutboxStore } from '../../../src/adapters/out/postgres/deliveries/postgres-event-outbox-store';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresStatusPollRepository } from '../../../src/adapters/out/postgres/payments/postgres-status-poll-repository';
import { PostgresTimeShiftRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-time-shift-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { CountingIds } from '../../support/counting-ids';
import { storePairs } from '../../support/postgres/stored-pairs';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';
import { timeShiftRepositoryContract } from './time-shift-repository.contract';

timeShiftRepositoryContract('memory', async () => {
  const clock = { now: () => Date.now() };
  const ids = new CountingIds();
  const registry = new MemoryRegistry();
  for (const number of ['1', '2']) {
    const [clientId, appId] = [`host_${number}`, `app_${number}`];
    registry.integrations.set(`${clientId}/${appId}`, {
      ...{ id: `int_${number}`, clientId, appId, version: 1, settings: defaultIntegrationSettings },
    });
  }
  const payments = new MemoryOrderPaymentRepository(clock);
  const deliveries = new MemoryDeliveries({ clock, ids, registry, completions: payments.pending });
  const polls = new MemoryStatusPollRepository({ clock, ids, payments });
  return {
    ...{ queue: deliveries, outbox: deliveries, repository: deliveries, payments, polls, now: () => clock.now() },
    timeShift: new MemoryTimeShiftRepository({ registry, deliveries, payments, polls, clock }),
    audited: async () => registry.audit,
  };
});

onEachDatabase((name, database) => {
  timeShiftRepositoryContract(name, async () => {
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
      outbox: new PostgresEventOutboxStore({ db, box, index }),
      repository: new PostgresDeliveryRepository(db),
      payments: new PostgresOrderPaymentRepository({ db, box, index }),
      polls: new PostgresStatusPollRepository(db),
      timeShift: new PostgresTimeShiftRepository(db),
      now: () => Date.now(),
      audited: () => db.query('select action, subject from audit_log order by id'),
    };
  });
});

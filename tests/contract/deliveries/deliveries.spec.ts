import { MemoryDeliveries } from '../../../src/adapters/out/memory/deliveries/memory-deliveries';
import { MemoryEndpointQueueRepository } from '../../../src/adapters/out/memory/deliveries/memory-endpoint-queue-repository';
import { MemoryDeliveryPayloadReader } from '../../../src/adapters/out/memory/deliveries/memory-delivery-payload-reader';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { MemoryResendRepository } from '../../../src/adapters/out/memory/deliveries/memory-resend-repository';
import { PostgresDeliveryRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-repository';
import { PostgresDeliveryQueue } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-queue';
import { PostgresEventOutboxStore } from '../../../src/adapters/out/postgres/deliveries/postgres-event-outbox-store';
import { PostgresEndpointQueueRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-endpoint-queue-repository';
import { PostgresOrderPaymentRepository } from '../../../src/adapters/out/postgres/payments/postgres-order-payment-repository';
import { PostgresDeliveryPayloadReader } from '../../../src/adapters/out/postgres/deliveries/postgres-delivery-payload-reader';
import { PostgresResendRepository } from '../../../src/adapters/out/postgres/deliveries/postgres-resend-repository';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { settle, type PendingCompletion } from '../../../src/domain/payments/order-payment';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aPendingCompletion, anOutboxEvent, claimOf, datedOutbox, setPendingSince } from '../../support/outbox-events';
import { storePairs } from '../../support/postgres/stored-pairs';
import { testBox } from '../../support/postgres/test-box';
import { deliveryRepositoryContract } from './delivery-repository.contract';
import { deliveryQueueContract } from './delivery-queue.contract';
import { onEachDatabase, onSecondSource } from '../each-database';
import { anIntent } from '../payments/payment-harness';
import { endpointQueueRepositoryContract } from './endpoint-queue-repository.contract';
import { deliveryPayloadReaderContract, type DeliveryPayloadReaderHarness } from './delivery-payload-reader.contract';
import { resendRepositoryContract, type ResendHarness } from './resend-repository.contract';

type Harness = ResendHarness & DeliveryPayloadReaderHarness;

const inMemory = async (): Promise<Harness> => {
  const clock = new ManualClock();
  const registry = new MemoryRegistry();
  registry.integrations.set('host_1/app_1', {
    id: 'int_1',
    clientId: 'host_1',
    appId: 'app_1',
    version: 1,
    settings: defaultIntegrationSettings,
  });
  const completions: PendingCompletion[] = [];
  const deliveries = new MemoryDeliveries({ clock, ids: new CountingIds(), registry, completions });
  return {
    outbox: datedOutbox(deliveries, async (id, at) => void Object.assign(deliveries.pending.find(id)!, { createdAt: at, dueAt: at })),
    ...{ queue: deliveries, repository: deliveries, other: deliveries },
    resends: new MemoryResendRepository({ deliveries, registry, clock }),
    payloads: new MemoryDeliveryPayloadReader({ deliveries, registry }),
    queues: new MemoryEndpointQueueRepository({ deliveries, registry, clock }),
    completes: async (id) => void completions.push(aPendingCompletion(id, clock.now())),
    pass: async (ms) => clock.advance(ms),
    now: () => clock.now(),
    audited: async () => registry.audit,
  };
};
deliveryQueueContract('memory', inMemory);
deliveryRepositoryContract('memory', inMemory);
resendRepositoryContract('memory', inMemory);
deliveryPayloadReaderContract('memory', inMemory);
endpointQueueRepositoryContract('memory', inMemory);

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async (): Promise<Harness> => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const index = await openReferenceIndex(db, box);
    const payments = new PostgresOrderPaymentRepository({ db, box, index });
    await storePairs(db, [{ id: 'int_1', clientId: 'host_1', appId: 'app_1' }]);
    const now = (): number => Date.now();
    return {
      queue: new PostgresDeliveryQueue({ db, box }),
      other: new PostgresDeliveryQueue({ db: second(), box }),
      outbox: datedOutbox(new PostgresEventOutboxStore({ db, box, index }), setPendingSince(db)),
      repository: new PostgresDeliveryRepository(db),
      resends: new PostgresResendRepository(db),
      payloads: new PostgresDeliveryPayloadReader({ db, box }),
      queues: new PostgresEndpointQueueRepository(db),
      completes: async (id) => {
        const { completion } = aPendingCompletion(id, now());
        const intent = anIntent(id, { at: now() });
        await payments.intend(intent);
        await payments.open(intent, completion.orderPaymentId);
        await payments.settle({ integrationId: 'int_1', orderPaymentId: completion.orderPaymentId }, (payment) =>
          settle(payment, completion),
        );
      },
      pass: async (ms) => {
        // Time passes for the rows: all that is due or leased becomes so much earlier.
        const earlier = (column: string): string => `${column} = ${column} - $1 * interval '1 ms'`;
        await db.query(
          `update deliveries set ${['due_at', 'created_at', 'resent_at', 'lease_until', 'resume_at', 'attempted_at'].map(earlier).join(', ')}`,
          [ms],
        );
        await db.query(`update resends set ${earlier('fed_at')}`, [ms]);
        await db.query(`update endpoint_queues set ${['probe_at', 'recovering_since', 'since'].map(earlier).join(', ')}`, [ms]);
      },
      now,
      audited: () => db.query('select action, subject from audit_log order by id'),
    };
  };
  deliveryQueueContract(name, inDatabase);
  deliveryRepositoryContract(name, inDatabase);
  resendRepositoryContract(name, inDatabase);
  deliveryPayloadReaderContract(name, inDatabase);
  endpointQueueRepositoryContract(name, inDatabase);

  it('holds nothing of an event that a dump would show', async () => {
    const { outbox } = await inDatabase();
    await outbox.add(anOutboxEvent('ev_1', { orderingKey: 'canary-key', requestId: 'canary-request' }));
    const rows: { shown: string }[] = await database().db.query('select t::text as shown from deliveries t');
    for (const word of ['canary', 'host_abc', 'event_type']) {
      expect(JSON.stringify(rows)).not.toContain(word);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(word).toString('hex'));
    }
  });

  it('parks what it cannot read, and hands out the others', async () => {
    const { queue, outbox, repository, now } = await inDatabase();
    for (const id of ['ev_1', 'ev_2']) await outbox.add(anOutboxEvent(id, { at: now() }));
    await database().db.query(`update deliveries set body = '\\x00' where id = 'ev_1'`);
    expect((await queue.claimDue(claimOf(10))).map(({ id }) => id)).toEqual(['ev_2']);
    expect(await repository.find('ev_1')).toMatchObject({ state: 'parked', parkedBy: 'DATA_INTEGRITY_ERROR', attemptCount: 0 });
  });

  it('keeps the order of a key, however many are queued at once', async () => {
    const { outbox, queue, now } = await inDatabase();
    const pending: string[] = [];
    const sender = async (number: number): Promise<void> => {
      for (let i = 0; i < 10; i++) {
        const id = `ev_${String(number)}_${String(i)}`;
        await outbox.add(anOutboxEvent(id, { at: now(), orderingKey: 'k' }));
        pending.push(id);
      }
    };
    await Promise.all([1, 2, 3, 4].map(sender));
    const received: string[] = [];
    for (let due = await queue.claimDue(claimOf(5)); due.length > 0; due = await queue.claimDue(claimOf(5))) {
      expect(due).toHaveLength(1);
      received.push(due[0]!.id);
      await queue.delivered(due[0]!, { reason: 'schedule', at: now(), ms: 1, status: 200 });
    }
    expect(received).toHaveLength(40);
    for (const number of [1, 2, 3, 4]) {
      const ofSender = (ids: string[]) => ids.filter((id) => id.startsWith(`ev_${String(number)}_`));
      expect(ofSender(received)).toEqual(ofSender(pending));
    }
  });
});

import { MemoryDeliveries } from '../../src/adapters/out/memory/memory-deliveries';
import { MemoryLaneBook } from '../../src/adapters/out/memory/memory-lane-book';
import { MemoryOwedVault } from '../../src/adapters/out/memory/memory-owed-vault';
import { MemoryRegistry } from '../../src/adapters/out/memory/memory-registry';
import { MemoryResends } from '../../src/adapters/out/memory/memory-resends';
import { PostgresDeliveryBook } from '../../src/adapters/out/postgres/postgres-delivery-book';
import { PostgresDeliveryQueue } from '../../src/adapters/out/postgres/postgres-delivery-queue';
import { PostgresEventOutbox } from '../../src/adapters/out/postgres/postgres-event-outbox';
import { PostgresLaneBook } from '../../src/adapters/out/postgres/postgres-lane-book';
import { PostgresOrderPaymentRepository } from '../../src/adapters/out/postgres/postgres-order-payment-repository';
import { PostgresOwedVault } from '../../src/adapters/out/postgres/postgres-owed-vault';
import { PostgresResendBook } from '../../src/adapters/out/postgres/postgres-resend-book';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { defaultIntegrationSettings } from '../../src/domain/partners/integration';
import { settle, type OwedCompletion } from '../../src/domain/payments/order-payment';
import { CountingIds } from '../support/counting-ids';
import { ManualClock } from '../support/manual-clock';
import { anOwedCompletion, anOwedEvent, claimOf, datedOutbox, setOwedAt } from '../support/owed';
import { storePairs } from '../support/stored-pairs';
import { testBox } from '../support/test-box';
import { deliveryBookContract } from './delivery-book.contract';
import { deliveryQueueContract } from './delivery-queue.contract';
import { onEachDatabase, onSecondSource } from './each-database';
import { anIntent } from './payment-harness';
import { laneBookContract } from './lane-book.contract';
import { owedVaultContract, type OwedVaultHarness } from './owed-vault.contract';
import { resendBookContract, type ResendHarness } from './resend-book.contract';

type Harness = ResendHarness & OwedVaultHarness;

const inMemory = async (): Promise<Harness> => {
  const clock = new ManualClock();
  const registry = new MemoryRegistry();
  registry.agreements.set('host_1/app_1', {
    id: 'int_1',
    clientId: 'host_1',
    appId: 'app_1',
    version: 1,
    settings: defaultIntegrationSettings,
  });
  const completions: OwedCompletion[] = [];
  const deliveries = new MemoryDeliveries({ clock, ids: new CountingIds(), registry, completions });
  return {
    outbox: datedOutbox(deliveries, async (id, at) => void Object.assign(deliveries.owed.find(id)!, { createdAt: at, dueAt: at })),
    ...{ queue: deliveries, book: deliveries, other: deliveries },
    resends: new MemoryResends({ deliveries, registry, clock }),
    vault: new MemoryOwedVault({ deliveries, registry }),
    lanes: new MemoryLaneBook({ deliveries, registry, clock }),
    completes: async (id) => void completions.push(anOwedCompletion(id, clock.now())),
    pass: async (ms) => clock.advance(ms),
    now: () => clock.now(),
    audited: async () => registry.audit,
  };
};
deliveryQueueContract('memory', inMemory);
deliveryBookContract('memory', inMemory);
resendBookContract('memory', inMemory);
owedVaultContract('memory', inMemory);
laneBookContract('memory', inMemory);

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
      outbox: datedOutbox(new PostgresEventOutbox({ db, box, index }), setOwedAt(db)),
      book: new PostgresDeliveryBook(db),
      resends: new PostgresResendBook(db),
      vault: new PostgresOwedVault({ db, box }),
      lanes: new PostgresLaneBook(db),
      completes: async (id) => {
        const { completion } = anOwedCompletion(id, now());
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
        await db.query(`update delivery_lanes set ${['look_at', 'released_at', 'since'].map(earlier).join(', ')}`, [ms]);
      },
      now,
      audited: () => db.query('select action, subject from audit_log order by id'),
    };
  };
  deliveryQueueContract(name, inDatabase);
  deliveryBookContract(name, inDatabase);
  resendBookContract(name, inDatabase);
  owedVaultContract(name, inDatabase);
  laneBookContract(name, inDatabase);

  it('holds nothing of an event that a dump would show', async () => {
    const { outbox } = await inDatabase();
    await outbox.owe(anOwedEvent('ev_1', { orderingKey: 'canary-key', requestId: 'canary-request' }));
    const rows: { shown: string }[] = await database().db.query('select t::text as shown from deliveries t');
    for (const word of ['canary', 'host_abc', 'event_type']) {
      expect(JSON.stringify(rows)).not.toContain(word);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(word).toString('hex'));
    }
  });

  it('parks what it cannot read, and hands out the others', async () => {
    const { queue, outbox, book, now } = await inDatabase();
    for (const id of ['ev_1', 'ev_2']) await outbox.owe(anOwedEvent(id, { at: now() }));
    await database().db.query(`update deliveries set body = '\\x00' where id = 'ev_1'`);
    expect((await queue.claimDue(claimOf(10))).map(({ id }) => id)).toEqual(['ev_2']);
    expect(await book.find('ev_1')).toMatchObject({ state: 'parked', parkedBy: 'DATA_INTEGRITY_ERROR', attemptCount: 0 });
  });

  it('keeps the order of a key, however many owe at once', async () => {
    const { outbox, queue, now } = await inDatabase();
    const owed: string[] = [];
    const sender = async (number: number): Promise<void> => {
      for (let i = 0; i < 10; i++) {
        const id = `ev_${String(number)}_${String(i)}`;
        await outbox.owe(anOwedEvent(id, { at: now(), orderingKey: 'k' }));
        owed.push(id);
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
      expect(ofSender(received)).toEqual(ofSender(owed));
    }
  });
});

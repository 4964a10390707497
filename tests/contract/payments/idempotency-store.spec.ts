import { randomUUID } from 'node:crypto';
import { MemoryIdempotencyStore } from '../../../src/adapters/out/memory/payments/memory-idempotency-store';
import { PostgresIdempotencyStore } from '../../../src/adapters/out/postgres/payments/postgres-idempotency-store';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase, onSecondSource } from '../each-database';
import { idempotencyStoreContract } from './idempotency-store.contract';

idempotencyStoreContract('memory', async () => {
  let ahead = 0;
  const store = new MemoryIdempotencyStore({ clock: { now: () => Date.now() + ahead }, ids: { next: randomUUID } });
  const hours = (many: number) => async () => {
    ahead += many * 3_600_000;
  };
  return { store, other: store, expireLeases: hours(1), expireAll: hours(24) };
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const deps = { db, box: testBox(), index: await openReferenceIndex(db, testBox()) };
    return {
      store: new PostgresIdempotencyStore(deps),
      other: new PostgresIdempotencyStore({ ...deps, db: second() }),
      expireLeases: async () => {
        await db.query(`update idempotent_calls set lease_until = now() - interval '1 s'`);
      },
      expireAll: async () => {
        await db.query(`update idempotent_calls set expires_at = expires_at - interval '24 h'`);
      },
    };
  };
  idempotencyStoreContract(name, inDatabase);

  it('keeps neither name, body nor answer readable', async () => {
    const { store } = await inDatabase();
    const call = { caller: 'canary-caller', integrationId: 'int_1', path: '/canary', key: 'canary-key' };
    const found = await store.claim(call, Buffer.from('canary-digest'), 60_000);
    await store.finish(call, 'lease' in found ? found.lease : '', { status: 200, body: Buffer.from('canary-answer') });
    const rows: { shown: string }[] = await database().db.query('select t::text as shown from idempotent_calls t');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.shown).not.toContain('canary');
    expect(rows[0]!.shown).not.toContain(Buffer.from('canary').toString('hex'));
  });
});

import { randomUUID } from 'node:crypto';
import { MemorySharedTaskStore } from '../../../src/adapters/out/memory/sso/memory-shared-task-store';
import { PostgresSharedTaskStore } from '../../../src/adapters/out/postgres/sso/postgres-shared-task-store';
import { openReferenceIndex } from '../../../src/adapters/out/postgres/sealing/reference-index';
import { Secret } from '../../../src/domain/shared/secret';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase, onSecondSource } from '../each-database';
import { sharedTaskStoreContract } from './shared-task-store.contract';

sharedTaskStoreContract('memory', async () => {
  let ahead = 0;
  const store = new MemorySharedTaskStore({ clock: { now: () => Date.now() + ahead }, ids: { next: randomUUID } });
  return {
    store,
    other: store,
    expireAll: async () => {
      ahead += 3_600_000;
    },
  };
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const index = await openReferenceIndex(db, box);
    return {
      store: new PostgresSharedTaskStore({ db, box, index }),
      other: new PostgresSharedTaskStore({ db: second(), box: testBox(), index: await openReferenceIndex(second(), testBox()) }),
      expireAll: async () => {
        await db.query(`update shared_tasks set lease_until = now() - interval '1 s', expires_at = now() - interval '1 s'`);
      },
    };
  };
  sharedTaskStoreContract(name, inDatabase);

  it('keeps neither the key nor the value readable', async () => {
    const { store } = await inDatabase();
    const key = { purpose: 'auth-code', key: 'canary-code' } as const;
    const found = await store.claim(key, 60_000);
    await store.complete(key, 'lease' in found ? found.lease : '', new Secret('canary-token'), 60_000);
    const rows: { shown: string }[] = await database().db.query('select t::text as shown from shared_tasks t');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.shown).not.toContain('canary');
    expect(rows[0]!.shown).not.toContain(Buffer.from('canary').toString('hex'));
  });
});

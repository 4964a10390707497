import type { Pool } from 'pg';
import { MemoryNonceRepository } from '../../../src/adapters/out/memory/credentials/memory-nonce-repository';
import { PostgresNonceRepository } from '../../../src/adapters/out/postgres/credentials/postgres-nonce-repository';
import { CollectingLog } from '../../support/collecting-log';
import { openTestDatabase, mainDatabaseKind } from '../../support/postgres/database';
import { onEachDatabase } from '../each-database';
import { nonceRepositoryContract } from './nonce-repository.contract';

nonceRepositoryContract('memory', async () => {
  const repository = new MemoryNonceRepository();
  return { repository, other: repository };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const log = new CollectingLog();
    return { repository: new PostgresNonceRepository({ db, log }), other: new PostgresNonceRepository({ db, log }) };
  };
  nonceRepositoryContract(name, inDatabase);

  it('removes nonces that expired ten minutes ago, and no other', async () => {
    const { repository } = await inDatabase();
    const now = Date.now();
    for (const [nonce, expired] of Object.entries({ held: -60_000, lately: 540_000, long: 660_000, longer: 86_400_000 })) {
      await repository.use({ partner: 'miniapp:app_1', nonce }, now - 86_400_000, now - expired);
    }
    expect(await repository.prune()).toBe(2);
    expect(await database().db.query('select nonce from used_nonces order by nonce')).toEqual([{ nonce: 'held' }, { nonce: 'lately' }]);
  });
});

describe('MemoryNonceRepository', () => {
  it('holds no more than what has not expired', async () => {
    const repository = new MemoryNonceRepository();
    for (let i = 0; i < 10_000; i++) await repository.use({ partner: 'miniapp:app_1', nonce: `nonce-${String(i)}` }, i, i + 100);
    expect(repository.size).toBe(101);
  });
});

it('refuses while the database is away, and counts it', async () => {
  const database = await openTestDatabase(mainDatabaseKind);
  const log = new CollectingLog();
  const repository = new PostgresNonceRepository({ db: database.db, log });
  // Ended under the data source, which goes on to believe that it is open.
  await (database.db.driver as unknown as { master: Pool }).master.end();
  for (let i = 0; i < 2; i++) {
    const attempt = repository.use({ partner: 'miniapp:app_1', nonce: 'abcdefghijklmnop' }, 0, 600_000);
    await expect(attempt).rejects.toMatchObject({ kind: 'unavailable', code: 'SERVICE_UNAVAILABLE' });
  }
  expect(log.of('nonce-ledger-away')).toEqual([{ refused: 1 }, { refused: 2 }]);
  await database.close().catch(() => undefined);
});

import type { Pool } from 'pg';
import { MemoryNonceLedger } from '../../src/adapters/out/memory/memory-nonce-ledger';
import { PostgresNonceLedger } from '../../src/adapters/out/postgres/postgres-nonce-ledger';
import { CollectingLog } from '../support/collecting-log';
import { openTestDatabase, mainDatabaseKind } from '../support/database';
import { onEachDatabase } from './each-database';
import { nonceLedgerContract } from './nonce-ledger.contract';

nonceLedgerContract('memory', async () => {
  const ledger = new MemoryNonceLedger();
  return { ledger, other: ledger };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const log = new CollectingLog();
    return { ledger: new PostgresNonceLedger({ db, log }), other: new PostgresNonceLedger({ db, log }) };
  };
  nonceLedgerContract(name, inDatabase);

  it('removes nonces that expired ten minutes ago, and no other', async () => {
    const { ledger } = await inDatabase();
    const now = Date.now();
    for (const [nonce, expired] of Object.entries({ held: -60_000, lately: 540_000, long: 660_000, longer: 86_400_000 })) {
      await ledger.use({ partner: 'miniapp:app_1', nonce }, now - 86_400_000, now - expired);
    }
    expect(await ledger.prune()).toBe(2);
    expect(await database().db.query('select nonce from used_nonces order by nonce')).toEqual([{ nonce: 'held' }, { nonce: 'lately' }]);
  });
});

describe('MemoryNonceLedger', () => {
  it('holds no more than what has not expired', async () => {
    const ledger = new MemoryNonceLedger();
    for (let i = 0; i < 10_000; i++) await ledger.use({ partner: 'miniapp:app_1', nonce: `nonce-${String(i)}` }, i, i + 100);
    expect(ledger.size).toBe(101);
  });
});

it('refuses while the database is away, and counts it', async () => {
  const database = await openTestDatabase(mainDatabaseKind);
  const log = new CollectingLog();
  const ledger = new PostgresNonceLedger({ db: database.db, log });
  // Ended under the data source, which goes on to believe that it is open.
  await (database.db.driver as unknown as { master: Pool }).master.end();
  for (let i = 0; i < 2; i++) {
    const attempt = ledger.use({ partner: 'miniapp:app_1', nonce: 'abcdefghijklmnop' }, 0, 600_000);
    await expect(attempt).rejects.toMatchObject({ kind: 'unavailable', code: 'SERVICE_UNAVAILABLE' });
  }
  expect(log.of('nonce-ledger-away')).toEqual([{ refused: 1 }, { refused: 2 }]);
  await database.close().catch(() => undefined);
});

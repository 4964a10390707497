import type { Pool } from 'pg';
import { MemoryRefusedRequestRepository } from '../../../src/adapters/out/memory/credentials/memory-refused-request-repository';
import { PostgresRefusedRequestRepository } from '../../../src/adapters/out/postgres/credentials/postgres-refused-request-repository';
import { keptForMs } from '../../../src/domain/credentials/explain/kept-parts';
import { CollectingLog } from '../../support/collecting-log';
import { mainDatabaseKind, openTestDatabase } from '../../support/postgres/database';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';
import { aRefusal, refusedRequestRepositoryContract } from './refused-request-repository.contract';

refusedRequestRepositoryContract('memory', async () => ({ refused: new MemoryRefusedRequestRepository(), settle: async () => undefined }));

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const refused = new PostgresRefusedRequestRepository({ db, box: testBox(), log: new CollectingLog() });
    return { refused, settle: () => refused.flush() };
  };
  refusedRequestRepositoryContract(name, inDatabase);

  it('stores only ciphertext, and prunes expired rows', async () => {
    const { refused, settle } = await inDatabase();
    const now = Date.now();
    refused.keep(aRefusal('held', { receivedAt: now }), 'X-Signature');
    refused.keep(aRefusal('over', { receivedAt: now - keptForMs - 1000 }), 'X-Signature');
    await settle();
    const rows: { sealed: Buffer }[] = await database().db.query('select sealed from refused_requests');
    expect(rows).toHaveLength(2);
    expect(rows.some(({ sealed }) => sealed.toString('latin1').includes('orders'))).toBe(false);
    expect(await refused.prune()).toBe(1);
    expect(await database().db.query('select exchange_id from refused_requests')).toEqual([{ exchange_id: 'held' }]);
  });
});

it('logs the loss while the database is away, and fails no call', async () => {
  const database = await openTestDatabase(mainDatabaseKind);
  const log = new CollectingLog();
  const refused = new PostgresRefusedRequestRepository({ db: database.db, box: testBox(), log });
  // Ended under the data source, which goes on to believe that it is open.
  await (database.db.driver as unknown as { master: Pool }).master.end();
  refused.keep(aRefusal('ex_1'), 'X-Signature');
  await refused.close();
  expect(log.of('refused-requests.lost')).toEqual([expect.objectContaining({ count: 1 })]);
  await database.close().catch(() => undefined);
});

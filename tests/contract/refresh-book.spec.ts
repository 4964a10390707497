import { MemoryRefreshBook } from '../../src/adapters/out/memory/memory-refresh-book';
import { PostgresRefreshBook } from '../../src/adapters/out/postgres/postgres-refresh-book';
import { CollectingLog } from '../support/collecting-log';
import { ManualClock } from '../support/manual-clock';
import { onEachDatabase } from './each-database';
import { refreshBookContract } from './refresh-book.contract';

refreshBookContract('memory', async () => {
  const clock = new ManualClock();
  return { book: new MemoryRefreshBook(clock), clock, written: async () => undefined };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const [clock, log] = [new ManualClock(), new CollectingLog()];
    const book = new PostgresRefreshBook({ db, clock, log });
    return { book, clock, written: () => book.flush() };
  };
  refreshBookContract(name, inDatabase);

  it(`forgets what is older than 31 days: ${name}`, async () => {
    const { book, clock } = await inDatabase();
    const dayMs = 86_400_000;
    clock.advance(Date.now() - 32 * dayMs - clock.now());
    book.refreshed({ clientId: 'host_1', token: 'user', outcome: 'ok' });
    clock.advance(2 * dayMs);
    book.refreshed({ clientId: 'host_1', token: 'user', outcome: 'ok' });
    await book.close();
    expect(await book.prune()).toBe(1);
  });
});

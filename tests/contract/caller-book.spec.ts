import { MemoryCallerBook } from '../../src/adapters/out/memory/memory-caller-book';
import { createDataSource } from '../../src/adapters/out/postgres/data-source';
import { PostgresCallerBook } from '../../src/adapters/out/postgres/postgres-caller-book';
import { CollectingLog } from '../support/collecting-log';
import { ManualClock } from '../support/manual-clock';
import { callerBookContract } from './caller-book.contract';
import { onEachDatabase } from './each-database';

callerBookContract('memory', async () => {
  const clock = new ManualClock();
  return { book: new MemoryCallerBook(clock), clock, written: async () => undefined };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const [clock, log] = [new ManualClock(), new CollectingLog()];
    const book = new PostgresCallerBook({ db, clock, log });
    return { book, clock, log, written: () => book.flush() };
  };
  callerBookContract(name, inDatabase);

  describe(`PostgresCallerBook: ${name}`, () => {
    const partner = { kind: 'host-app', id: 'host_1' } as const;
    const call = { partner, address: '192.0.2.1', outcome: 'admitted', requestId: 'r' } as const;

    it('adds to what another instance has counted', async () => {
      const { book, clock, log } = await inDatabase();
      const other = new PostgresCallerBook({ db: database().db, clock, log });
      book.called(call);
      other.called(call);
      await book.close();
      await other.close();
      expect(await book.addresses(partner, 0)).toMatchObject([{ admitted: 2 }]);
    });

    it('waits for a database that is away, and loses no count', async () => {
      const { clock, log } = await inDatabase();
      const away = await createDataSource(database().target).initialize();
      const book = new PostgresCallerBook({ db: away, clock, log });
      book.called(call);
      await away.destroy();
      await book.flush();
      book.called(call);
      await book.close();
      expect(log.of('callers.delayed')).toMatchObject([{ count: 1 }, { count: 1 }]);
    });

    it('forgets what is older than 31 days', async () => {
      const { book, clock } = await inDatabase();
      const dayMs = 86_400_000;
      clock.advance(Date.now() - 32 * dayMs - clock.now());
      book.called(call);
      clock.advance(2 * dayMs);
      book.called(call);
      await book.flush();
      expect(await book.prune()).toBe(1);
      expect(await book.addresses(partner, 0)).toMatchObject([{ admitted: 1 }]);
    });
  });
});

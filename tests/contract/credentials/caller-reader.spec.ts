import { MemoryCallerRepository } from '../../../src/adapters/out/memory/credentials/memory-caller-repository';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { PostgresCallerRepository } from '../../../src/adapters/out/postgres/credentials/postgres-caller-repository';
import { CollectingLog } from '../../support/collecting-log';
import { ManualClock } from '../../support/manual-clock';
import { callerReaderContract } from './caller-reader.contract';
import { onEachDatabase } from '../each-database';

callerReaderContract('memory', async () => {
  const clock = new ManualClock();
  return { repository: new MemoryCallerRepository(clock), clock, written: async () => undefined };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const [clock, log] = [new ManualClock(), new CollectingLog()];
    const repository = new PostgresCallerRepository({ db, clock, log });
    return { repository, clock, log, written: () => repository.flush() };
  };
  callerReaderContract(name, inDatabase);

  describe(`PostgresCallerRepository: ${name}`, () => {
    const partner = { kind: 'host-app', id: 'host_1' } as const;
    const call = { partner, address: '192.0.2.1', outcome: 'admitted', requestId: 'r' } as const;

    it('adds to what another instance has counted', async () => {
      const { repository, clock, log } = await inDatabase();
      const other = new PostgresCallerRepository({ db: database().db, clock, log });
      repository.called(call);
      other.called(call);
      await repository.close();
      await other.close();
      expect(await repository.addresses(partner, 0)).toMatchObject([{ admitted: 2 }]);
    });

    it('waits for a database that is away, and loses no count', async () => {
      const { clock, log } = await inDatabase();
      const away = await createDataSource(database().target).initialize();
      const repository = new PostgresCallerRepository({ db: away, clock, log });
      repository.called(call);
      await away.destroy();
      await repository.flush();
      repository.called(call);
      await repository.close();
      expect(log.of('callers.delayed')).toMatchObject([{ count: 1 }, { count: 1 }]);
    });

    it('removes rows older than 31 days', async () => {
      const { repository, clock } = await inDatabase();
      const dayMs = 86_400_000;
      clock.advance(Date.now() - 32 * dayMs - clock.now());
      repository.called(call);
      clock.advance(2 * dayMs);
      repository.called(call);
      await repository.flush();
      expect(await repository.prune()).toBe(1);
      expect(await repository.addresses(partner, 0)).toMatchObject([{ admitted: 1 }]);
    });
  });
});

import { MemoryDryRunRepository } from '../../../src/adapters/out/memory/credentials/memory-dry-run-repository';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { PostgresDryRunRepository } from '../../../src/adapters/out/postgres/credentials/postgres-dry-run-repository';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { onEachDatabase } from '../each-database';
import { aTriedCall, dryRunReaderContract } from './dry-run-reader.contract';

dryRunReaderContract('memory', async () => ({ repository: new MemoryDryRunRepository(), written: async () => undefined }));

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const [log, ids] = [new CollectingLog(), new CountingIds()];
    const repository = new PostgresDryRunRepository({ db, ids, log });
    return { repository, log, ids, written: () => repository.flush() };
  };
  dryRunReaderContract(name, inDatabase);

  describe(`PostgresDryRunRepository: ${name}`, () => {
    const key = { partner: { kind: 'host-app', id: 'host_1' }, dryRunId: 'dry_run_1' } as const;

    it('adds to what another instance has counted', async () => {
      const { repository, log, ids } = await inDatabase();
      const other = new PostgresDryRunRepository({ db: database().db, ids, log });
      repository.tried(key, aTriedCall(1));
      other.tried(key, aTriedCall(2));
      await repository.close();
      await other.close();
      expect(await repository.counts(key)).toMatchObject([{ count: 2 }]);
    });

    it('waits for a database that is away, and loses no count', async () => {
      const { repository: later, log, ids } = await inDatabase();
      const away = await createDataSource(database().target).initialize();
      const repository = new PostgresDryRunRepository({ db: away, ids, log });
      repository.tried(key, aTriedCall(1));
      await away.destroy();
      await repository.flush();
      repository.tried(key, aTriedCall(2));
      await repository.close();
      expect(log.of('dry-runs.delayed')).toMatchObject([{ count: 1 }, { count: 1 }]);
      expect(await later.counts(key)).toEqual([]);
    });

    it('removes rows older than 31 days', async () => {
      const { repository } = await inDatabase();
      const at = Date.now() - 32 * 86_400_000;
      repository.tried(key, aTriedCall(1, { at }));
      repository.tried(key, aTriedCall(2, { at: at + 2 * 86_400_000, verdict: 'gained' }));
      await repository.flush();
      expect(await repository.prune()).toBe(2);
      expect(await repository.counts(key)).toMatchObject([{ verdict: 'gained', count: 1 }]);
    });
  });
});

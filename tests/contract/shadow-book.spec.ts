import { MemoryShadowBook } from '../../src/adapters/out/memory/memory-shadow-book';
import { createDataSource } from '../../src/adapters/out/postgres/data-source';
import { PostgresShadowBook } from '../../src/adapters/out/postgres/postgres-shadow-book';
import { CollectingLog } from '../support/collecting-log';
import { CountingIds } from '../support/counting-ids';
import { onEachDatabase } from './each-database';
import { aTriedCall, shadowBookContract } from './shadow-book.contract';

shadowBookContract('memory', async () => ({ book: new MemoryShadowBook(), written: async () => undefined }));

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const [log, ids] = [new CollectingLog(), new CountingIds()];
    const book = new PostgresShadowBook({ db, ids, log });
    return { book, log, ids, written: () => book.flush() };
  };
  shadowBookContract(name, inDatabase);

  describe(`PostgresShadowBook: ${name}`, () => {
    const key = { partner: { kind: 'host-app', id: 'host_1' }, shadowId: 'shadow_1' } as const;

    it('adds to what another instance has counted', async () => {
      const { book, log, ids } = await inDatabase();
      const other = new PostgresShadowBook({ db: database().db, ids, log });
      book.tried(key, aTriedCall(1));
      other.tried(key, aTriedCall(2));
      await book.close();
      await other.close();
      expect(await book.counts(key)).toMatchObject([{ count: 2 }]);
    });

    it('waits for a database that is away, and loses no count', async () => {
      const { book: later, log, ids } = await inDatabase();
      const away = await createDataSource(database().target).initialize();
      const book = new PostgresShadowBook({ db: away, ids, log });
      book.tried(key, aTriedCall(1));
      await away.destroy();
      await book.flush();
      book.tried(key, aTriedCall(2));
      await book.close();
      expect(log.of('shadows.delayed')).toMatchObject([{ count: 1 }, { count: 1 }]);
      expect(await later.counts(key)).toEqual([]);
    });

    it('forgets what is older than 31 days', async () => {
      const { book } = await inDatabase();
      const at = Date.now() - 32 * 86_400_000;
      book.tried(key, aTriedCall(1, { at }));
      book.tried(key, aTriedCall(2, { at: at + 2 * 86_400_000, verdict: 'gained' }));
      await book.flush();
      expect(await book.prune()).toBe(2);
      expect(await book.counts(key)).toMatchObject([{ verdict: 'gained', count: 1 }]);
    });
  });
});

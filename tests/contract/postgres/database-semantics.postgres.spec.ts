import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { migrate } from '../../../src/adapters/out/postgres/connection/migrate';
import { DatabaseNotOpened, openDatabase } from '../../../src/adapters/out/postgres/connection/open-database';
import { onConnection, run, runIn, transaction } from '../../../src/adapters/out/postgres/connection/statement';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { openDatabaseProxy } from '../../support/postgres/database-proxy';

const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const one = { name: 'test.one', text: 'select 1 as one' };
const away = { kind: 'unavailable', code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-away' } };

/** What only a server can do to us. */
describeOnPostgres('a Postgres server', () => {
  let test: TestDatabase;
  let url: string;

  beforeAll(async () => {
    test = await openTestDatabase('postgres');
    if (test.target.kind === 'postgres') url = test.target.url;
  }, 30_000);
  afterAll(() => test.close());

  it('may close an idle connection: the next statement gets another one', async () => {
    const lost: Error[] = [];
    const db = await createDataSource({ kind: 'postgres', url, poolSize: 1 }, (error) => lost.push(error)).initialize();
    try {
      const [{ pid }] = await db.query('select pg_backend_pid() as pid');
      await test.db.query('select pg_terminate_backend($1)', [pid]);
      await until(() => lost.length > 0);
      expect(await run(db, one, [])).toEqual([{ one: 1 }]);
      expect(lost).toHaveLength(1);
    } finally {
      await db.destroy();
    }
  });

  it('may close a connection inside a transaction: nothing is stored, and the pool recovers', async () => {
    await test.db.query('create table if not exists half (id int)');
    const db = await createDataSource({ kind: 'postgres', url, poolSize: 1 }).initialize();
    try {
      const cut = transaction(db, async (manager) => {
        await manager.query('insert into half values (1)');
        const [{ pid }] = await manager.query('select pg_backend_pid() as pid');
        await test.db.query('select pg_terminate_backend($1)', [pid]);
        await until(() => manager.queryRunner?.isReleased === true);
        await runIn(manager, { name: 'test.half', text: 'insert into half values (2)' }, []);
      });
      await expect(cut).rejects.toMatchObject(away);
      expect(await run(db, { name: 'test.halves', text: 'select * from half' }, [])).toEqual([]);
    } finally {
      await db.destroy();
    }
  });

  it.each<[string, (db: DataSource) => Promise<unknown>]>([
    ['with a name', (db) => run(db, { name: 'test.sleep', text: 'select pg_sleep(4)' }, [])],
    ['of TypeORM', (db) => onConnection(db, (manager) => manager.query('select pg_sleep(4)'))],
  ])('may close a connection during a statement %s: the database counts as away', async (_what, sleep) => {
    const db = await createDataSource({ kind: 'postgres', url, poolSize: 1 }).initialize();
    try {
      const [{ pid }] = await db.query('select pg_backend_pid() as pid');
      const cut = expect(sleep(db)).rejects.toMatchObject(away);
      await until(
        async () => (await test.db.query(`select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`, [pid])).length > 0,
      );
      await test.db.query('select pg_terminate_backend($1)', [pid]);
      await cut;
      expect(await run(db, one, [])).toEqual([{ one: 1 }]);
    } finally {
      await db.destroy();
    }
  });

  it('counts as away while it accepts no connections, and recovers', async () => {
    const proxy = await openDatabaseProxy(url, 'pierhead');
    const db = await createDataSource({ kind: 'postgres', url: proxy.url, poolSize: 1 }).initialize();
    try {
      proxy.goAway();
      await expect(transaction(db, () => Promise.resolve())).rejects.toMatchObject(away);
      await expect(transaction(db, () => Promise.resolve())).rejects.toMatchObject(away);
      await expect(run(db, one, [])).rejects.toMatchObject(away);
      proxy.mend();
      expect(await transaction(db, (manager) => runIn(manager, one, []))).toEqual([{ one: 1 }]);
    } finally {
      await db.destroy();
      await proxy.close();
    }
  });

  it('counts as away while it takes no writes, before anything is read from it', async () => {
    const readOnly = `${url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
    await expect(createDataSource({ kind: 'postgres', url: readOnly }).initialize()).rejects.toMatchObject({ code: '25006' });
  });

  it('cancels a statement after five seconds, and keeps the connection', async () => {
    const db = await createDataSource({ kind: 'postgres', url, poolSize: 1 }).initialize();
    try {
      const endless = run(db, { name: 'test.endless', text: 'select pg_sleep(60)' }, []);
      await expect(endless).rejects.toMatchObject({ kind: 'unavailable', details: { cause: 'database-busy' } });
      expect(await run(db, one, [])).toEqual([{ one: 1 }]);
    } finally {
      await db.destroy();
    }
  }, 15_000);

  it('is prepared again after a migration has changed the result of a prepared statement', async () => {
    await test.db.query('create table if not exists changing (id int)');
    const statement = { name: 'test.changing', text: 'select * from changing' };
    const db = await createDataSource({ kind: 'postgres', url, poolSize: 1 }).initialize();
    try {
      await run(db, statement, []);
      await test.db.query('alter table changing alter column id type text');
      await expect(run(db, statement, [])).rejects.toMatchObject(away);
      expect(await run(db, statement, [])).toEqual([]);
    } finally {
      await db.destroy();
    }
  });

  it('is named in the error if it cannot be opened, without the password', async () => {
    const open = (at: string): Promise<unknown> =>
      openDatabase({ url: at, dataDir: '/nonexistent', migrate: false, onFatal: () => undefined });
    await expect(open('postgres://user:hush@127.0.0.1:1/nowhere')).rejects.toThrow(
      /^Cannot open Postgres at 127\.0\.0\.1:1\/nowhere: .*ECONNREFUSED/,
    );
    const missing = new URL('/pierhead_not_there', url).href;
    await expect(open(missing)).rejects.toThrow(/pierhead_not_there.*does not exist/);
    const wrong = await open('host=here password=hush').catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(DatabaseNotOpened);
    expect(String(wrong)).not.toContain('hush');
  });

  it('is opened with its tables up to date', async () => {
    const opened = await openDatabase({ url, dataDir: '/nonexistent', migrate: true, onFatal: () => undefined });
    try {
      expect(opened).toMatchObject({ kind: 'postgres', migrated: [] });
      expect(await run(opened.db, one, [])).toEqual([{ one: 1 }]);
    } finally {
      await opened.close();
    }
  });

  describe('migrated by several instances that start at once', () => {
    class Slow1700000000001 implements MigrationInterface {
      name = 'Slow1700000000001';
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('create table slow (id int primary key)');
        await runner.query('select pg_sleep(0.3)');
      }
      down = (): Promise<void> => Promise.resolve();
    }
    class Concurrent1700000000002 implements MigrationInterface {
      name = 'Concurrent1700000000002';
      transaction = false;
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('create index concurrently slow_by_id on slow (id)');
      }
      down = (): Promise<void> => Promise.resolve();
    }
    const instance = () =>
      createDataSource({ kind: 'postgres', url, poolSize: 1, limits: 'none' })
        .setOptions({ migrations: [Slow1700000000001, Concurrent1700000000002] })
        .initialize();

    it('runs each migration once and without errors, with one connection each', async () => {
      const instances = await Promise.all([instance(), instance(), instance()]);
      try {
        const ran = await Promise.all(instances.map((db) => migrate(db)));
        expect(ran.flat().sort()).toEqual(['Concurrent1700000000002', 'Slow1700000000001']);
        expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
      } finally {
        await Promise.all(instances.map((db) => db.destroy()));
      }
    }, 20_000);

    it('gives up with a reason when another holds on for too long', async () => {
      const [holder, waiter] = await Promise.all([instance(), instance()]);
      try {
        await holder.query(`select pg_advisory_lock(hashtext('pierhead-migrations'))`);
        await expect(migrate(waiter, { maxWaitMs: 150 })).rejects.toThrow('Another instance has been migrating');
        await holder.query(`select pg_advisory_unlock(hashtext('pierhead-migrations'))`);
        expect(await migrate(waiter)).toEqual([]);
      } finally {
        await Promise.all([holder.destroy(), waiter.destroy()]);
      }
    });
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 5000;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('It did not happen within five seconds');
    await pause(10);
  }
}

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/adapters/out/postgres/embedded/embedded-postgres';
import { lockFolder } from '../../../src/adapters/out/postgres/embedded/folder-lock';
import { keepHouse } from '../../../src/adapters/out/postgres/embedded/housekeeping';
import { snapshotFileIn } from '../../../src/adapters/out/postgres/embedded/snapshot';
import { openDatabase } from '../../../src/adapters/out/postgres/connection/open-database';
import { run, transaction } from '../../../src/adapters/out/postgres/connection/statement';
import { builtEmbedded } from '../../support/postgres/embedded-databases';

const one = { name: 'test.one', text: 'select 1 as one' };

/** How the embedded database comes up, goes down, and fails. */
describe('the embedded database', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pierhead-embedded-'));
  });
  afterEach(async () => {
    for (const embedded of running.splice(0)) await embedded.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const running: EmbeddedPostgres[] = [];
  const start = async (): Promise<EmbeddedPostgres> => {
    const embedded = await startEmbeddedPostgres({ folder, builtFolder: builtEmbedded });
    running.push(embedded);
    return embedded;
  };
  const connect = (embedded: EmbeddedPostgres) => createDataSource({ kind: 'embedded', stream: embedded.stream }).initialize();

  it('starts from the snapshot of the build, and from its own folder the next time', async () => {
    const first = await start();
    expect(first.origin).toBe('snapshot');
    const db = await connect(first);
    await db.query('create table kept as select 7 as n');
    await db.destroy();
    await first.close();

    const second = await start();
    expect(second.origin).toBe('kept');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const again = await connect(second);
    expect(await again.query('select n from kept')).toEqual([{ n: 7 }]);
    await again.destroy();
  }, 30_000);

  it('leaves tables from before the first release alone', async () => {
    const embedded = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), builtFolder: builtEmbedded });
    const db = await connect(embedded);
    await db.query('create table migrations (id serial, timestamp bigint, name text)');
    await db.query(`insert into migrations (timestamp, name) values (1767225600000, 'Partners1767225600000')`);
    await db.destroy();
    await embedded.close();
    const opening = openDatabase({ dataDir: folder, builtFolder: builtEmbedded, migrate: true, onFatal: () => undefined });
    await expect(opening).rejects.toThrow('cannot be brought up to date: set DATA_DIR to an empty database');
  }, 60_000);

  it('begins a first start again that was killed half-way', async () => {
    writeFileSync(join(folder, 'setting-up'), '');
    mkdirSync(join(folder, 'pg'));
    writeFileSync(join(folder, 'pg', 'PG_VERSION'), '18\n');
    const embedded = await start();
    expect(embedded.origin).toBe('snapshot');
    expect(existsSync(join(folder, 'setting-up'))).toBe(false);
  }, 30_000);

  it('gives its folder free when it is closed', async () => {
    await (await start()).close();
    await (await lockFolder(folder)).release();
    expect(readdirSync(folder)).toEqual(['pg']);
  }, 30_000);

  it('says so when it cannot start, and gives its folder free', async () => {
    const dataDir = join(folder, 'data');
    const files = join(folder, 'built');
    built(files, `throw new Error('no room for a database');`);
    const opening = openDatabase({ dataDir, builtFolder: files, migrate: false, onFatal: () => undefined });
    await expect(opening).rejects.toThrow(/^Cannot open the embedded database in .*: .*no room for a database/);
    await (await lockFolder(join(dataDir, 'postgres'))).release();
  });

  it('reports a fatal error once when its thread dies', async () => {
    const files = join(folder, 'built');
    built(
      files,
      // The genuine worker, with a thread that dies when a statement with this word in it arrives.
      `const { parentPort } = require('node:worker_threads');
       parentPort.on('message', ({ data }) => { if (data && Buffer.from(data).includes('die now')) process.exit(3); });
       require(${JSON.stringify(join(builtEmbedded, 'pglite-worker.js'))});`,
    );
    const fatal: Error[] = [];
    const opened = await openDatabase({ dataDir: folder, builtFolder: files, migrate: false, onFatal: (error) => fatal.push(error) });
    const away = { code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-away' } };
    const waiting = run(opened.db, { name: 'test.die', text: `select 'die now' as last` }, []);
    await expect(waiting).rejects.toMatchObject(away);
    await expect(run(opened.db, one, [])).rejects.toMatchObject(away);
    await expect(transaction(opened.db, () => Promise.resolve())).rejects.toMatchObject(away);
    expect(fatal.map(({ message }) => message)).toEqual(['The embedded database has stopped: its thread exited with 3']);
    await opened.close();
    await (await lockFolder(join(folder, 'postgres'))).release();
  }, 30_000);

  it('starts every connection without transaction, settings or prepared statements', async () => {
    const embedded = await start();
    const first = await connect(embedded);
    await first.query('create table t (n int)');
    await run(first, one, []);
    await first.query(`set work_mem = '9MB'`);
    const runner = first.createQueryRunner();
    await runner.startTransaction();
    await runner.query('insert into t values (1)');

    const second = await connect(embedded);
    expect(await run(second, one, [])).toEqual([{ one: 1 }]);
    expect(await second.query('select * from t')).toEqual([]);
    expect(await second.query('show work_mem')).not.toEqual([{ work_mem: '9MB' }]);
    await expect(runner.commitTransaction()).rejects.toThrow();
    await second.destroy();
    await first.destroy();
  }, 30_000);

  it('frees dead rows when it keeps house', async () => {
    const embedded = await start();
    const db = await connect(embedded);
    const dead = async (): Promise<number> => {
      await db.query('select pg_stat_force_next_flush()');
      return Number((await db.query(`select n_dead_tup from pg_stat_user_tables where relname = 'busy'`))[0]?.n_dead_tup);
    };
    await db.query('create table busy as select generate_series(1, 3000) as n');
    await db.query('update busy set n = n + 1');
    expect(await dead()).toBe(3000);
    await keepHouse(db);
    expect(await dead()).toBe(0);
    await db.destroy();
  }, 30_000);
});

describe('the lock of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pierhead-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has one owner, and another after it is released', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toMatchObject({ name: 'FolderInUse' });
    await lock.release();
    await (await lockFolder(folder)).release();
  });

  it('holds for a path that is too long for a socket address', async () => {
    const deep = join(folder, 'x'.repeat(100));
    mkdirSync(deep);
    const lock = await lockFolder(deep);
    expect(readdirSync(deep)).toEqual(['owner.sock']);
    await expect(lockFolder(deep)).rejects.toMatchObject({ name: 'FolderInUse' });
    await lock.release();
    expect(readdirSync(deep)).toEqual([]);
  });
});

/** A folder as the build makes it, with another worker. */
function built(files: string, worker: string): void {
  mkdirSync(files);
  const snapshot = snapshotFileIn(builtEmbedded);
  symlinkSync(snapshot, join(files, basename(snapshot)));
  writeFileSync(join(files, 'pglite-worker.js'), worker);
}

import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { databaseKinds } from '../../support/postgres/database';
import { openOwnDatabase, type OwnDatabase } from '../../support/any-database/own-database';

/** What a session has where the database and the role say otherwise. */
const expected: Readonly<Record<string, string>> = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  row_security: 'off',
  client_min_messages: 'warning',
  jit: 'off',
  lock_timeout: '0',
  idle_session_timeout: '0',
  synchronous_commit: 'on',
};

const hostile: Readonly<Record<keyof typeof expected, string>> = {
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  client_encoding: 'LATIN1',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  row_security: 'on',
  client_min_messages: 'error',
  jit: 'on',
  lock_timeout: '1',
  idle_session_timeout: '300',
  synchronous_commit: 'off',
};

(databaseKinds.includes('postgres') ? describe : describe.skip)('a session of the service', () => {
  let database: OwnDatabase;

  beforeAll(async () => {
    database = await openOwnDatabase();
    const settings = Object.entries(hostile);
    await database.asAdmin(...settings.map(([name, value]) => `alter database ${database.name} set ${name} = '${value}'`));
    await database.asAdmin(...settings.map(([name, value]) => `alter role ${database.owner} set ${name} = '${value}'`));
    await database.asAdmin(`alter role ${database.owner} set statement_timeout = '1s'`);
  }, 30_000);
  afterAll(() => database.close());

  const read = async (limits: 'serving' | 'none', names: readonly string[]): Promise<Record<string, string>> => {
    const db = await createDataSource({ kind: 'postgres', url: database.url, poolSize: 1, limits }).initialize();
    const columns = names.map((name) => `current_setting('${name}') as "${name}"`);
    const rows = (await db.query(`select ${columns.join(', ')}`).finally(() => db.destroy())) as Record<string, string>[];
    return rows[0]!;
  };

  it('has the settings that the code needs, whatever the database and role are set to', async () => {
    expect(await read('serving', Object.keys(expected))).toEqual(expected);
  });

  it('cuts statements off while it serves, and never while it migrates', async () => {
    const names = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    expect(Object.values(await read('serving', names))).toEqual(['5s', '10s']);
    expect(Object.values(await read('none', names))).toEqual(['0', '0']);
  });

  it('keeps a commit mode that waits for more than the own disk', async () => {
    await database.asAdmin(`alter role ${database.owner} set synchronous_commit = 'remote_apply'`);
    expect(await read('serving', ['synchronous_commit'])).toEqual({ synchronous_commit: 'remote_apply' });
    await database.asAdmin(`alter role ${database.owner} set synchronous_commit = 'off'`);
  });

  it('is refused if triggers are off, because they protect the audit trail', async () => {
    await database.asAdmin(`alter database ${database.name} set session_replication_role = 'replica'`);
    try {
      const opened = createDataSource({ kind: 'postgres', url: database.url }).initialize();
      await expect(opened).rejects.toThrow('session_replication_role must be origin');
    } finally {
      await database.asAdmin(`alter database ${database.name} reset session_replication_role`);
    }
  });
});

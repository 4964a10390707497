import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSettings } from '../../../src/config/settings';
import { startService } from '../../../src/composition/processes/start-service';
import { openOwnDatabase, type OwnDatabase } from '../../support/any-database/own-database';
import { CollectingLog } from '../../support/collecting-log';
import { databaseKinds } from '../../support/postgres/database';

const keys = (fill: number): string => `k1:${Buffer.alloc(32, fill).toString('base64')}`;
const main = resolve(__dirname, '../../../dist/src/main.js');

/** Why the service does not start; one that starts is stopped, and there is no reason. */
async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
  try {
    const settings = readSettings({
      ...{ OPERATOR_TOKEN: 'operator-token-0123456789', ENCRYPTION_KEYS: keys(7), PORT: '0', SANDBOX: 'off', METRICS_PORT: '0' },
      ...env,
    });
    await (await startService({ settings, log: new CollectingLog(), onFatal: () => undefined })).stop();
    return 'it starts';
  } catch (error) {
    return (error as Error).message;
  }
}

(databaseKinds.includes('postgres') ? describe : describe.skip)('a start that cannot succeed says which setting to change', () => {
  let database: OwnDatabase;
  let folder: string;
  const refused = async (url: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
    refusal({ DATABASE_URL: url, DATA_DIR: join(folder, 'data'), ...env });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pierhead-refusals-'));
    database = await openOwnDatabase();
  }, 30_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.close();
  });

  it('refuses tables from before the first release, with and without migrating', async () => {
    const ofOwner = `set role ${database.owner}`;
    await database.asAdmin(
      ...[ofOwner, 'create table migrations (id serial, timestamp bigint, name text)'],
      `insert into migrations (timestamp, name) values (1767225600000, 'Partners1767225600000')`,
    );
    const reason =
      'from before the first release made the tables (Partners1767225600000), and they cannot be brought up to date: set DATABASE_URL';
    expect(await refused(database.url)).toContain(reason);
    await database.asAdmin(ofOwner, 'create table kept_keys (name text)');
    expect(await refused(database.url, { MIGRATE: 'off' })).toContain(reason);
    await database.asAdmin('drop table migrations, kept_keys');
  });

  it.each([
    ['%', 'postgres://app:100%@host/db'],
    ['#', 'postgres://app:a#b@host/db'],
    ['# after digits', 'postgres://app:12#4@host/db'],
    ['/', 'postgres://app:a/b@host/db'],
    ['/ after digits', 'postgres://app:12/b@host/db'],
    ['?', 'postgres://app:a?b@host/db'],
  ])('B7: a password with %s is to be percent-encoded', async (_what, url) => {
    const output = await refused(url);
    expect(output).toContain('DATABASE_URL holds a character that must be percent-encoded: write % as %25, # as %23, / as %2F');
    expect(output).not.toMatch(/100|12|a.b/);
  });

  it.each([
    ['a name of sslmode that is none', 'postgres://app@host/db?sslmode=required', /an sslmode that is none of disable, allow, prefer/],
    ['a misspelt parameter of TLS', 'postgres://app@host/db?sslmod=require', /no parameter sslmod: TLS is set by/],
    ['verify-ca without an authority', 'postgres://app@host/db?sslmode=verify-ca', /verify-ca in DATABASE_URL needs sslrootcert/],
    [
      'a file that is not there',
      'postgres://app@host/db?sslrootcert=/nowhere.crt',
      /\/nowhere\.crt, which DATABASE_URL names, cannot be read/,
    ],
    [
      'nothing that listens',
      'postgres://app:hush@127.0.0.1:1/db',
      /ECONNREFUSED.* Correct the host and the port in DATABASE_URL, or start/,
    ],
    ['a host that is not known', 'postgres://app@nowhere.invalid/db', /Correct the host|correct (it|the host) in DATABASE_URL/],
    ['no socket', 'postgres://app@/db?host=/nowhere', /\/nowhere \(socket, port 5432\)\/db: .*no socket in that folder/],
  ])('the address: %s', async (_what, url, words) => {
    const output = await refused(url);
    expect(output).toMatch(words);
    expect(output).not.toContain('hush');
  });

  it('the server: an unknown database, a role that is not there', async () => {
    expect(await refused(`${database.url}_gone`)).toMatch(/Run "create database ".*_gone" owner "/);
    expect(await refused(database.urlOf('nobody_there'))).toMatch(/Create the role "nobody_there"/);
  });

  it('a role that may not log in, or not connect to the database', async () => {
    const [sleeper, stranger] = [await database.addRole('sleeper'), await database.addRole('stranger')];
    await database.asAdmin(`alter role ${sleeper} nologin`, `revoke connect on database ${database.name} from public`);
    expect(await refused(database.urlOf(sleeper))).toMatch(
      /not permitted to log in\. Create the role "\w+_sleeper" with the right to log in, .* or set another one in DATABASE_URL/,
    );
    expect(await refused(database.urlOf(stranger))).toContain(
      `Run "grant connect on database "${database.name}" to "${stranger}"", or set another role in DATABASE_URL`,
    );
    await database.asAdmin(`grant connect on database ${database.name} to public`);
  });

  it('a server that is older than the SQL of the service', async () => {
    const role = await database.addRole('backward');
    await database.asAdmin(
      `create schema before authorization ${role}`,
      `create function before.current_setting(name text) returns text language sql as $$
        select case name when 'server_version_num' then '140022' when 'server_version' then '14.22' else pg_catalog.current_setting(name) end $$`,
      `alter role ${role} set search_path = before, pg_catalog, public`,
    );
    expect(await refused(database.urlOf(role))).toMatch(
      /The server is Postgres 14\.22: upgrade it to Postgres 15 or later, or name one in DATABASE_URL$/,
    );
  });

  it('B8: a role without CREATE on the schema has two ways out, and none', async () => {
    const role = await database.addRole('plain');
    const output = await refused(database.urlOf(role));
    expect(output).toContain(
      `The role ${role} may not create tables in the schema public: run "grant usage, create on schema public to ${role}"`,
    );
    expect(output).toContain(
      `"create schema pierhead authorization ${role}" and "alter role ${role} in database ${database.name} set search_path`,
    );
    await database.asAdmin(`alter role ${role} set search_path = nowhere`);
    expect(await refused(database.urlOf(role))).toContain(`No schema of the search path is there for the role ${role}`);
    await database.asAdmin(`create schema pierhead authorization ${role}`, `alter role ${role} set search_path = pierhead`);
    expect(await refused(database.urlOf(role))).toBe('it starts');
  }, 30_000);

  it('the tables: none, or those of another role', async () => {
    const role = await database.addRole('serving');
    expect(await refused(database.url, { MIGRATE: 'off' })).toContain(
      'finds no tables of the service in the schema public: run "pierhead migrate"',
    );
    expect(await refused(database.url)).toBe('it starts');
    expect(await refused(database.urlOf(role), { MIGRATE: 'off' })).toContain('set MIGRATION_DATABASE_URL to the role that owns them');
    const unknown = database.urlOf('nobody_there');
    expect(await refused(unknown, { MIGRATION_DATABASE_URL: database.url })).toContain('Create the role that serves first');
  }, 30_000);

  it('a database that takes no writes, or holds another encoding', async () => {
    await database.asAdmin(`alter database ${database.name} set default_transaction_read_only = on`);
    expect(await refused(database.url)).toMatch(/The server takes no writes\. It is a standby, or default_transaction_read_only is on/);
    await database.asAdmin(
      'set default_transaction_read_only = off',
      `alter database ${database.name} reset default_transaction_read_only`,
    );
    const ascii = await openOwnDatabase(`template template0 encoding 'SQL_ASCII' locale 'C'`);
    try {
      expect(await refused(ascii.url)).toContain(`The database has the encoding SQL_ASCII: use one that was made with`);
    } finally {
      await ascii.close();
    }
  });

  it('the limit of the role, and which numbers make it up', async () => {
    const role = await database.addRole('limited', 'connection limit 0');
    expect(await refused(database.urlOf(role))).toMatch(/too many connections for role.* lower DATABASE_POOL/);
  });

  it('B10: other keys than those of the first start, named with both settings', async () => {
    await refused(database.url);
    const output = await refused(database.url, { ENCRYPTION_KEYS: keys(8) });
    expect(output).toMatch(/sealed under other encryption keys than those of ENCRYPTION_KEYS: set ENCRYPTION_KEYS, or DATA_DIR, to what/);
    expect(await refused(database.url, { ENCRYPTION_KEYS: '' })).toMatch(/than the one in DATA_DIR \(.*data\)/);
  }, 30_000);

  it('B9: DATA_DIR that is a file, or lies in one', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'data')]) {
      expect(await refusal({ DATA_DIR: dataDir })).toBe(
        `DATA_DIR is ${dataDir}, which is a file or lies in one: name a folder that the user of this process may write`,
      );
    }
  });

  it('B9: DATA_DIR that may not be written ends the process with 1 and one line', async () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    // Root may write everywhere, unless it gives that up.
    const giveUp = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
    expect(await endOf({ DATA_DIR: locked }, giveUp)).toEqual([
      1,
      '',
      [`DATA_DIR is ${locked}, which cannot be read and written (EACCES): name a folder that the user of this process may write`],
    ]);
  }, 30_000);

  it('a port that is taken', async () => {
    const other = await listening();
    const { port } = other.address() as AddressInfo;
    expect(await refused(database.url, { HOST: '127.0.0.1', PORT: String(port) })).toBe(
      `The port ${String(port)} of 127.0.0.1 is taken by another process: stop it, or set another PORT (EADDRINUSE)`,
    );
    await new Promise((done) => other.close(done));
  }, 30_000);

  it.each(['1', '2'])(
    'the process ends with 1 and one line, without a stack (WORKERS=%s)',
    async (workers) => {
      const env = { DATABASE_URL: 'postgres://app:hush@127.0.0.1:1/db', DATA_DIR: join(folder, 'own'), WORKERS: workers };
      expect(await endOf(env)).toEqual([1, '', [expect.stringMatching(/^Cannot open Postgres at 127\.0\.0\.1:1\/db: /)]]);
    },
    30_000,
  );
});

/** How a process that cannot start ends: its exit code, its output, and the lines of its errors. `by`: the command that starts it. */
async function endOf(env: Readonly<Record<string, string>>, by: readonly string[] = []): Promise<readonly unknown[]> {
  const [command, ...args] = [...by, process.execPath, main];
  return new Promise((done) => {
    execFile(command, args, { env: { PATH: process.env['PATH'], ...env } }, (error, stdout, stderr) => {
      done([error === null ? 0 : error.code, stdout, stderr.trimEnd().split('\n')]);
    });
  });
}

async function listening(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

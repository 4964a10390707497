import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';
import { PayingLoad } from '../cluster/paying-load';
import { until } from '../../support/service/service';

const endSessions = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'pierhead'`;

/** A database with sessions is not renamed, so its role is kept out meanwhile. */
const renamed = (from: string, to: string): readonly string[] => [
  'alter role pierhead nologin',
  endSessions,
  `alter database ${from} rename to ${to}`,
  'alter role pierhead login',
];

/** What an administrator does to a database or a role in use, and undoes. */
const changes: readonly (readonly [what: string, done: readonly string[], undone: readonly string[]])[] = [
  ['has another name', renamed('service', 'elsewhere'), renamed('elsewhere', 'service')],
  ['takes no connections', ['alter database service allow_connections false'], ['alter database service allow_connections true']],
  ['has a role that may not log in', ['alter role pierhead nologin'], ['alter role pierhead login']],
  [
    'has a role that may not connect',
    ['revoke connect on database service from pierhead'],
    ['grant connect on database service to pierhead'],
  ],
];

describeOnOwnPostgres('a database that no longer lets the service in', () => {
  let database: OwnPostgres;
  let load: PayingLoad;
  beforeAll(async () => {
    database = await OwnPostgres.create();
    await database.query('create role pierhead login');
    await database.query('create database service');
    await database.query('revoke connect on database service from public');
    await database.query('grant connect, create on database service to pierhead');
    await database.query('alter database service owner to pierhead');
    load = await PayingLoad.over(`postgres://pierhead@127.0.0.1:${String(database.port)}/service`);
  }, 60_000);
  afterAll(async () => {
    await load.close();
    await database.remove();
  }, 30_000);

  const change = async (...statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await database.query(statement);
    await database.query(endSessions);
  };
  const calls = async (): Promise<number[]> => {
    const answers = [await load.connect('reference-1'), await load.read('/manage/v1/host-apps')];
    return answers.map(({ status }) => status);
  };
  const isReady = async (): Promise<boolean> => (await load.read('/health/ready')).status === 200;

  it.each(changes)('answers 503 while it %s, is not ready, and serves again afterwards', async (_what, done, undone) => {
    await change(...done);
    try {
      expect(await calls()).toEqual([503, 503]);
      await until(isReady, (ready) => !ready);
    } finally {
      await change(...undone);
    }
    await until(isReady, (ready) => ready);
    expect(await calls()).toEqual([200, 200]);
  });
});

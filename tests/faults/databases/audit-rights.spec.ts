import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { openDatabase, type OpenedDatabase } from '../../../src/adapters/out/postgres/connection/open-database';
import { whoMayChangeAuditTrail } from '../../../src/adapters/out/postgres/connection/audit-rights';
import { databaseKinds } from '../../support/postgres/database';
import { startTestService, until, type TestService } from '../../support/service/service';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { json } from '../../support/partners/stub-behaviours';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { openTwoRoles, type TwoRoles } from '../../support/postgres/two-roles';

const cli = resolve(__dirname, '../../../dist/src/cli.js');

/** The command line as it is shipped: exit code and what it said. */
function pierhead(databaseUrl: string, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  return new Promise((done) => {
    const child = execFile(process.execPath, [cli, ...args], { env }, (_error, stdout, stderr) => {
      done({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

(databaseKinds.includes('postgres') ? describe : describe.skip)('a role that owns the tables and one that serves', () => {
  let roles: TwoRoles;
  let opened: OpenedDatabase;
  let service: TestService;
  let hostApp: StubPayingHostApp;
  let miniapp: StubMiniapp;
  const troubles: string[] = [];
  const open = (url: string, migrationUrl: string) =>
    openDatabase({
      ...{ url, migrationUrl, dataDir: '/nonexistent', migrate: true, onFatal: () => undefined },
      onTrouble: ({ name }) => void troubles.push(name),
    });
  const as = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return work(client).finally(() => client.end());
  };

  beforeAll(async () => {
    roles = await openTwoRoles();
    opened = await open(roles.servingUrl, roles.ownerUrl);
    const database = {
      db: opened.db,
      target: { kind: 'postgres', url: roles.servingUrl } as const,
      wipe: async () => {},
      close: async () => {},
    };
    service = await startTestService({ database });
    hostApp = await new StubPayingHostApp().start();
    miniapp = await new StubMiniapp().start();
    miniapp.on('/webhook', json({}));
  }, 60_000);
  afterAll(async () => {
    await service.close();
    await hostApp.stop();
    await miniapp.stop();
    await opened.close();
    await roles.close();
  });

  it('serves with its rights: changes, a sign-on, a payment and its completion', async () => {
    const pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url, miniapp: { webhook_url: `${miniapp.url}/webhook` } });
    const ids = { client_id: pair.clientId, app_id: pair.appId };
    const user_data = { reference: 'user-1', email: 'user@example.com' };
    const connect = await service.call('POST', '/api/v1/connect/', { body: { ...ids, user_data }, headers: pair.basic });
    const created = await service.call('POST', '/api/v1/orders/create-order-payment/', {
      body: { ...ids, order: { currency: 'USD', amount: '1.10' } },
    });
    const result = { order_payment_id: created.body.order_payment_id, payment_status: 'paid' };
    const completed = await service.call('POST', '/api/v1/orders/complete-order/', { body: { ...ids, ...result }, headers: pair.basic });
    expect([connect.status, created.status, completed.status]).toEqual([200, 200, 200]);
    await until(
      async () => (await service.manage('GET', `deliveries?client_id=${pair.clientId}`)).body.data[0],
      (delivery) => delivery?.state === 'delivered',
    );
    expect((await service.manage('DELETE', `integrations/${pair.clientId}/${pair.appId}`)).status).toBe(204);
    expect((await service.manage('GET', 'audit/verify')).body).toMatchObject({ whole: true, entries: 4 });
    expect(troubles).toEqual([]);
    expect((await service.call('GET', '/health/ready')).body).toEqual({ status: 'ready', reasons: [] });
    expect((await service.manage('GET', 'operations/database')).body.database.audit_trail_protected).toBe(true);
  });

  it('cannot change, remove or empty the audit trail, nor turn its triggers off', async () => {
    const attempts = [
      ...[`update audit_log set actor = 'nobody'`, 'delete from audit_log', 'truncate audit_log', 'drop table audit_log'],
      ...['alter table audit_log disable trigger all', 'drop trigger audit_log_is_append_only on audit_log'],
      ...[
        `update audit_head set hash = ''`,
        'delete from audit_head',
        'truncate audit_head',
        `insert into audit_head values (true, 1, '', 1)`,
      ],
      ...[
        'drop function chain_audit_entry() cascade',
        `create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
      ],
      ...['set session_replication_role = replica', 'delete from migrations', 'create table audit_logs (id int)'],
    ];
    const done: string[] = [];
    await as(roles.servingUrl, async (client) => {
      for (const attempt of attempts) {
        await client.query(attempt).then(
          () => done.push(attempt),
          (error: unknown) => expect([attempt, (error as { code?: string }).code]).toEqual([attempt, '42501']),
        );
      }
      // A forged head instead of the real one leads nobody astray.
      await client.query(`create temp table audit_head (one boolean, last_id bigint, hash text, entries bigint)`).catch(() => undefined);
      await client.query(`insert into audit_log (at, actor, action, subject, request_id) values (now(), 'a', 'b', 'c', 'd')`);
    });
    process.stdout.write(
      `R35: ${String(attempts.length)} ways to change the audit trail as the serving role, ${String(done.length)} worked\n`,
    );
    expect(done).toEqual([]);
    expect((await service.manage('GET', 'audit/verify')).body).toMatchObject({ whole: true, entries: 5 });
  });

  it('gets the same rights again, and rights on the tables of later migrations', async () => {
    await (await open(roles.servingUrl, roles.ownerUrl)).close();
    await as(roles.ownerUrl, (owner) => owner.query('create table later (id bigserial)'));
    await as(roles.servingUrl, (serving) => serving.query('insert into later default values'));
    expect(troubles).toEqual([]);
  });

  it('warns that a superuser, or an owner as the only role, can change the trail', async () => {
    const by = async (url: string): Promise<string | undefined> => {
      const other = await open(url, roles.ownerUrl);
      return whoMayChangeAuditTrail(other.db).finally(() => other.close());
    };
    expect(await by(roles.servingUrl)).toBeUndefined();
    expect([await by(roles.adminUrl), await by(roles.ownerUrl)]).toEqual([expect.any(String), new URL(roles.ownerUrl).username]);
  });

  it('verifies the trail from the command line, and exits with 1 if it is broken', async () => {
    const whole = await pierhead(roles.servingUrl, 'audit', 'verify');
    expect(whole).toEqual({
      code: 0,
      output: expect.stringMatching(/^The audit trail is whole: 5 entries, the last of them 5:[0-9a-f]{64}\n$/),
    });
    const [kept] = /\d+:[0-9a-f]{64}/.exec(whole.output)!;
    expect((await pierhead(roles.servingUrl, 'audit', 'verify', '--kept', kept)).code).toBe(0);
    expect((await pierhead(roles.servingUrl, 'audit', 'verify', '--kept', kept.replace(/^5:./, '5:x'))).output).toMatch(/must be id:hash/);
    await as(roles.adminUrl, async (admin) => {
      await admin.query('set session_replication_role = replica');
      await admin.query('delete from audit_log where id = 2');
    });
    const broken = await pierhead(roles.servingUrl, 'audit', 'verify');
    expect(broken).toEqual({
      code: 1,
      output: expect.stringMatching(/^The audit trail is broken at entry 3: it does not follow the entry before it/),
    });
  }, 30_000);
});

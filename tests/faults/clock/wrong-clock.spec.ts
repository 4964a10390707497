import { join } from 'node:path';
import { aPairOver, type Pair } from '../../support/signatures/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';
import { anAccountOf, headersOf } from '../../support/service/signed-in';
import { SigningPartner } from '../../support/signatures/signing-partner';
import { json } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { PostgresAccountRepository } from '../../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { inThisForm } from '../harness/fault-run';

// Two processes on one database: without a Postgres there are none.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const shifts = inThisForm({ short: [hour, -30 * day], long: [hour, -hour, 30 * day, -30 * day] });
const publicBase = 'https://platform.example';
const createPath = '/api/v1/orders/create-order-payment/';
const limit = 6;
const partner = SigningPartner.withSecret('a-shared-secret-of-more-than-32-bytes', { nonce_length: 16 });

describeOnPostgres('an instance whose clock is wrong, beside one whose clock is right', () => {
  let database: TestDatabase;
  let right: ServiceProcess;
  let wrong: ServiceProcess;
  let hostApp: StubPayingHostApp;
  let miniapp: StubMiniapp;
  const env = () => ({
    DATABASE_URL: database.target.kind === 'postgres' ? database.target.url : '',
    ...{ PUBLIC_BASE_URL: publicBase, RATE_LIMITS: `{"authorize": ${String(limit)}}` },
  });
  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    [hostApp, miniapp] = [await new StubPayingHostApp().start(), await new StubMiniapp().start()];
    miniapp.on('/webhook', json({ ok: true }));
    right = await startServiceProcess(env());
  }, 60_000);
  afterAll(async () => {
    await right.end('SIGTERM');
    await Promise.all([hostApp.stop(), miniapp.stop()]);
    await database.close();
  });
  afterEach(async () => {
    expect(await wrong.end('SIGTERM')).toBe(0);
    hostApp.store.length = 0;
    miniapp.store.length = 0;
  });

  const setUp = async (shiftMs: number): Promise<Pair> => {
    const options = `--require ${join(__dirname, 'shifted-clock.cjs')}`;
    wrong = await startServiceProcess({ ...env(), NODE_OPTIONS: options, CLOCK_SHIFT_MS: String(shiftMs) });
    return aPairOver(right.url, {
      ...{ hostAppUrl: hostApp.url, miniappUrl: miniapp.url },
      hostApp: hostApp.paymentUrls,
      miniapp: { webhook_url: `${miniapp.url}/webhook`, signature: partner.settings },
    });
  };
  interface Answer extends Readonly<Record<string, unknown>> {
    readonly status: number;
    readonly replayed: string | null;
  }
  const post = async ({ url }: ServiceProcess, path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const reply = await fetch(url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
    return {
      status: reply.status,
      replayed: reply.headers.get('idempotency-replayed'),
      ...((await reply.json()) as Record<string, unknown>),
    };
  };
  const ids = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
  const order = (pair: Pair) => JSON.stringify({ ...ids(pair), order: { currency: 'USD', amount: '1.10' } });
  const signed = (pair: Pair, at: number) => partner.headers({ method: 'POST', url: publicBase + createPath, payload: order(pair), at });
  const create = (to: ServiceProcess, pair: Pair, headers = signed(pair, Date.now())) => post(to, createPath, order(pair), headers);
  const complete = async (to: ServiceProcess, pair: Pair, orderPaymentId: unknown) => {
    const body = { ...ids(pair), order_payment_id: orderPaymentId, payment_status: 'paid' };
    return post(to, '/api/v1/orders/complete-order/', JSON.stringify(body), pair.basic);
  };

  it.each(shifts)('checks signatures, nonces and time windows by the database’s time (%d ms)', async (shiftMs) => {
    const pair = await setUp(shiftMs);
    const now = signed(pair, Date.now());
    expect((await create(wrong, pair, now)).status).toBe(200);
    for (const to of [right, wrong]) {
      expect(await create(to, pair, now)).toMatchObject({ error_code: 'INVALID_SIGNATURE' });
      for (const at of [Date.now() - 10 * minute, Date.now() + 10 * minute, Date.now() + shiftMs]) {
        expect(await create(to, pair, signed(pair, at))).toMatchObject({ error_code: 'INVALID_SIGNATURE' });
      }
    }
  });

  it.each(shifts)('shares sessions, limits and answers that are kept (%d ms)', async (shiftMs) => {
    const pair = await setUp(shiftMs);
    const { db } = database;
    const records = { accounts: new PostgresAccountRepository(db), sessions: new PostgresSessionRepository(db) };
    const account = await anAccountOf(records, { role: 'operator' });
    for (const { url } of [right, wrong]) {
      const headers = await headersOf(records, account.id, publicBase);
      expect((await fetch(`${url}/manage/v1/host-apps`, { headers })).status).toBe(200);
    }
    const key = { 'Idempotency-Key': `key-${String(shiftMs)}` };
    const first = await create(wrong, pair, { ...signed(pair, Date.now()), ...key });
    const again = await create(right, pair, { ...signed(pair, Date.now()), ...key });
    expect([first.status, again]).toEqual([200, { ...first, replayed: 'true' }]);
    const authorize = async (n: number) =>
      post(n % 2 ? right : wrong, '/api/v1/authorize/', JSON.stringify({ ...ids(pair), auth_code: 'x' }));
    const answers = await Promise.all(Array.from({ length: limit + 4 }, (_, n) => authorize(n)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    await db.query('delete from rate_limits');
  });

  it.each(shifts)('stores no time of its own, delivers at once and plans status polls from now (%d ms)', async (shiftMs) => {
    const pair = await setUp(shiftMs);
    const begunAt = Date.now();
    const [paid, open] = [await create(wrong, pair), await create(wrong, pair)];
    expect((await complete(wrong, pair, paid['order_payment_id'])).status).toBe(200);
    await until(
      async () => miniapp.at('/webhook').length,
      (received) => received === 1,
    );
    expect(Date.now() - begunAt).toBeLessThan(5000);
    const { db } = database;
    const [plan] = await db.query(
      `select extract(epoch from poll_at - now())::float8 as due_in_s from order_payments where order_payment_id = $1`,
      [open['order_payment_id']],
    );
    expect(plan.due_in_s).toBeGreaterThan(50);
    expect(plan.due_in_s).toBeLessThanOrEqual(60);
    const columns: { table: string; name: string }[] = await db.query(`
      select c.table_name as table, c.column_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and c.data_type = 'timestamp with time zone' and t.table_type = 'BASE TABLE'`);
    const foreign: string[] = [];
    for (const { table, name } of columns) {
      const isForeign = `case when isfinite("${name}") then abs(extract(epoch from "${name}" - now()) * 1000 - $1) < 600000 end`;
      const sql = `select count(*)::integer as n from "${table}" where ${isForeign}`;
      const [{ n }] = await db.query(sql, [shiftMs]);
      if (n > 0) foreign.push(`${table}.${name}: ${String(n)}`);
    }
    expect(columns.length).toBeGreaterThan(50);
    expect(foreign).toEqual([]);
  });

  it.each(shifts)('is not ready, and says by how much its clock differs (%d ms)', async (shiftMs) => {
    await setUp(shiftMs);
    const ready = await fetch(`${wrong.url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { reasons: ['clock'] }]);
    expect((await fetch(`${right.url}/health/ready`)).status).toBe(200);
  });
});

import { aPairOver, type Pair } from '../support/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/service';
import { startServiceProcess, type ServiceProcess } from '../support/service-process';
import { hangBeforeHeaders } from '../support/stub-behaviours';
import { StubPayingHostApp } from '../support/stub-payments';
import { StubMiniapp, type StubHostApp } from '../support/stub-sign-on';

// The embedded database serves one process: without a Postgres there are no two of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const payments = 500;

/** Detects reuse: the second time that a refresh token is shown, every token of the user is revoked. */
class StrictHostApp extends StubPayingHostApp {
  /** Refresh tokens in the order in which they were shown. */
  readonly shown: string[] = [];

  constructor() {
    super();
    const refresh = this.usual('/refresh');
    this.on('/refresh', (received, response) => {
      const { refresh_token: token } = JSON.parse(received.body.toString('utf8')) as { refresh_token: string };
      if (this.shown.includes(token)) this.payments.rejectToken(this.lastAccessToken);
      this.shown.push(token);
      return refresh(received, response);
    });
  }

  get lastAccessToken(): string {
    return this.books.lastAccessToken;
  }

  expire(): void {
    this.payments.rejectToken(this.lastAccessToken);
  }
}

describeOnPostgres('one user whose token has expired, over two processes', () => {
  let database: TestDatabase;
  let hostApp: StrictHostApp;
  let miniapp: StubMiniapp;
  let processes: [ServiceProcess, ServiceProcess];
  let pair: Pair;
  let signOns = 0;

  beforeEach(async () => {
    database = await openTestDatabase('postgres');
    hostApp = await new StrictHostApp().start();
    miniapp = await new StubMiniapp().start();
    const url = database.target.kind === 'postgres' ? database.target.url : '';
    const env = { DATABASE_URL: url, LOG_LEVEL: 'info', PAYMENT_TIMEOUT_MS: '15000' };
    processes = [await startServiceProcess(env), await startServiceProcess(env)];
    pair = await aPairOver(processes[0].url, {
      hostAppUrl: hostApp.url,
      miniappUrl: miniapp.url,
      hostApp: { ...hostApp.paymentUrls, use_access_token: true },
      miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } },
    });
    await signOn();
  }, 60_000);
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.end('SIGTERM')));
    await Promise.all([hostApp.stop(), miniapp.stop(), database.close()]);
  });

  const post = async (to: ServiceProcess, path: string, members: object): Promise<{ status: number; text: string }> => {
    const body = JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, ...members });
    const reply = await fetch(`${to.url}/api/v1/${path}/`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return { status: reply.status, text: await reply.text() };
  };
  /** How often a call was turned away before it began, as a starved machine does; a caller asks again. */
  let turnedAway = 0;
  const pay = async (to: ServiceProcess): Promise<{ status: number; text: string }> => {
    const reply = await post(to, 'orders/create-order-payment', { order: { currency: 'USD', amount: '1.10', hostapp_user_id: 'mia' } });
    if (reply.status !== 503) return reply;
    turnedAway++;
    return pay(to);
  };
  const signOn = async (): Promise<void> => {
    const code = `code-${String(++signOns)}`;
    hostApp.knows(code, { reference: 'mia' });
    const { status, text } = await post(processes[1], 'authorize', { auth_code: code });
    if (status !== 200) throw new Error(text);
  };
  /** Puts the refresh that runs beyond its lease, as 20 seconds would. */
  const letLeaseRunOut = () => database.db.query(`update user_tokens set lease_until = now() - interval '1 s' where lease is not null`);

  it(`refreshes once for ${String(payments)} payments at once, and all of them succeed`, async () => {
    hostApp.expire();
    const before = performance.now();
    const replies = await Promise.all(Array.from({ length: payments }, (_, i) => pay(processes[i % 2 === 0 ? 0 : 1])));
    const statuses = new Set(replies.map(({ status, text }) => (status === 200 ? '200' : `${String(status)} ${text}`)));
    const ids = new Set(replies.map(({ text }) => text));
    const counts = { refreshes: hostApp.shown.length, succeeded: replies.filter(({ status }) => status === 200).length };
    const shown = JSON.stringify({ ...counts, turnedAway });
    const ms = Math.round(performance.now() - before);
    process.stdout.write(`${String(payments)} payments of one expired token over 2 processes in ${String(ms)} ms: ${shown}\n`);
    expect([...statuses]).toEqual(['200']);
    expect(counts).toEqual({ refreshes: 1, succeeded: payments });
    expect(ids.size).toBe(payments);
    // One attempt with the old token and one with the new at most; none with anything else.
    expect(hostApp.at('/create').length).toBeLessThanOrEqual(2 * payments);
    expect(new Set(hostApp.at('/create').map(({ headers }) => headers.authorization)).size).toBe(2);
  }, 60_000);

  it('signs nobody out where the process is killed before the host app took the refresh token', async () => {
    hostApp.expire();
    const usual = hostApp.shown.length;
    await hostApp.during('/refresh', hangBeforeHeaders, async () => {
      const lost = pay(processes[0]).catch(() => 'no answer');
      await until(
        async () => hostApp.at('/refresh').length,
        (seen) => seen === 1,
      );
      await processes[0].end('SIGKILL');
      expect(await lost).toBe('no answer');
    });
    await letLeaseRunOut();
    expect((await pay(processes[1])).status).toBe(200);
    expect(hostApp.shown).toHaveLength(usual + 1);
  }, 60_000);

  it('says so where the process is killed after the host app took the refresh token, and a sign-on puts it right', async () => {
    hostApp.expire();
    const took = takesAndHangs(hostApp);
    await hostApp.during('/refresh', took, async () => {
      const lost = pay(processes[0]).catch(() => 'no answer');
      await until(
        async () => hostApp.refreshes,
        (seen) => seen === 1,
      );
      await processes[0].end('SIGKILL');
      expect(await lost).toBe('no answer');
    });
    await letLeaseRunOut();
    const refused = await pay(processes[1]);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      400,
      { error_code: 'INVALID_REFRESH_TOKEN', custom_attributes: { side: 'hostapp', step: 'refresh' } },
    ]);
    await signOn();
    expect((await pay(processes[1])).status).toBe(200);
  }, 60_000);
});

/** Takes the refresh token, and never answers. */
const takesAndHangs =
  ({ books }: StubHostApp) =>
  ({ body }: { body: Buffer }): void => {
    books.refresh((JSON.parse(body.toString('utf8')) as { refresh_token: string }).refresh_token);
  };

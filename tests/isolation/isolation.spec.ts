import { readFileSync } from 'node:fs';
import { aPairOver, type Pair } from '../support/signatures/a-pair';
import { databaseKinds } from '../support/postgres/database';
import { operatorToken } from '../support/service/service';
import { StubPayingHostApp } from '../support/partners/stub-payments';
import { StubMiniapp } from '../support/partners/stub-sign-on';
import { endless, hangBeforeHeaders, json } from '../support/partners/stub-behaviours';
import { inThisForm, within } from '../faults/harness/fault-run';
import { anAccountOf, headersOf } from '../support/service/signed-in';
import { PostgresAccountRepository } from '../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { flood, getText, requestText } from '../faults/harness/flood';
import { PayingStage } from '../faults/harness/paying-stage';
import { WellPartners } from '../faults/harness/well-partners';

/** In either form more calls hang at once than a process would take as work. The long one asks for 2,000 calls of a pair that is well, beside the time limits as they are shipped. */
const sizes = inThisForm({
  short: { ms: 12_000, wellPerSecond: 20, timeoutMs: 10_000, rates: [150], others: 150 },
  long: { ms: 25_000, wellPerSecond: 100, timeoutMs: 10_000, rates: [400, 2000], others: 400 },
});
/** How the calls of the healthy pair went: milliseconds within which 90 % and 99 % were answered. */
type WellCalls = Readonly<Record<'p90' | 'p99', number>>;
/** A build of before, to show what it does: its folder. */
const build = process.env['FAULT_BUILD'];
const path = { connect: 'connect', authorize: 'authorize', create: 'orders/create-order-payment', status: 'orders/get-payment-status' };

// The embedded database is for development: nobody overruns it on purpose.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres.each(inThisForm({ short: [1], long: [1, 2] }))('a pair that is well, served by %i processes', (workers) => {
  let stage: PayingStage;
  let sickHostApp: StubPayingHostApp;
  let sickMiniapp: StubMiniapp;
  let wellPartners: WellPartners;
  /** Its partners answer at once, however busy this process is. */
  let well: Pair;
  let port: number;
  beforeAll(async () => {
    const timeouts = { SSO_TIMEOUT_MS: String(sizes.timeoutMs), PAYMENT_TIMEOUT_MS: String(sizes.timeoutMs) };
    const env = { WORKERS: String(workers), SHEDDING: 'on', RATE_LIMITS: '{"authorize":100000000}', ...timeouts };
    stage = await PayingStage.open({ processes: 1, hostApp: new StubPayingHostApp(), env, ...(build && { build }) });
    sickHostApp = await new StubPayingHostApp().start();
    sickMiniapp = await new StubMiniapp().start();
    sickHostApp.on('/events', json({}));
    wellPartners = await WellPartners.start();
    well = await pairAt({ url: wellPartners.url, paymentUrls: { create_order_payment_url: `${wellPartners.url}/create` } }, wellPartners);
    port = Number(new URL(stage.instances.by(0).url).port);
    // A process that has just started compiles its code, which the test does not time.
    await flood({ port, calls: [connectOf(well)], perSecond: 150, ms: 5000, connections: 200, rotate: true });
  }, 60_000);
  afterAll(async () => {
    await Promise.all([sickHostApp.stop(), sickMiniapp.stop(), wellPartners.stop()]);
    await stage.close();
  }, 60_000);

  const pairAt = (hostApp: Pick<StubPayingHostApp, 'url' | 'paymentUrls'>, miniapp: { readonly url: string }): Promise<Pair> =>
    aPairOver(stage.instances.by(0).url, {
      hostAppUrl: hostApp.url,
      miniappUrl: miniapp.url,
      hostApp: { ...hostApp.paymentUrls, events_bridge_url: `${hostApp.url}/events` },
      miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } },
    });
  const callOf = (to: string, { clientId, appId, basic }: Pair, members: string): string =>
    requestText(`/api/v1/${to}/`, basic, `{"client_id":"${clientId}","app_id":"${appId}",${members}}`);
  const connectOf = (pair: Pair): string => callOf(path.connect, pair, '"user":{"reference":"u"}');
  const createOf = (pair: Pair): string => callOf(path.create, pair, '"order":{"currency":"USD","amount":"1.10"}');

  /** How the calls of a pair that is well go beside others: all of them, those with 200, and the time of 99 of 100. */
  const wellBeside = async (calls: readonly string[], perSecond: number, well: string) => {
    const { ms, wellPerSecond } = sizes;
    // Each connection is used before ten seconds are over: one that has sent nothing until then is closed.
    const load = flood({ port, calls, perSecond, ms, connections: Math.min(3000, perSecond * 8), rotate: true });
    const { sent, leftOut, went, p90, p99 } = await flood({
      port,
      calls: [well],
      perSecond: wellPerSecond,
      ms,
      connections: wellPerSecond * 4,
      rotate: true,
    });
    const { went: others } = await load;
    const totals = others.reduce<Record<string, number>>((sum, one) => {
      for (const [how, count] of Object.entries(one)) sum[how] = (sum[how] ?? 0) + count;
      return sum;
    }, {});
    return { sent: sent + leftOut, ok: went[0]?.['200'] ?? 0, p90: p90[0] ?? 0, p99: p99[0] ?? 0, well: went[0], others: totals };
  };

  /** Compared with the same load while the other pair answers. */
  const compare = async (
    what: string,
    load: { calls: readonly string[]; perSecond: number; well: string },
    during: <T>(work: () => Promise<T>) => Promise<T>,
  ) => {
    const beside = await wellBeside(load.calls, load.perSecond, load.well);
    const sick = await during(() => wellBeside(load.calls, load.perSecond, load.well));
    const line = { what, workers, per_second: load.perSecond, before: beside, sick };
    process.stdout.write(
      `isolation: ${JSON.stringify(line)} (load of the machine ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? ''})\n`,
    );
    expect([sick.ok, sick.sent]).toEqual([sick.sent, sick.sent]);
    expectAsFast(sick, beside);
  };
  /**
   * The long form compares 99 of 100 calls, on a quiet machine. The short one has 240 calls: a machine that stalls once for half a second delays
   * ten of them, so it compares 90 of 100.
   */
  const expectAsFast = (sick: WellCalls, beside: WellCalls): void => {
    const [found, before] = inThisForm({ short: [sick.p90, beside.p90], long: [sick.p99, beside.p99] });
    expect(found).toBeLessThanOrEqual(inThisForm({ short: 2 * before + 100, long: Math.max(1.5 * before, before + 20) }));
  };
  const whileMiniappHangs = <T>(work: () => Promise<T>): Promise<T> => sickMiniapp.during('/auth', hangBeforeHeaders, work);

  it.each(sizes.rates)(
    'is served beside %i calls a second to a miniapp that hangs',
    async (perSecond) => {
      const calls = [connectOf(await pairAt(sickHostApp, sickMiniapp))];
      await compare('one miniapp', { calls, perSecond, well: connectOf(well) }, whileMiniappHangs);
    },
    within(150_000),
  );

  it(
    'is served beside a miniapp whose body never ends and comes fast',
    async () => {
      const calls = [connectOf(await pairAt(sickHostApp, sickMiniapp))];
      await compare('an endless body', { calls, perSecond: sizes.rates[0]!, well: connectOf(well) }, (work) =>
        sickMiniapp.during('/auth', endless, work),
      );
    },
    within(150_000),
  );

  it(
    'is served beside forty miniapps that hang',
    async () => {
      const pairs: Pair[] = [];
      for (let n = 0; n < 40; n++) pairs.push(await pairAt(sickHostApp, sickMiniapp));
      await compare('forty miniapps', { calls: pairs.map(connectOf), perSecond: sizes.others, well: connectOf(well) }, whileMiniappHangs);
    },
    within(150_000),
  );

  it(
    'is served beside a host app that hangs at authorize, create, status and events',
    async () => {
      const pair = await pairAt(sickHostApp, sickMiniapp);
      const statusOf = callOf(path.status, pair, `"order_payment_id":"${await createdFor(pair)}"`);
      const event = callOf('events/miniapp', pair, '"event_type":"x","payload":{}');
      const calls = Array.from({ length: 2000 }, (_, n) => {
        sickHostApp.knows(`code-${String(n)}`, { reference: 'u' });
        const authorize = callOf(path.authorize, pair, `"auth_code":"code-${String(n)}"`);
        return [authorize, createOf(pair), statusOf, event][n % 4] ?? event;
      });
      const during = async <T>(work: () => Promise<T>): Promise<T> => {
        sickHostApp.hang();
        return work().finally(() => sickHostApp.recover());
      };
      await compare('a host app', { calls, perSecond: sizes.others, well: createOf(well) }, during);
    },
    within(150_000),
  );

  it(
    'is served at a host app that hangs for another miniapp alone',
    async () => {
      const pair = await pairAt(sickHostApp, sickMiniapp);
      const other = await aSecondMiniapp(pair);
      const usual = sickHostApp.usual('/create');
      const hangsForOne: typeof usual = (received, response) =>
        received.body.includes(pair.appId) ? undefined : usual(received, response);
      await compare('one integration of a host app', { calls: [createOf(pair)], perSecond: sizes.others, well: createOf(other) }, (work) =>
        sickHostApp.during('/create', hangsForOne, work),
      );
    },
    within(150_000),
  );

  it(
    "is served beside a partner's account that searches, lists and previews without pause",
    async () => {
      const pair = await pairAt(sickHostApp, sickMiniapp);
      const headers = await anAccountAt(pair);
      const calls = [
        requestText(`/manage/v1/deliveries/resend`, headers, `{"preview":true,"client_id":"${pair.clientId}"}`),
        ...['search?q=nothing-like-it', 'exchanges?limit=200', 'payments?limit=200', 'deliveries?limit=200'].map((to) =>
          getText(`/manage/v1/${to}`, headers),
        ),
      ];
      const others = [connectOf(pair)];
      const beside = await wellBeside(others, sizes.others, connectOf(well));
      // As above: code that has not run yet is compiled while it runs.
      await flood({ port, calls, perSecond: 20, ms: 2000, connections: 20, rotate: true });
      const sick = await wellBeside(calls, sizes.others, connectOf(well));
      process.stdout.write(
        `isolation: ${JSON.stringify({ what: 'an account', workers, per_second: sizes.others, before: beside, sick })}\n`,
      );
      expect(Object.keys(sick.others)).not.toContain('401 unauthenticated');
      expect([sick.ok, sick.sent]).toEqual([sick.sent, sick.sent]);
      expectAsFast(sick, beside);
    },
    within(150_000),
  );

  /** The headers of a browser in which an account of the pair's host app is signed in. */
  const anAccountAt = async (pair: Pair): Promise<Record<string, string>> => {
    const base = stage.instances.by(0).url;
    const records = {
      accounts: new PostgresAccountRepository(stage.database.db),
      sessions: new PostgresSessionRepository(stage.database.db),
    };
    const account = await anAccountOf(records, { role: 'host-app', clientId: pair.clientId });
    return { Host: new URL(base).host, ...(await headersOf(records, account.id, base)) };
  };
  const createdFor = async (pair: Pair): Promise<string> => {
    const { text } = await stage.call({ path: path.create, key: '', members: '"order":{"currency":"USD","amount":"1.10"}', turn: 0, pair });
    return (JSON.parse(text) as { order_payment_id: string }).order_payment_id;
  };
  /** Another miniapp at the same host app. */
  const aSecondMiniapp = async (pair: Pair): Promise<Pair> => {
    const second = await pairAt(sickHostApp, sickMiniapp);
    const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ status: 'accepted', features: { sso: true, payments: true, events: true } });
    const url = `${stage.instances.by(0).url}/manage/v1/integrations/${pair.clientId}/${second.appId}`;
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(201);
    return { ...second, clientId: pair.clientId, basic: pair.basic };
  };
});

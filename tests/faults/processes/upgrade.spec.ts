import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { databaseKinds, openBareDatabase } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { completionVerdicts, type ReceivedWebhook } from '../harness/completion-verdicts';
import { atRate, type Operation } from '../harness/driver';
import { figure, inThisForm, within } from '../harness/fault-run';
import { idIn, PayingStage } from '../harness/paying-stage';
import { openPreviousVersion, previousRevision, type PreviousVersion } from '../harness/previous-version';
import { checkEveryMs, ReadyBalancer } from '../harness/ready-balancer';

const processes = 2;
/** Users who sign on, pay, and have it completed: three requests and a webhook each. */
const perSecond = inThisForm({ short: 15, long: 40 });
/** Requests that go through between any two steps. */
const requestsBetween = inThisForm({ short: 60, long: 3000 });
/** How long the miniapp keeps a webhook, in milliseconds: at each stop some are under way. */
const webhookMs = 50;
/** How long one that stops serves on, in milliseconds: several looks of the balancer. */
const stopDelayMs = 20 * checkEveryMs;
/** How long a step may take on a machine that has others to serve, in milliseconds. */
const stepWithinMs = inThisForm({ short: 30_000, long: 120_000 });

// The embedded database serves one process.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

it('a folder without a history has no version before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-no-history-'));
  expect(previousRevision(folder)).toBeUndefined();
  rmSync(folder, { recursive: true });
});

describeOnPostgres('an upgrade under load', () => {
  let previous: PreviousVersion;
  let stage: PayingStage;
  let balancer: ReadyBalancer;
  const epoch = Date.now() - performance.now();

  beforeAll(async () => {
    previous = openPreviousVersion();
    process.stdout.write(`${previous.summary}\n`);
    const webhook = json({});
    stage = await PayingStage.open({
      ...{ processes, build: previous.build, database: await openBareDatabase(), hostApp: new StubPayingHostApp() },
      env: { MIGRATE: 'on', STOP_DELAY_MS: String(stopDelayMs) },
      webhook: async (received, response) => {
        await pause(webhookMs);
        await webhook(received, response);
      },
    });
    balancer = await ReadyBalancer.start(() => stage.instances.serving.map(({ url }) => url));
  }, 120_000);
  afterAll(async () => {
    await balancer.stop();
    expect(await stage.close()).toEqual([0, 0]);
    previous.remove();
  });

  const call = (path: string, key: string, members: string): Promise<Operation> =>
    stage.call({ path, key, members, turn: 0, front: balancer.url });
  const result = (id: string): string => `"payment_status":"paid","custom_attributes":{"of":"${id}","exact":12345678901234567.10}`;
  const expected = (id: string): string => {
    const { appId, clientId } = stage.pair;
    return `{"app_id":"${appId}","client_id":"${clientId}","order_payment_id":"${id}",${result(id)}}`;
  };
  const signOnAndPay = async (n: number): Promise<void> => {
    await call('connect', String(n), `"user_data":{"reference":"user-${String(n % 50)}","email":"mia@example.com"}`);
    const made = await call('orders/create-order-payment', String(n), '"order":{"currency":"USD","amount":"1.10"}');
    if (made.outcome !== 'ok') return;
    const id = idIn(made.text);
    await call('orders/complete-order', id, `"order_payment_id":"${id}",${result(id)}`);
  };

  const went = (): readonly Operation[] => stage.driver.operations;
  const serveOn = async (): Promise<void> => {
    const before = went().length;
    await until(
      () => Promise.resolve(went().length - before),
      (more) => more >= requestsBetween,
      stepWithinMs,
    );
  };
  const migrate = async (): Promise<string> => {
    const { url } = stage.database.target as { url: string };
    const { stdout } = await promisify(execFile)(process.execPath, previous.migration, { env: { ...process.env, DATABASE_URL: url } });
    return stdout;
  };
  const stops: number[] = [];
  /** One instance after the other, as the guide says; the next one when the balancer has found this one ready. */
  const replaceAll = async (build: string): Promise<string[]> => {
    const urls: string[] = [];
    for (let index = 0; index < processes; index++) {
      const old = stage.instances.serving[index]!;
      const startedAt = performance.now();
      expect(await old.end('SIGTERM')).toBe(0);
      stops.push(performance.now() - startedAt);
      await stage.instances.begin(index, build);
      const { url } = stage.instances.by(index);
      await until(
        () => Promise.resolve(balancer.routesTo(url)),
        (routed) => routed,
        stepWithinMs,
      );
      await serveOn();
      urls.push(url);
    }
    return urls;
  };
  const answeredBy = (urls: readonly string[]): number => urls.reduce((sum, url) => sum + (balancer.answered.get(url) ?? 0), 0);
  const receivedWebhooks = async (): Promise<ReceivedWebhook[]> => {
    await until(
      () => stage.rows(`deliveries where state = 'ready'`),
      (pending) => pending === 0,
      stepWithinMs,
    );
    return stage.miniapp.at('/webhook').map(({ headers, body, at }) => {
      const text = body.toString('utf8');
      return { key: idIn(text), webhookId: String(headers['webhook-id']), body: text, at: at - epoch };
    });
  };

  it(
    'fails and loses nothing, neither forward to the new version nor back to the old one',
    async () => {
      const startedAt = performance.now();
      let serving = true;
      const load = atRate({ perSecond, volley: 1, goesOn: () => serving }, signOnAndPay);
      const before = await stage.rows('migrations');
      const atFirst = stage.instances.serving.map(({ url }) => url);
      let output: string;
      let next: string[];
      let back: string[];
      try {
        await serveOn();
        output = await migrate();
        await serveOn();
        next = await replaceAll(join(__dirname, '../../../dist'));
        back = await replaceAll(previous.build);
      } finally {
        serving = false;
        await load;
      }
      const migrated = (await stage.rows('migrations')) - before;
      const completions = went().filter(({ name }) => name === 'orders/complete-order');
      const { late, ...verdicts } = completionVerdicts({ completions, received: await receivedWebhooks(), expected, lateAfterMs: 30_000 });
      const failed = went().filter(({ outcome }) => outcome !== 'ok');
      const longest = (all: readonly number[]): number => Math.round(Math.max(...all));
      const times = { longestMs: longest(went().map((one) => one.endedAt - one.startedAt)), longestStopMs: longest(stops) };
      const byVersion = { byPrevious: answeredBy(atFirst), byNext: answeredBy(next), byPreviousAgain: answeredBy(back) };
      const requests = { requests: went().length, failed: failed.length, ...byVersion };
      figure('upgrade', { migrations: migrated, replaced: 2 * processes, ...requests, ...verdicts, late, ...times }, startedAt);
      expect(output).toMatch(/[A-Z]\w+\d{13}/);
      expect(migrated).toBeGreaterThan(0);
      expect([balancer.brokenOff.slice(0, 3), failed.slice(0, 3)]).toEqual([[], []]);
      expect(verdicts).toMatchObject({ lost: 0, altered: 0, invented: 0, unrecognisable: 0 });
      expect(verdicts.duplicated).toBeLessThanOrEqual(Math.floor(verdicts.acknowledged / 200));
      // Each had its part.
      expect(Math.min(...Object.values(byVersion))).toBeGreaterThan(requestsBetween);
    },
    within(180_000),
  );
});

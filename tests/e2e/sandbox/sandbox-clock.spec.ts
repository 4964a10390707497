import type { Container } from 'inversify';
import { HttpSimulatorGateway } from '../../../src/adapters/out/system/http-simulator-gateway';
import { T } from '../../../src/composition/tokens/tokens';
import { jitter, longestWaitMs, deliveryLastsMs, waitsMs } from '../../../src/domain/deliveries/schedule';
import { developmentRoutes } from '../../../src/sandbox/playground/development-routes';
import { ManageCalls } from '../../../src/sandbox/manage-calls';
import { SandboxClock } from '../../../src/sandbox/clock/sandbox-clock';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import type { SandboxPair } from '../../../src/sandbox/setup/sandbox-pair';
import { setUpSandbox } from '../../../src/sandbox/setup/set-up-sandbox';
import { DemoScenarios } from '../../../src/sandbox/demo/demo-scenarios';
import { WoundTime } from '../../../src/sandbox/clock/wound-time';
import { databaseKinds } from '../../support/postgres/database';
import { operatorToken, startTestService, until, type TestService } from '../../support/service/service';

const day = 86_400_000;
/** What an attempt itself takes, and until the next one is begun, in milliseconds: on a busy machine, too. */
const onTheWayMs = 1500;

describe.each(databaseKinds)('the clock of the sandbox on %s', (kind) => {
  const time = new WoundTime();
  const hostApp = new SandboxHostApp(time);
  const miniapp = new SandboxMiniapp();
  const close: (() => Promise<void>)[] = [];
  let service: TestService;
  let pair: SandboxPair;
  let urls: { hostApp: string; miniapp: string };

  beforeAll(async () => {
    const loopback = { host: '127.0.0.1', port: 0 };
    const [hostAppServer, miniappServer] = [await hostApp.start(loopback), await miniapp.start(loopback)];
    close.push(hostAppServer.close, miniappServer.close);
    urls = { hostApp: hostAppServer.url, miniapp: miniappServer.url };
    const simulators = new HttpSimulatorGateway({ 'host-app': urls.hostApp, miniapp: urls.miniapp });
    const change = (container: Container): void => void container.rebind(T.simulators).toConstantValue(simulators);
    service = await startTestService({ kind, env: { SANDBOX: 'on' }, change });
    const at = { serviceUrl: service.url, operatorToken };
    pair = await setUpSandbox({
      ...at,
      hostApp: { partner: hostApp, url: urls.hostApp },
      miniapp: { partner: miniapp, url: urls.miniapp },
    });
    const manage = new ManageCalls(at);
    const walks = new DemoScenarios({ target: { ...at, hostAppUrl: urls.hostApp, pair, hostApp, miniapp }, manage });
    hostApp.clock.show(developmentRoutes(new SandboxClock({ time, manage, pairs: [pair] }), walks));
  }, 60_000);
  afterAll(async () => {
    for (const one of close) await one();
    await service.close();
  });

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read what they expect, and fail where it is not there
  const call = async (url: string, method = 'GET', body?: object): Promise<any> => {
    const response = await fetch(url, {
      method,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const advance = (body: object) => call(`${urls.hostApp}/sandbox/clock/advance`, 'POST', body);
  const clock = () => call(`${urls.hostApp}/sandbox/clock`);
  const turn = (dials: object) => call(`${urls.miniapp}/sandbox/dials`, 'PUT', dials);
  const paid = async (amount: string): Promise<string> => {
    const order = { currency: 'USD', amount };
    const body = { client_id: pair.clientId, app_id: pair.appId, order };
    const id = String((await service.call('POST', '/api/v1/orders/create-order-payment/', { body })).body.order_payment_id);
    await call(`${urls.hostApp}/sandbox/payments/${id}/pay`, 'POST');
    return id;
  };
  const received = (id: string) => miniapp.webhooks().filter(({ body }) => body.get('order_payment_id') === id).length;
  const deliveries = async () => (await service.manage('GET', `deliveries?app_id=${pair.appId}`)).body.data;

  it('shows the whole schedule of seven days in seconds, with the resend after it', async () => {
    const began = performance.now();
    await turn({ error_percent: 100 });
    const id = await paid('10.00');
    const { status, advanced_s: advancedS, steps } = await advance({ seconds: (deliveryLastsMs + day) / 1000 });
    expect([status, advancedS]).toEqual([200, (deliveryLastsMs + day) / 1000]);
    const [{ id: deliveryId }] = await deliveries();
    const { state, attempts, created_at: createdAt } = (await service.manage('GET', `deliveries/${String(deliveryId)}`)).body;
    expect(state).toBe('failed');

    const planned = attempts.filter(({ reason }: { reason: string }) => reason === 'schedule');
    const times: number[] = planned.map(({ at }: { at: string }) => Date.parse(at));
    const gaps = times.slice(1).map((at, i) => at - times[i]!);
    for (const [i, gap] of gaps.entries()) {
      const wait = waitsMs[i] ?? longestWaitMs;
      expect(gap).toBeGreaterThanOrEqual(wait * (1 - jitter) - 5);
      expect(gap).toBeLessThanOrEqual(wait * (1 + jitter) + onTheWayMs);
    }
    const lasted = times.at(-1)! - Date.parse(String(createdAt));
    expect(lasted).toBeLessThanOrEqual(deliveryLastsMs + onTheWayMs);
    // The next one would have come after the seven days.
    expect(lasted).toBeGreaterThan(deliveryLastsMs - longestWaitMs * (1 + jitter));
    // It may halt for a probe of the open circuit, too, but passes over no attempt.
    expect(planned.length).toBeLessThanOrEqual(Number(steps.length) + 1);
    expect(received(id)).toBe(0);

    await turn({});
    await service.manage('POST', `deliveries/${String(deliveryId)}/resend`);
    await until(
      async () => (await deliveries())[0],
      (delivery) => delivery.state === 'delivered',
    );
    expect(received(id)).toBe(1);
    const seconds = (performance.now() - began) / 1000;
    const shown = gaps.map((gap) => `${(gap / 1000).toFixed(0)} s`).join(', ');
    process.stdout.write(
      `the seven days on ${kind}: ${String(times.length)} attempts in ${seconds.toFixed(1)} s of real time, over ${(lasted / day).toFixed(2)} days; waits ${shown}\n`,
    );
    expect(seconds).toBeLessThan(10);
  }, 30_000);

  it("moves the sandbox host app's clock, so that a report 90 seconds late arrives", async () => {
    const id = await paid('10.05');
    expect(await clock()).toMatchObject({ status: 200, in_flight: 0, next: { in_s: expect.any(Number) } });
    expect((await advance({ seconds: 59 })).steps).toEqual([]);
    expect(received(id)).toBe(0);
    const { steps, clock: after } = await advance({ seconds: 31.5 });
    // The service asks after a minute; the report comes half a minute later.
    expect(steps).toMatchObject([{ what: 'payment' }, { what: 'report' }]);
    expect(received(id)).toBe(1);
    expect(after).not.toHaveProperty('next');
  }, 30_000);

  it('moves to the next event, and stays if there is none', async () => {
    expect(await advance({ to: 'next' })).toMatchObject({ advanced_s: 0, steps: [] });
    await turn({ error_percent: 100 });
    const id = await paid('10.00');
    const { steps } = await advance({ to: 'next' });
    expect(steps).toMatchObject([{ what: 'delivery', in_s: expect.closeTo(5, -0.5) }]);
    await turn({});
    expect((await advance({ to: 'next' })).steps).toHaveLength(1);
    expect(received(id)).toBe(1);
  }, 30_000);

  it.each<[string, object]>([
    ['nothing', {}],
    ['no time', { seconds: 0 }],
    ['more than 30 days', { seconds: 2_592_001 }],
    ['text', { seconds: '10' }],
    ['another place', { to: 'monday' }],
    ['both', { seconds: 1, to: 'next' }],
  ])('refuses %s, and stays', async (_what, body) => {
    const before = (await clock()).advanced_s;
    expect(await advance(body)).toMatchObject({ status: 400, error_code: 'INVALID_INPUT' });
    expect((await clock()).advanced_s).toBe(before);
  });

  it('is refused by the manage API without an integration, and audits each step', async () => {
    const refusals = [
      [{ client_id: pair.clientId, app_id: pair.appId, seconds: 0 }, 400],
      [{ client_id: pair.clientId, app_id: 'app_nobody', seconds: 1 }, 404],
      [{ client_id: pair.clientId, app_id: pair.appId, seconds: 1, to: 'next' }, 400],
    ] as const;
    for (const [body, status] of refusals) expect((await service.manage('POST', 'sandbox/advance', body)).status).toBe(status);
    expect((await service.manage('GET', 'sandbox/clock?client_id=host_x')).status).toBe(404);
    const { data } = (await service.manage('GET', 'audit?limit=1')).body;
    expect(data).toMatchObject([
      { action: 'sandbox.time-advanced', subject: `integration:${pair.clientId}/${pair.appId}`, after: { deliveries: 1, payments: 0 } },
    ]);
  });

  it('can be read, moved and reset through the manage API', async () => {
    const { manage } = service;
    expect(await manage('PUT', 'sandbox/partners/miniapp/dials', { delay_ms: 1 })).toMatchObject({ status: 200, body: { delay_ms: 1 } });
    const { body: seen } = await manage('GET', 'sandbox');
    expect(seen).toMatchObject({ available: true, partners: [{ id: 'host-app' }, { id: 'miniapp', dials: { delay_ms: 1 } }] });
    expect((await manage('POST', 'sandbox/demo')).status).toBe(202);
    const walked = async () => (await manage('GET', 'sandbox/demo')).body;
    expect((await until(walked, ({ state }) => state !== 'running', 30_000)).state).toBe('as-expected');
    const ids = { client_id: pair.clientId, app_id: pair.appId };
    expect((await manage('POST', 'sandbox/advance', { ...ids, seconds: 1 })).body.advanced_s).toBe(1);
    const upcoming = await manage('GET', `sandbox/clock?client_id=${ids.client_id}&app_id=${ids.app_id}`);
    expect([upcoming.status, upcoming.body.in_flight]).toEqual([200, 0]);
    expect((await manage('POST', 'sandbox/wind', { seconds: 1 })).body.advanced_s).toBe(1);
    expect((await manage('POST', 'sandbox/reset')).body).toEqual({ reset: true });
    expect((await manage('GET', 'sandbox/demo')).status).toBe(200);
  }, 60_000);
});

it('is not there without the sandbox: no path lets time pass', async () => {
  const service = await startTestService();
  const body = { client_id: 'host_abc123def456', app_id: 'app_abc123', seconds: 1 };
  expect((await service.manage('POST', 'sandbox/advance', body)).status).toBe(404);
  expect((await service.manage('GET', 'sandbox/clock')).status).toBe(404);
  await service.close();
}, 30_000);

import type { OpenServer } from '../../../src/sandbox/open-server';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import type { SandboxPair } from '../../../src/sandbox/setup/sandbox-pair';
import { setUpSandbox } from '../../../src/sandbox/setup/set-up-sandbox';
import { operatorToken, startTestService, type TestService, until } from '../../support/service/service';

const loopback = { host: '127.0.0.1', port: 0 };
const test = { order_view_url: '/sandbox/orders/{order_payment_id}', events_view_url: '/sandbox/events' };

let service: TestService;
let servers: OpenServer[];
let pair: SandboxPair;
beforeEach(async () => {
  service = await startTestService();
  const [hostApp, miniapp] = [new SandboxHostApp(), new SandboxMiniapp()];
  const [hostServer, miniServer] = [await hostApp.start(loopback), await miniapp.start(loopback)];
  servers = [hostServer, miniServer];
  pair = await setUpSandbox({
    ...{ serviceUrl: service.url, operatorToken },
    hostApp: { partner: hostApp, url: hostServer.url },
    miniapp: { partner: miniapp, url: miniServer.url },
  });
  for (const secret of [pair.secretKey, pair.miniappSecretKey]) service.canary(secret);
});
afterEach(async () => {
  await service.close();
  for (const server of servers) await server.close();
});

const ids = () => ({ client_id: pair.clientId, app_id: pair.appId });
const start = (body: object) => service.manage('POST', 'conformance/runs', { ...ids(), ...body });
const ended = (id: string) =>
  until(
    () => service.manage('GET', `conformance/runs/${id}`),
    ({ body }) => body.state !== 'running',
    60_000,
  );

it('runs the scenarios on a partner while the service serves, and stores the result', async () => {
  const scenarios = (await service.manage('GET', 'conformance/scenarios?role=miniapp')).body.data;
  expect(scenarios[0]).toMatchObject({
    id: expect.any(String),
    group: expect.any(String),
    title: expect.any(String),
    quote: expect.any(String),
  });
  const started = await start({ role: 'miniapp', test });
  expect([started.status, started.body.state, started.body.scenarios]).toEqual([202, 'running', scenarios.length]);
  expect((await start({ role: 'host-app' })).status).toBe(409);
  const { body: run } = await ended(started.body.id);
  expect(run).toMatchObject({ state: 'done', role: 'miniapp', ...ids(), partner: `miniapp:${pair.appId}`, done: scenarios.length });
  expect(run.results.filter(({ verdict }: { verdict: string }) => verdict === 'failed')).toEqual([]);
  expect(run.score.passed).toBeGreaterThan(25);
  const [kept] = (await service.manage('GET', `conformance/runs?app_id=${pair.appId}`)).body.data;
  expect(kept).toMatchObject({ id: run.id, score: run.score });
  expect(Object.keys(kept.verdicts)).toHaveLength(scenarios.length);
  expect((await service.manage('GET', `conformance/runs?client_id=${pair.clientId}`)).body.data).toEqual([]);
  expect((await service.manage('GET', 'audit?action=conformance-run.started')).body.data).toHaveLength(1);

  for (const [form, type, sign] of [
    ['junit', 'application/xml', '<testsuites'],
    ['html', 'text/html', '<!doctype html>'],
    ['badge', 'image/svg+xml', '<svg'],
    ['json', 'application/json', '"scenarios"'],
  ] as const) {
    const report = await service.manage('GET', `conformance/runs/${run.id}/report?form=${form}`);
    expect([report.status, report.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
    expect(report.text.toLowerCase()).toContain(sign);
    expect(report.headers.get('content-security-policy')).toContain('sandbox');
    expect(report.text).not.toContain(pair.miniappSecretKey);
  }
}, 90_000);

it('names what fails, runs it alone, and is stopped', async () => {
  await service.manage('PATCH', `miniapps/${pair.appId}`, { webhook_url: `${servers[1]!.url}/nowhere` });
  const one = await start({ role: 'miniapp', only: ['webhook'], test });
  const { body: failed } = await ended(one.body.id);
  expect(failed.score.failed).toBeGreaterThan(0);
  const [first] = failed.results.filter(({ verdict }: { verdict: string }) => verdict === 'failed');
  expect(first).toMatchObject({ reason: expect.any(String), fix: expect.any(String), came: [expect.stringContaining('/nowhere')] });
  const again = await start({ role: 'miniapp', only: [first.id] });
  expect((await ended(again.body.id)).body).toMatchObject({ scenarios: 1, score: { failed: 1 } });

  const long = await start({ role: 'host-app' });
  const cancelled = await service.manage('POST', `conformance/runs/${long.body.id}/cancel`);
  expect([cancelled.status, cancelled.body.cancel_requested]).toEqual([200, true]);
  expect((await ended(long.body.id)).body).toMatchObject({ state: 'cancelled', stopped: 'it was cancelled' });
}, 60_000);

it('refuses invalid runs, and calls no address that the service may not call', async () => {
  expect((await start({ role: 'miniapp', only: ['no-such'] })).body.errors).toMatchObject([{ path: 'only' }]);
  for (const colour of ['red', null]) expect((await start({ role: 'miniapp', colour })).body.errors).toMatchObject([{ path: 'colour' }]);
  expect((await start({ role: 'miniapp', app_id: 'app_nobody' })).status).toBe(404);
  expect((await start({ role: 'miniapp', test: { unknown: 1 } })).body.errors).toMatchObject([{ path: 'test' }]);
  expect((await service.manage('GET', 'conformance/runs/nothing')).status).toBe(404);
  const secretUrl = 'http://169.254.169.254/latest/meta-data';
  const run = await start({ role: 'host-app', only: ['sign-on'], test: { auth_code_url: secretUrl } }).then(async ({ status, body }) =>
    status === 202 ? (await ended(body.id)).body : body,
  );
  const came = JSON.stringify(run);
  expect(came).toContain('the address may not be called');
}, 60_000);

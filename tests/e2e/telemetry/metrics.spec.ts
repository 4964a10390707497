import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { metricCatalogue } from '../../../src/adapters/out/telemetry/metric-catalogue';
import { openMetricsServer, type MetricsServer } from '../../../src/composition/processes/metrics-server';
import { CollectingLog } from '../../support/collecting-log';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { freePort } from '../../support/postgres/postgres-server';
import { metricNames, scrapeAt, totalOf } from '../../support/service/scrape';
import { startTestService, until, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import type { Pair } from '../../support/signatures/a-pair';

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let server: MetricsServer;
let port: number;
beforeAll(async () => {
  port = await freePort();
  service = await startTestService({ env: { METRICS_PORT: String(port), RATE_LIMITS: '{"settings":1}' } });
  const scrape = () => service.composed.scrape({ shared: true });
  server = await openMetricsServer({ settings: { metricsPort: port, metricsHost: '127.0.0.1' }, scrape, log: new CollectingLog() });
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({ ok: true }));
});
afterAll(async () => {
  server.close();
  await hostApp.stop();
  await miniapp.stop();
  await service.close();
});

const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const pairOf = () =>
  aPayingPair(service, hostApp, {
    hostApp: {},
    miniapp: { webhook_url: `${miniapp.url}/webhook`, get_auth_token_url: `${miniapp.url}/auth` },
  });
/** A scrape, once the metric has come to so much. */
const scraped = (name: string, labels: Record<string, string>, least: number) =>
  until(
    () => scrapeAt(port),
    ({ lines }) => totalOf(lines, name, labels) >= least,
  );

describe('metrics', () => {
  it('count calls by endpoint, integration and partner, deliveries, limits and checks', async () => {
    const pair = await pairOf();
    const user = { reference: service.canary('CANARY-user-9'), email: service.canary('canary@metrics.example') };
    const connect = (headers: Record<string, string>) =>
      service.call('POST', '/api/v1/connect/', { body: { ...idsOf(pair), user_data: user }, headers });
    expect((await connect(pair.basic)).status).toBe(200);
    expect((await connect({})).status).toBe(401);
    const made = await service.call('POST', '/api/v1/orders/create-order-payment/', {
      body: { ...idsOf(pair), order: { currency: 'USD', amount: '1.10' } },
    });
    expect(made.status).toBe(200);
    const report = { ...idsOf(pair), order_payment_id: made.body.order_payment_id, payment_status: 'paid' };
    expect((await service.call('POST', '/api/v1/orders/complete-order/', { body: report, headers: pair.basic })).status).toBe(200);
    const readSettings = () => service.call('GET', `/api/v1/miniapps/${pair.appId}/settings/?client_id=${pair.clientId}`);
    expect([(await readSettings()).status, (await readSettings()).status]).toEqual([200, 429]);

    await scraped('pierhead_delivery_attempts_total', { kind: 'completion', outcome: 'received' }, 1);
    const { lines, text } = await scraped('pierhead_requests_total', { call: 'settings', status: '429' }, 1);
    const total = (name: string, labels: Record<string, string>) => totalOf(lines, `pierhead_${name}`, labels);
    expect(total('requests_total', { call: 'connect', status: '200' })).toBe(1);
    expect(total('requests_total', { call: 'connect', status: '401' })).toBe(1);
    expect(total('request_duration_seconds_count', { call: 'connect' })).toBe(2);
    expect(total('integration_requests_total', { ...idsOf(pair), outcome: 'ok' })).toBe(3);
    expect(total('integration_requests_total', { ...idsOf(pair), outcome: 'hostapp' })).toBe(1);
    expect(total('partner_calls_total', { side: 'miniapp', step: 'miniapp_token', outcome: 'ok' })).toBe(1);
    expect(total('partner_calls_total', { side: 'hostapp', step: 'create', outcome: 'ok' })).toBe(1);
    expect(total('partner_calls_total', { side: 'miniapp', step: 'webhook', outcome: 'ok' })).toBe(1);
    expect(total('checks_refused_total', { check: 'basic', of: 'hostapp' })).toBe(1);
    expect(total('errors_total', { error_code: 'ACCESS_DENIED' })).toBe(1);
    expect(total('rate_limited_total', { limit: 'settings' })).toBe(1);
    expect(total('database_up', {})).toBe(1);
    expect(total('database_migrations_pending', {})).toBe(0);
    expect(totalOf(lines, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1_000_000);
    for (const secret of ['CANARY', 'canary@', pair.hostSecret, pair.miniSecret]) expect(text).not.toContain(secret);
  });

  it('are all in a scrape, whatever has happened, and no others', async () => {
    const { text } = await scrapeAt(port);
    expect([...metricNames(text)].sort()).toEqual(Object.keys(metricCatalogue).sort());
  });

  it('are all in the table of the guide, with their labels, and no other', () => {
    const guide = readFileSync(join(__dirname, '../../../docs/guides/operator.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| `((?:pierhead|process|nodejs)_[a-z0-9_]+)` +\| ([^|]*)\|/gm)];
    const documented = rows.map(([, name = '', labels = '']) => [name, [...labels.matchAll(/`([a-z_]+)`/g)].map(([, label]) => label)]);
    const declared = Object.entries(metricCatalogue).map(([name, definition]) => [name, 'labels' in definition ? definition.labels : []]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(documented));
  });

  it('stand at their own port alone, at one path', async () => {
    expect((await service.call('GET', '/metrics')).status).toBe(404);
    const answer = await fetch(`http://127.0.0.1:${String(port)}/metrics`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`http://127.0.0.1:${String(port)}/health/live`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${String(port)}/metrics`)).headers.get('content-type')).toBe(
      'text/plain; version=0.0.4; charset=utf-8',
    );
  });
});

describe('the port of the metrics', () => {
  let taken: Server;
  afterEach(() => void taken.close());

  it('stops nobody from serving where it is taken: that is said', async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port: metricsPort } = taken.address() as { port: number };
    const log = new CollectingLog();
    const opened = await openMetricsServer({ settings: { metricsPort, metricsHost: '127.0.0.1' }, scrape: async () => [], log });
    expect(opened.port).toBeUndefined();
    expect(log.of('metrics-not-served')).toMatchObject([{ port: metricsPort }]);
  });
});

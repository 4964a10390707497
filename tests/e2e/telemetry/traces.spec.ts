import type { Pair } from '../../support/signatures/a-pair';
import { textOf } from '../../support/documents/documents';
import { startTestService, until, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { StubCollector, type CollectedSpan } from '../../support/service/stub-collector';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const theirTrace = '0af7651916cd43dd8448eb211c80319c';

let collector: StubCollector;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
beforeEach(async () => {
  collector = await new StubCollector().start();
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({ ok: true }));
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
  await collector.stop();
});

/** A service whose traces go to the collector, with a pair of partners. */
async function aTracedService(env: Record<string, string> = {}) {
  const service = await startTestService({
    env: {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      ...{ PUBLIC_BASE_URL: 'https://platform.example', METRICS_PORT: '0', ...env },
    },
  });
  const pair = await aPayingPair(service, hostApp, {
    hostApp: { user_data_url: `${hostApp.url}/user?CANARY-query=1` },
    miniapp: { webhook_url: `${miniapp.url}/webhook?key=CANARY-query`, get_auth_token_url: `${miniapp.url}/auth` },
  });
  return { service, pair };
}

const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const post = (service: TestService, path: string, body: object, headers: Record<string, string> = {}) =>
  service.call('POST', `/api/v1/${path}/`, { body, headers });
const connect = (service: TestService, pair: Pair, headers: Record<string, string> = {}) => {
  const user = { reference: 'CANARY-user-9', email: 'canary@traces.example' };
  return post(service, 'connect', { ...idsOf(pair), user_data: user }, { ...pair.basic, ...headers });
};
const pay = async (service: TestService, pair: Pair): Promise<string> => {
  const made = await post(service, 'orders/create-order-payment', { ...idsOf(pair), order: { currency: 'USD', amount: '7391.55' } });
  expect(made.status).toBe(200);
  return made.body.order_payment_id as string;
};
const complete = (service: TestService, pair: Pair, id: string) =>
  post(service, 'orders/complete-order', { ...idsOf(pair), order_payment_id: id, payment_status: 'paid' }, pair.basic);
const spansOnce = (isThere: (spans: CollectedSpan[]) => boolean) => until(async () => collector.spans(), isThere, 10_000);
const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name);
const only = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const [found, ...more] = named(spans, name);
  if (!found || more.length > 0) throw new Error(`${String(more.length + (found ? 1 : 0))} spans are named ${name}`);
  return found;
};

describe('traces', () => {
  it('cover a sign-on, a payment and its delivery, with links from attempts to their cause', async () => {
    const { service, pair } = await aTracedService();
    try {
      expect((await connect(service, pair, { 'X-Request-Id': 'traced-1' })).status).toBe(200);
      const id = await pay(service, pair);
      miniapp.on('/webhook', json({ error: 'no' }, { status: 503 }));
      expect((await complete(service, pair, id)).status).toBe(200);
      await spansOnce((spans) => named(spans, 'POST miniapp webhook').length > 0);
      miniapp.on('/webhook', json({ ok: true }));
      await service.database.db.query(`update deliveries set due_at = now() where state = 'ready'`);
      const spans = await spansOnce((all) => named(all, 'POST miniapp webhook').length > 1);

      const [server, toMiniapp] = [only(spans, 'POST /api/v1/connect'), only(spans, 'POST miniapp miniapp_token')];
      const [record] = await service.exchanges('traced-1');
      expect(server).toMatchObject({ kind: 2, parentSpanId: undefined, links: [] });
      expect(server.attributes).toEqual({
        ...{ 'url.scheme': 'https', 'server.address': 'platform.example', 'server.port': 443 },
        ...{ 'http.request.method': 'POST', 'http.route': '/api/v1/connect', 'http.response.status_code': 200 },
        ...{ 'pierhead.request_id': 'traced-1', 'pierhead.exchange_id': record?.id },
        ...{ 'pierhead.client_id': pair.clientId, 'pierhead.app_id': pair.appId },
      });
      expect(toMiniapp).toMatchObject({ kind: 3, traceId: server.traceId, parentSpanId: server.spanId });
      expect(toMiniapp.attributes).toMatchObject({ 'url.full': `${miniapp.url}/auth`, 'http.response.status_code': 200 });

      const [create, toHostApp] = [only(spans, 'POST /api/v1/orders/create-order-payment'), only(spans, 'POST hostapp create')];
      expect([toHostApp.traceId, toHostApp.parentSpanId]).toEqual([create.traceId, create.spanId]);

      const causing = only(spans, 'POST /api/v1/orders/complete-order');
      const attempts = named(spans, 'POST miniapp webhook');
      expect(attempts.map(({ attributes }) => [attributes['http.response.status_code'], attributes['error.type']])).toEqual([
        [503, '503'],
        [200, undefined],
      ]);
      expect(attempts.map(({ attributes }) => attributes['pierhead.attempt'])).toEqual([1, 2]);
      expect(new Set(attempts.map(({ attributes }) => attributes['pierhead.delivery_id'])).size).toBe(1);
      for (const { parentSpanId, links } of attempts)
        expect([parentSpanId, links]).toMatchObject([undefined, [{ traceId: causing.traceId, spanId: causing.spanId }]]);
      expect(new Set([server, create, causing, ...attempts].map(({ traceId }) => traceId)).size).toBe(5);
      expect(collector.resource()).toMatchObject({ 'service.name': 'pierhead', 'telemetry.sdk.name': 'opentelemetry' });

      const [, guide = ''] = textOf('docs/guides/operator.md').split('### Traces');
      const attributeNames = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
      expect([...attributeNames].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);

      for (const secret of ['CANARY', 'canary@', pair.hostSecret, pair.miniSecret, '7391.55']) expect(collector.text).not.toContain(secret);
      const line = service.logText().match(/.*"request_id":"traced-1".*/)?.[0] ?? '{}';
      expect(JSON.parse(line)).toMatchObject({ call: 'connect', trace_id: server.traceId });
    } finally {
      await service.close();
    }
  });

  it('lead from a delivery to the poll that found its result', async () => {
    const { service, pair } = await aTracedService();
    try {
      const orderPaymentId = await pay(service, pair);
      hostApp.on('/status', json({ payment_status: 'paid' }));
      const [{ id }] = (await service.manage('GET', `payments?order_payment_id=${orderPaymentId}`)).body.data;
      expect((await service.manage('POST', `payments/${String(id)}/poll`)).body.status).toBe('paid');
      const spans = await spansOnce((all) => named(all, 'POST miniapp webhook').length > 0 && named(all, 'reconcile').length > 0);
      const [poll, status, webhook] = [only(spans, 'reconcile'), only(spans, 'POST hostapp status'), only(spans, 'POST miniapp webhook')];
      const [record] = await service.exchanges(String(poll.attributes['pierhead.request_id']));
      expect(poll).toMatchObject({ kind: 1, parentSpanId: undefined, links: [], attributes: { 'pierhead.exchange_id': record?.id } });
      expect(status).toMatchObject({ traceId: poll.traceId, parentSpanId: poll.spanId });
      expect(webhook).toMatchObject({ parentSpanId: undefined, links: [{ traceId: poll.traceId, spanId: poll.spanId }] });
    } finally {
      await service.close();
    }
  });

  it("stay apart by company: a caller's trace is linked and passed on unchanged", async () => {
    const { service, pair } = await aTracedService();
    try {
      expect((await connect(service, pair, { traceparent })).status).toBe(200);
      expect((await connect(service, pair)).status).toBe(200);
      const spans = await spansOnce((all) => named(all, 'POST /api/v1/connect').length > 1);
      const [linked, plain] = named(spans, 'POST /api/v1/connect');
      expect(linked).toMatchObject({ parentSpanId: undefined, links: [{ traceId: theirTrace, spanId: 'b7ad6b7169203331' }] });
      expect(linked?.traceId).not.toBe(theirTrace);
      expect(plain?.links).toEqual([]);
      expect(miniapp.at('/auth').map(({ headers }) => headers.traceparent)).toEqual([traceparent, undefined]);
    } finally {
      await service.close();
    }
  });

  it('go on from company to company where they are joined', async () => {
    const { service, pair } = await aTracedService({ TRACE_CONTEXT: 'join' });
    try {
      expect((await connect(service, pair, { traceparent })).status).toBe(200);
      const id = await pay(service, pair);
      expect((await complete(service, pair, id)).status).toBe(200);
      const spans = await spansOnce((all) => named(all, 'POST miniapp webhook').length > 0);
      const [server, leg] = [only(spans, 'POST /api/v1/connect'), only(spans, 'POST miniapp miniapp_token')];
      expect(server).toMatchObject({ traceId: theirTrace, parentSpanId: 'b7ad6b7169203331' });
      expect(miniapp.at('/auth')[0]?.headers.traceparent).toBe(`00-${theirTrace}-${leg.spanId}-01`);
      const { traceId, spanId } = only(spans, 'POST miniapp webhook');
      expect(miniapp.at('/webhook')[0]?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    } finally {
      await service.close();
    }
  });

  it('show the error, the claimed caller and the route of a refused call', async () => {
    const { service, pair } = await aTracedService();
    try {
      expect((await post(service, 'connect', { ...idsOf(pair), user_data: {} })).status).toBe(401);
      expect((await service.call('GET', `/api/v1/miniapps/${pair.appId}/settings/?client_id=${pair.clientId}`)).status).toBe(200);
      expect((await post(service, 'event-bridge/hostapp', {})).status).toBe(400);
      expect((await service.call('GET', '/api/v1/CANARY-nowhere/')).status).toBe(404);
      const spans = await spansOnce((all) => all.length > 2);
      expect(only(spans, 'POST /api/v1/connect').attributes).toMatchObject({
        ...{ 'http.response.status_code': 401, 'error.type': 'ACCESS_DENIED', 'pierhead.client_id': pair.clientId },
      });
      expect(only(spans, 'GET /api/v1/miniapps/:app_id/settings').attributes).toMatchObject({ 'pierhead.app_id': pair.appId });
      expect(only(spans, 'POST /api/v1/event-bridge/hostapp').attributes).toMatchObject({ 'error.type': 'INVALID_INPUT' });
      expect(spans).toHaveLength(3);
    } finally {
      await service.close();
    }
  });

  it.each([
    ['always_off', {}],
    ['parentbased_traceidratio', { OTEL_TRACES_SAMPLER_ARG: '0' }],
  ])('are not made if the sampler is %s, and the log has no trace ids', async (sampler, more) => {
    const { service, pair } = await aTracedService({ OTEL_TRACES_SAMPLER: sampler, ...more });
    expect((await connect(service, pair)).status).toBe(200);
    await service.close();
    expect(collector.store).toEqual([]);
    expect(service.logText()).not.toContain('trace_id');
  });

  it('leave before a stop, in the binary form of the protocol too', async () => {
    const { service, pair } = await aTracedService({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' });
    expect((await connect(service, pair)).status).toBe(200);
    await service.close();
    expect(collector.store.map(({ headers }) => headers['content-type'])).toEqual(['application/x-protobuf']);
    expect(collector.store[0]?.body.includes('POST /api/v1/connect')).toBe(true);
  });
});

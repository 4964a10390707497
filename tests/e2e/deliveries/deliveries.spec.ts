import { basicOf, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { held, json, refusalOf, reset } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

const env = { DELIVERY_TIMEOUT_MS: '1500' };
let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
beforeAll(async () => {
  service = await startTestService({ env });
});
afterAll(() => service.close());
beforeEach(async () => {
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({ ok: true }));
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
});

const pairAt = ({ miniapp: settings, ...more }: PairSettings = {}): Promise<Pair> =>
  aPayingPair(service, hostApp, { miniapp: { webhook_url: `${miniapp.url}/webhook`, ...settings }, ...more });
const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const opened = async (pair: Pair): Promise<string> => {
  const order = { currency: 'USD', amount: '1.10', hostapp_user_id: service.canary('CANARY-user-1'), note: service.canary('CANARY-note') };
  const reply = await service.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...idsOf(pair), order } });
  expect(reply.status).toBe(200);
  return reply.body.order_payment_id as string;
};
const complete = (pair: Pair, orderPaymentId: string, more: object = {}, headers: Record<string, string> = {}) =>
  service.call('POST', '/api/v1/orders/complete-order/', {
    body: { ...idsOf(pair), order_payment_id: orderPaymentId, payment_status: 'paid', ...more },
    headers: { ...pair.basic, ...headers },
  });
const completed = async (pair: Pair, more: object = {}): Promise<string> => {
  const orderPaymentId = await opened(pair);
  expect((await complete(pair, orderPaymentId, more)).status).toBe(200);
  return orderPaymentId;
};
const webhooks = (count: number) =>
  until(
    async () => miniapp.at('/webhook'),
    (all) => all.length >= count,
  );
const deliveriesOf = async (pair: Pair, query = '') =>
  (await service.manage('GET', `deliveries?client_id=${pair.clientId}&app_id=${pair.appId}${query}`)).body.data;
/** The one delivery of a pair, once it is as told. */
const delivery = async (pair: Pair, members: object) => {
  const found = await until(
    () => deliveriesOf(pair),
    ([one]) => one !== undefined && Object.entries(members).every(([name, value]) => one[name] === value),
  );
  return (await service.manage('GET', `deliveries/${String(found[0].id)}`)).body;
};
/** Makes what waits for its next attempt due now. */
const hurry = (pair: Pair) =>
  service.database.db.query(
    `update deliveries set due_at = now() where state = 'ready' and integration_id in (select id from integrations where client_id = $1)`,
    [pair.clientId],
  );

describe('a completion', () => {
  it('reaches the miniapp at once: six unchanged fields, an id, a time, credentials', async () => {
    const pair = await pairAt();
    const orderPaymentId = await opened(pair);
    const attributes = '{"z":1.10,"2":1e400,"1":-0,"nil":null,"text":"ä"}';
    const body =
      `{"custom_attributes":${attributes},"extra":1,"payment_fail_reason":"none","payment_status":"paid","order_payment_id":"${orderPaymentId}",` +
      `"client_id":"${pair.clientId}","app_id":"${pair.appId}"}`;
    const headers = { ...pair.basic, 'Content-Type': 'application/json', 'X-Request-Id': 'complete-1' };
    expect((await service.call('POST', '/api/v1/orders/complete-order/', { body, headers })).status).toBe(200);
    const [sent] = await webhooks(1);
    expect(sent!.body.toString()).toBe(
      `{"app_id":"${pair.appId}","client_id":"${pair.clientId}","order_payment_id":"${orderPaymentId}","payment_status":"paid",` +
        `"payment_fail_reason":"none","custom_attributes":${attributes}}`,
    );
    const { id } = await delivery(pair, { state: 'delivered' });
    expect(sent!.headers).toMatchObject({
      authorization: basicOf(pair.appId, pair.miniSecret).Authorization,
      'webhook-id': id,
      'x-request-id': 'complete-1',
      'x-hostapp-client-id': pair.clientId,
      'x-miniapp-app-id': pair.appId,
    });
    const sentAt = Number(sent!.headers['webhook-timestamp']) * 1000;
    expect(sent!.at - sentAt).toBeGreaterThanOrEqual(0);
    expect(sent!.at - sentAt).toBeLessThan(5000);
  });

  it("is relayed with the host app's status word, and without absent members", async () => {
    const pair = await pairAt();
    const orderPaymentId = await completed(pair, { payment_status: 'cancelled' });
    const [sent] = await webhooks(1);
    expect(JSON.parse(sent!.body.toString())).toEqual({ ...idsOf(pair), order_payment_id: orderPaymentId, payment_status: 'cancelled' });
  });

  it('follows its commit within milliseconds, and is sent once despite repeated reports', async () => {
    const pair = await pairAt();
    const waits: number[] = [];
    for (let i = 0; i < 30; i++) {
      const orderPaymentId = await opened(pair);
      await complete(pair, orderPaymentId);
      const answeredAt = Date.now();
      const all = await webhooks(i + 1);
      waits.push(all[i]!.at - answeredAt);
      expect((await complete(pair, orderPaymentId)).status).toBe(200);
    }
    await delivery(pair, { state: 'delivered' });
    expect(miniapp.at('/webhook')).toHaveLength(30);
    waits.sort((a, b) => a - b);
    process.stdout.write(
      `answer of complete-order to webhook received: p50 ${String(waits[15])} ms, longest ${String(waits[29])} ms of 30\n`,
    );
    expect(waits[15]).toBeLessThan(2000);
  });

  it('is received with any 2xx, even if the answer holds an error code', async () => {
    miniapp.on('/webhook', refusalOf('PROCESS_FAIL', { status: 202 }));
    const pair = await pairAt();
    await completed(pair);
    const { attempts } = await delivery(pair, { state: 'delivered' });
    expect(attempts).toEqual([
      { reason: 'schedule', at: expect.any(String), ms: expect.any(Number), status: 202, error_code: 'PROCESS_FAIL' },
    ]);
  });

  it('is tried again until it is received, with the same id and bytes', async () => {
    miniapp.on('/webhook', json({}, { status: 500 }));
    const pair = await pairAt();
    await completed(pair, { custom_attributes: { b: 1, a: 2 } });
    const first = await delivery(pair, { attempt_count: 1 });
    expect(first).toMatchObject({ state: 'ready', kind: 'completion', receiver: 'miniapp', payment_id: first.id });
    expect(Date.parse(first.due_at) - Date.parse(first.attempts[0].at)).toBeGreaterThanOrEqual(4000);
    miniapp.on('/webhook', reset);
    await hurry(pair);
    await delivery(pair, { attempt_count: 2 });
    miniapp.on('/moved', json({}));
    await service.manage('PATCH', `miniapps/${pair.appId}`, { webhook_url: `${miniapp.url}/moved` });
    const secret = service.canary(
      (await service.manage('POST', `miniapps/${pair.appId}/rotate`, { credential: 'secret_key' })).body.secret_key,
    );
    await hurry(pair);
    const { attempts } = await delivery(pair, { state: 'delivered' });
    expect(attempts).toMatchObject([
      { status: 500, error_code: 'UNEXPECTED_RESPONSE_ERROR', cause: 'http-500' },
      { error_code: 'UNEXPECTED_RESPONSE_ERROR', cause: 'reset' },
      { status: 200 },
    ]);
    const sent = [...miniapp.at('/webhook'), ...miniapp.at('/moved')];
    expect(new Set(sent.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body.toString()}`)).size).toBe(1);
    expect(miniapp.at('/moved')[0]!.headers.authorization).toBe(basicOf(pair.appId, secret).Authorization);
  });

  it('holds up no other while its miniapp hangs', async () => {
    const other = await new StubMiniapp().start();
    other.on('/webhook', json({}));
    const { behaviour, release } = held(json({}));
    miniapp.on('/webhook', behaviour);
    const slow = await pairAt();
    const quick = await pairAt({ miniapp: { webhook_url: `${other.url}/webhook` } });
    await completed(slow);
    await webhooks(1);
    await completed(quick);
    await until(
      async () => other.at('/webhook'),
      (all) => all.length === 1,
    );
    expect((await deliveriesOf(slow))[0].state).toBe('ready');
    release();
    await delivery(slow, { state: 'delivered' });
    await other.stop();
  });
});

describe('switched off', () => {
  it('waits, visibly, and goes out when it is on again', async () => {
    const pair = await pairAt();
    const orderPaymentId = await opened(pair);
    miniapp.on('/webhook', json({}, { status: 503 }));
    await complete(pair, orderPaymentId);
    await delivery(pair, { attempt_count: 1 });
    miniapp.on('/webhook', json({}));
    await service.manage('PATCH', `miniapps/${pair.appId}`, { features: { payments: false } });
    await hurry(pair);
    expect(await delivery(pair, { state: 'parked' })).toMatchObject({ parked_by: 'FEATURE_DISABLED_IN_MINIAPP', attempt_count: 1 });
    expect(await deliveriesOf(pair, '&state=parked')).toHaveLength(1);
    expect(miniapp.at('/webhook')).toHaveLength(1);
    await service.manage('PATCH', `miniapps/${pair.appId}`, { features: { payments: true } });
    expect(await delivery(pair, { state: 'delivered' })).not.toHaveProperty('parked_by');
  });

  it.each([
    ['the host app', (pair: Pair, on: boolean) => service.manage('PATCH', `host-apps/${pair.clientId}`, { features: { payments: on } })],
    [
      'the integration',
      ({ clientId, appId }: Pair, on: boolean) =>
        service.manage('PUT', `integrations/${clientId}/${appId}`, { status: on ? 'accepted' : 'suspended', features: { payments: true } }),
    ],
  ])('goes out at once when %s is switched on', async (_what, switchTo) => {
    const pair = await pairAt();
    const orderPaymentId = await opened(pair);
    miniapp.on('/webhook', json({}, { status: 404 }));
    await complete(pair, orderPaymentId);
    await delivery(pair, { attempt_count: 1 });
    miniapp.on('/webhook', json({}));
    await switchTo(pair, false);
    await hurry(pair);
    await delivery(pair, { state: 'parked' });
    const begun = Date.now();
    expect((await switchTo(pair, true)).status).toBe(200);
    await delivery(pair, { state: 'delivered' });
    expect(Date.now() - begun).toBeLessThan(5000);
  });
});

describe('the manage API', () => {
  it('shows payments without their orders, users and reasons', async () => {
    const pair = await pairAt();
    const reason = service.canary('CANARY-fail-reason');
    const orderPaymentId = await completed(pair, { payment_status: 'failed', payment_fail_reason: reason });
    await complete(pair, orderPaymentId, { payment_status: 'paid' }, { 'X-Request-Id': 'conflict-1' });
    const { id } = await delivery(pair, { state: 'delivered' });
    const list = await service.manage('GET', `payments?client_id=${pair.clientId}&order_payment_id=${orderPaymentId}`);
    const [payment] = list.body.data;
    expect(payment).toEqual({
      ...{ id: expect.any(String), ...idsOf(pair), integration_id: expect.any(String), order_payment_id: orderPaymentId },
      ...{ creation: 'opened', status: 'failed', amount: '1.10', currency: 'USD', polls: 0 },
      ...{ notice: 'delivered', open_conflicts: 1 },
      ...{ created_at: expect.any(String), settled_at: expect.any(String) },
    });
    const one = await service.manage('GET', `payments/${String(payment.id)}`);
    const differs = { payment_status: 'paid', differs_in: ['payment_status', 'payment_fail_reason'] };
    expect(one.body).toEqual({
      ...payment,
      result: { payment_status: 'failed', request_id: expect.any(String), at: payment.settled_at },
      disagreements: [{ id: expect.any(String), kind: 'conflict', request_id: 'conflict-1', at: expect.any(String), ...differs }],
    });
    expect(id).toBe(payment.id);
    const shown = [list, one, await service.manage('GET', 'deliveries'), await service.manage('GET', `deliveries/${String(id)}`)];
    for (const { text } of shown) expect(text).not.toContain('CANARY');
  });

  it('lists newest first, in pages, by each filter', async () => {
    const pair = await pairAt();
    const [first, second] = [await completed(pair), await opened(pair)];
    const payments = async (query: string) =>
      (await service.manage('GET', `payments?client_id=${pair.clientId}${query}`)).body.data.map(
        (one: { order_payment_id: string }) => one.order_payment_id,
      );
    expect(await payments('')).toEqual([second, first]);
    expect(await payments('&status=paid')).toEqual([first]);
    expect(await payments(`&app_id=${pair.appId}&creation=opened&status=in_process`)).toEqual([second]);
    expect([await payments('&settled=yes'), await payments('&settled=no')]).toEqual([[first], [second]]);
    expect(await payments('&app_id=app_none00')).toEqual([]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await payments(`&from=${soon}`)).toEqual([]);
    expect(await payments(`&to=${soon}`)).toEqual([second, first]);
    const page = (await service.manage('GET', `payments?client_id=${pair.clientId}&limit=1`)).body;
    expect(await payments(`&limit=1&cursor=${String(page.next_cursor)}`)).toEqual([first]);
    expect(await payments(`&id=${String(page.data[0].id)}`)).toEqual([second]);
  });

  it('sends a received delivery again, with the same id and bytes, audited', async () => {
    const pair = await pairAt();
    await completed(pair);
    const before = await delivery(pair, { state: 'delivered' });
    const reply = await service.manage('POST', `deliveries/${String(before.id)}/resend`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ id: before.id, state: 'ready', attempt_count: 1, resent_at: expect.any(String) });
    const sent = await webhooks(2);
    expect(new Set(sent.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body.toString()}`)).size).toBe(1);
    await delivery(pair, { state: 'delivered', attempt_count: 2 });
    const audit = (await service.manage('GET', `audit?subject=delivery:${String(before.id)}`)).body.data;
    expect(audit).toMatchObject([
      { action: 'delivery.resent', actor: 'operator', before: { state: 'delivered', attempt_count: 1 }, after: { state: 'ready' } },
    ]);
  });

  it('sends many again by a filter, so many a second, and shows how they stand', async () => {
    const pair = await pairAt();
    const since = new Date().toISOString();
    for (let i = 0; i < 3; i++) await completed(pair);
    await webhooks(3);
    await until(
      () => deliveriesOf(pair, '&state=delivered'),
      (all) => all.length === 3,
    );
    const filter = { state: 'delivered', app_id: pair.appId, from: since, kind: 'completion' };
    const preview = await service.manage('POST', 'deliveries/resend', { ...filter, preview: true });
    expect([preview.status, preview.body]).toEqual([200, { count: 3, ids: expect.any(Array) }]);
    expect(miniapp.at('/webhook')).toHaveLength(3);
    const begun = await service.manage('POST', 'deliveries/resend', { ...filter, per_second: 2 });
    expect([begun.status, begun.body]).toEqual([
      202,
      { id: expect.any(String), state: 'running', count: 3, per_second: 2, filter, created_at: expect.any(String) },
    ]);
    const path = `resends/${String(begun.body.id)}`;
    const done = await until(
      () => service.manage('GET', path),
      ({ body }) => body.delivered === 3,
    );
    expect(done.body).toMatchObject({ state: 'done', waiting: 0, failed: 0 });
    const sent = miniapp.at('/webhook');
    expect(sent).toHaveLength(6);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(sent[5]!.at - sent[3]!.at).toBeGreaterThan(900);
    const [{ id }] = await deliveriesOf(pair);
    expect((await service.manage('GET', `deliveries/${String(id)}`)).body.attempts).toMatchObject([
      { reason: 'schedule', status: 200 },
      { reason: 'operator', status: 200 },
    ]);
    expect((await service.manage('GET', 'resends?limit=1')).body).toMatchObject({ data: [{ id: begun.body.id }] });
    const audit = async () => (await service.manage('GET', `audit?subject=resend:${String(begun.body.id)}`)).body.data;
    expect(await audit()).toMatchObject([{ action: 'resend.started', after: { count: 3, per_second: 2 } }]);
    expect((await service.manage('POST', `${path}/cancel`)).body).toMatchObject({ state: 'cancelled', delivered: 3 });
    expect(await audit()).toMatchObject([{ action: 'resend.cancelled' }, { action: 'resend.started' }]);
  });

  it('shows a failing endpoint, and releases it when the operator says so', async () => {
    miniapp.on('/webhook', json({}, { status: 503 }));
    const pair = await pairAt();
    for (let i = 0; i < 6; i++) await completed(pair);
    const queue = `miniapp:${pair.appId}:completion`;
    const shown = () => service.manage('GET', `endpoint-queues/${queue}`);
    const open = await until(shown, ({ body }) => body.state === 'open');
    expect(open.body).toMatchObject({ queue, waiting: 6, oldest: expect.any(String), next_probe_at: expect.any(String) });
    expect((await deliveriesOf(pair))[0]).toMatchObject({ queue });
    const first = (await service.manage('GET', 'endpoint-queues?limit=1')).body;
    const listed = [
      ...first.data,
      ...(await service.manage('GET', `endpoint-queues?limit=200&cursor=${String(first.next_cursor)}`)).body.data,
    ];
    expect(listed).toContainEqual(expect.objectContaining({ queue, state: 'open' }));
    miniapp.on('/webhook', json({}));
    expect((await service.manage('POST', `endpoint-queues/${queue}/release`)).body).toMatchObject({ queue, state: 'half-open' });
    await until(
      () => deliveriesOf(pair, '&state=delivered'),
      (all) => all.length === 6,
    );
    const audit = (await service.manage('GET', `audit?subject=endpoint-queue:${queue}`)).body.data;
    expect(audit).toMatchObject([{ action: 'endpoint-queue.released', before: { state: 'open' } }]);
  });

  it.each([
    [{}, ''],
    [{ state: 'failed', missing_since: '2026-01-01T00:00:00Z' }, ''],
    [{ state: 'lost' }, 'state'],
    [{ state: 'failed', per_second: 101 }, 'per_second'],
    [{ state: 'failed', from: 'yesterday' }, 'from'],
    [{ failed_since: 1 }, 'failed_since'],
    [{ state: 'failed', all: true }, 'all'],
  ])('resends nothing for %j', async (body, path) => {
    const reply = await service.manage('POST', 'deliveries/resend', body);
    expect([reply.status, reply.body.errors.map((one: { path: string }) => one.path)]).toEqual([400, expect.arrayContaining([path])]);
  });

  it.each([
    ['GET', 'resends/nothing'],
    ['POST', 'resends/nothing/cancel'],
    ['GET', 'endpoint-queues/nothing'],
    ['POST', 'endpoint-queues/miniapp:app_1:event/release'],
    ['GET', 'payments/nothing'],
    ['GET', 'deliveries/nothing'],
    ['POST', 'deliveries/nothing/resend'],
    ['GET', 'deliveries/%00'],
  ])('finds nothing at %s %s', async (method, path) => {
    const { status, body } = await service.manage(method, path);
    expect([status, body.type]).toEqual([404, 'urn:pierhead:problem:not-found']);
  });

  it.each(['deliveries?state=lost', 'deliveries?kind=x', 'payments?status=processing', 'payments?settled=1', 'payments?amount=1'])(
    'refuses %s',
    async (path) => {
      const { status, body } = await service.manage('GET', path);
      expect([status, body.errors.length]).toEqual([400, 1]);
    },
  );
});

it('finishes attempts in flight before it stops, and leaves nothing claimed', async () => {
  const stopped = await startTestService({ env });
  const { behaviour, release } = held(json({}));
  miniapp.on('/webhook', behaviour);
  const pair = await aPayingPair(stopped, hostApp, { miniapp: { webhook_url: `${miniapp.url}/webhook` } });
  const order = { currency: 'USD', amount: '1.10' };
  const opened = await stopped.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...idsOf(pair), order } });
  const { order_payment_id } = opened.body;
  const body = { ...idsOf(pair), order_payment_id, payment_status: 'paid' };
  expect((await stopped.call('POST', '/api/v1/orders/complete-order/', { body, headers: pair.basic })).status).toBe(200);
  await webhooks(1);
  const closing = stopped.composed.close();
  release();
  await closing;
  const rows = await stopped.database.db.query('select state, lease from deliveries');
  await stopped.close();
  expect(rows).toEqual([{ state: 'delivered', lease: null }]);
});

import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import type { Pair, PairSettings } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { bytes, json, type Behaviour } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

/** The first ask is due at once. */
const timesMs = [0, 60_000, 120_000];
const change: Parameters<typeof startTestService>[0] = {
  change: (container) => void container.rebind(T.pollTimesMs).toConstantValue(timesMs),
};

let service: TestService;
let second: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
beforeAll(async () => {
  service = await startTestService(change);
  second = await startTestService({ ...change, database: service.database });
});
afterAll(async () => {
  await second.close();
  await service.close();
});
beforeEach(async () => {
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({ ok: true }));
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
});

const pairAt = (settings: PairSettings = {}): Promise<Pair> =>
  aPayingPair(service, hostApp, { miniapp: { webhook_url: `${miniapp.url}/webhook` }, ...settings });
const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const opened = async (pair: Pair): Promise<string> => {
  const body = { ...idsOf(pair), order: { currency: 'USD', amount: '1.10' } };
  const reply = await service.call('POST', '/api/v1/orders/create-order-payment/', { body });
  expect(reply.status).toBe(200);
  return reply.body.order_payment_id as string;
};
const complete = (pair: Pair, orderPaymentId: string, status: string) =>
  service.call('POST', '/api/v1/orders/complete-order/', {
    body: { ...idsOf(pair), order_payment_id: orderPaymentId, payment_status: status },
    headers: pair.basic,
  });
const paymentOf = async (pair: Pair, orderPaymentId: string) => {
  const query = `client_id=${pair.clientId}&order_payment_id=${orderPaymentId}`;
  const [{ id }] = (await service.manage('GET', `payments?${query}`)).body.data;
  return (await service.manage('GET', `payments/${String(id)}`)).body;
};
/** Looks on every instance at once, as each does by itself every second. */
const readPayment = () =>
  Promise.all([service, second].map(({ composed }) => resolve(composed.container, T.reconcilePayments).execute({ limit: 64 })));
/** A payment of a pair, once it is as told. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the test checks the answer over HTTP
const payment = (pair: Pair, orderPaymentId: string, isSo: (shown: any) => boolean) =>
  until(async () => (await readPayment(), paymentOf(pair, orderPaymentId)), isSo);
const polls = (count: number) =>
  until(
    async () => (await readPayment(), hostApp.at('/status')),
    (all) => all.length >= count,
  );
const webhooks = (count: number) =>
  until(
    async () => miniapp.at('/webhook'),
    (all) => all.length >= count,
  );
const exchangesOf = async (pair: Pair, count: number) =>
  until(
    async () => (await service.manage('GET', `exchanges?client_id=${pair.clientId}&call=reconcile`)).body.data,
    (all) => all.length >= count,
  );
/** Ends the wait of a pair's host app and makes planned polls due now. */
const hurry = async (pair: Pair): Promise<void> => {
  const { db } = service.database;
  await db.query(`update polled_host_apps set backoff_until = now() where client_id = $1 and backoff_until is not null`, [pair.clientId]);
  await db.query(`update order_payments set poll_at = now() where polled_host_app = $1 and poll_at is not null`, [pair.clientId]);
};

it('settles a payment without a completion, and sends its webhook once', async () => {
  const pair = await pairAt();
  const id = await opened(pair);
  const attributes = '{"z":1.10,"2":1e400}';
  await payment(pair, id, ({ last_outcome: outcome }) => outcome === 'in_process');
  hostApp.on('/status', json(`{"payment_status":"paid","payment_fail_reason":"none","custom_attributes":${attributes}}`));
  await hurry(pair);
  await polls(2);
  const [sent] = await webhooks(1);
  expect(sent?.body.toString()).toBe(
    `{"app_id":"${pair.appId}","client_id":"${pair.clientId}","order_payment_id":"${id}","payment_status":"paid",` +
      `"payment_fail_reason":"none","custom_attributes":${attributes}}`,
  );
  const shown = await payment(pair, id, ({ status, last_outcome: outcome }) => status === 'paid' && outcome === 'paid');
  const statusCalls = hostApp.at('/status');
  expect(shown).toMatchObject({ polls: statusCalls.length, last_poll_at: expect.stringMatching(/Z$/), settled_at: expect.any(String) });
  expect(shown).not.toHaveProperty('next_poll_at');
  expect(JSON.parse(statusCalls[0]!.body.toString())).toEqual({ ...idsOf(pair), order_payment_id: id });
  const [last, first] = await exchangesOf(pair, 2);
  expect(last).toMatchObject({ app_id: pair.appId, status: 200, legs: [{ to: 'hostapp', step: 'status', status: 200 }] });
  expect([first.request_id, last.request_id]).toEqual(statusCalls.map(({ headers }) => headers['x-request-id']));
  expect(sent?.headers['x-request-id']).toBe(last.request_id);
  // The host app calls after all: the same result.
  expect((await complete(pair, id, 'paid')).status).toBe(200);
  expect(miniapp.at('/webhook')).toHaveLength(1);
});

it('polls once each time, however many instances there are, and shows the plan', async () => {
  const pair = await pairAt();
  const ids = await Promise.all([opened(pair), opened(pair), opened(pair)]);
  for (const time of [1, 2, 3]) {
    // Not after the last one: instances look by themselves, too.
    if (time > 1) await hurry(pair);
    const shown = await Promise.all(ids.map((id) => payment(pair, id, (found) => found.polls === time)));
    expect(shown[0]).toMatchObject({ status: 'in_process', last_outcome: 'in_process' });
    expect(Date.parse(shown[0].next_poll_at) - Date.parse(shown[0].created_at)).toBe(60_000);
    expect(hostApp.at('/status')).toHaveLength(3 * time);
  }
  expect(await exchangesOf(pair, 9)).toHaveLength(9);
});

it('and complete-order at once lead to one result and one webhook', async () => {
  const pair = await pairAt();
  const [same, other] = [await opened(pair), await opened(pair)];
  let answer = (): void => undefined;
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  hostApp.on('/status', async (received, response) => {
    await mayAnswer;
    await json({ payment_status: 'paid' })(received, response);
  });
  await polls(2);
  expect([(await complete(pair, same, 'paid')).status, (await complete(pair, other, 'failed')).status]).toEqual([200, 200]);
  answer();
  await payment(pair, same, ({ last_outcome: outcome }) => outcome === 'paid');
  const shown = await payment(pair, other, ({ last_outcome: outcome }) => outcome === 'paid');
  expect(shown).toMatchObject({ status: 'failed', disagreements: [{ kind: 'conflict' }] });
  expect((await exchangesOf(pair, 2)).map(({ error_code: code }: { error_code: string | null }) => code ?? '').sort()).toEqual([
    '',
    'INVALID_PAYMENT_STATUS',
  ]);
  await webhooks(2);
  const received = miniapp.at('/webhook').map(({ body }) => JSON.parse(body.toString()));
  expect(received.map(({ order_payment_id: id, payment_status: status }) => [id, status]).sort()).toEqual(
    [
      [same, 'paid'],
      [other, 'failed'],
    ].sort(),
  );
});

const troubles: readonly [string, Behaviour, number, string][] = [
  ['is down', bytes('text/plain', 'x', { status: 503 }), 30_000, 'UNEXPECTED_RESPONSE_ERROR'],
  ['asks for patience', json({ error_code: 'BUSY' }, { status: 429, headers: { 'Retry-After': '600' } }), 600_000, 'BUSY'],
];
it.each(troubles)('pauses the polls of a host app that %s', async (_what, behaviour, waitMs, outcome) => {
  const pair = await pairAt();
  hostApp.on('/status', behaviour);
  const id = await opened(pair);
  const shown = await payment(pair, id, ({ polls }) => polls === 1);
  expect(shown.last_outcome).toBe(outcome);
  const [spared] = await service.database.db.query('select failures, backoff_until from polled_host_apps where client_id = $1', [
    pair.clientId,
  ]);
  expect(spared.failures).toBe(1);
  const wait = spared.backoff_until.getTime() - Date.parse(shown.last_poll_at);
  expect(wait).toBeGreaterThanOrEqual(waitMs);
  expect(wait).toBeLessThan(waitMs + 5000);
  expect(Date.parse(shown.next_poll_at)).toBe(Math.max(Date.parse(shown.created_at) + 60_000, spared.backoff_until.getTime()));
  hostApp.on('/status', json({ payment_status: 'cancelled' }));
  await hurry(pair);
  expect((await payment(pair, id, ({ status }) => status !== 'in_process')).status).toBe('cancelled');
  expect(hostApp.at('/status')).toHaveLength(2);
  await webhooks(1);
});

it.each([
  ['reconcile is off', { integration: { reconcile: false } }, 'FEATURE_DISABLED_IN_INTEGRATION'],
  ['it has no URL for that', { hostApp: { get_order_payment_status_url: undefined } }, 'ENDPOINT_URL_NOT_SET'],
])('asks nobody where %s, and says so', async (_what, settings, outcome) => {
  const pair = await pairAt(settings);
  const id = await opened(pair);
  const shown = await payment(pair, id, ({ last_outcome: last, next_poll_at: next, created_at: at }) => {
    return last !== undefined && Date.parse(next) - Date.parse(at) === 60_000;
  });
  expect(shown).toMatchObject({ polls: 0, last_outcome: outcome, status: 'in_process' });
  expect(hostApp.at('/status')).toEqual([]);
});

it('polls no host app once payments are disabled', async () => {
  const pair = await pairAt();
  const id = await opened(pair);
  await payment(pair, id, ({ polls: made }) => made === 1);
  await service.manage('PATCH', `host-apps/${pair.clientId}`, { features: { payments: false } });
  // The other instance hears of it within a second.
  await until(
    async () => resolve(second.composed.container, T.directory).hostApp(pair.clientId),
    (known) => known?.settings.features.payments === false,
  );
  await hurry(pair);
  const shown = await payment(pair, id, ({ last_outcome: last }) => last === 'FEATURE_DISABLED_IN_HOSTAPP');
  expect(shown).toMatchObject({ status: 'in_process', polls: 1 });
  expect(hostApp.at('/status')).toHaveLength(1);
});

it('shows a result that no payment was opened for, after a day, and no sooner', async () => {
  const pair = await pairAt();
  hostApp.on('/create', bytes('text/html', 'x', { status: 502 }));
  const order = { currency: 'USD', amount: '1.10' };
  await service.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...idsOf(pair), order } });
  for (const id of ['op-lost', 'op-lost-2']) expect((await complete(pair, id, 'paid')).status).toBe(200);
  const unmatched = async (query = '') => (await service.manage('GET', `payments/unmatched?client_id=${pair.clientId}${query}`)).body;
  expect((await unmatched()).data).toEqual([]);
  await service.database.db.query(`update payment_completions_early set at = at - interval '25 hours'`);
  // An instance that has just begun looks for them at once, the others within a minute.
  const third = await startTestService({ database: service.database });
  await Promise.all(await resolve(third.composed.container, T.reconcilePayments).execute({ limit: 1 }));
  await third.close();
  const { data, next_cursor: cursor } = await unmatched('&limit=1');
  expect(data).toMatchObject([{ ...idsOf(pair), order_payment_id: 'op-lost-2', status: 'paid', request_id: expect.any(String) }]);
  expect((await unmatched(`&limit=1&cursor=${String(cursor)}`)).data).toMatchObject([{ order_payment_id: 'op-lost' }]);
  expect((await unmatched('&order_payment_id=op-lost')).data).toHaveLength(1);
  expect((await service.manage('GET', 'payments/unmatched?x=1')).status).toBe(400);
});

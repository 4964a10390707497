import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import type { Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

/** Nobody asks by itself for a long time. */
const change = {
  change: (container: Parameters<NonNullable<NonNullable<Parameters<typeof startTestService>[0]>['change']>>[0]) =>
    void container.rebind(T.pollTimesMs).toConstantValue([3_600_000]),
};

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
beforeAll(async () => {
  service = await startTestService({ ...change, env: { RATE_LIMITS: '{"payment-poll":3}' } });
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

const aPair = (): Promise<Pair> => aPayingPair(service, hostApp, { miniapp: { webhook_url: `${miniapp.url}/webhook` } });
const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const opened = async (pair: Pair): Promise<{ id: string; orderPaymentId: string }> => {
  const body = { ...idsOf(pair), order: { currency: 'USD', amount: '1.10', miniapp_order_id: 'order-7' } };
  const orderPaymentId = (await service.call('POST', '/api/v1/orders/create-order-payment/', { body })).body.order_payment_id as string;
  const [{ id }] = (await service.manage('GET', `payments?client_id=${pair.clientId}&order_payment_id=${orderPaymentId}`)).body.data;
  return { id, orderPaymentId };
};
const complete = (pair: Pair, orderPaymentId: string, status: string, more: object = {}) =>
  service.call('POST', '/api/v1/orders/complete-order/', {
    body: { ...idsOf(pair), order_payment_id: orderPaymentId, payment_status: status, ...more },
    headers: pair.basic,
  });
const shown = async (id: string) => (await service.manage('GET', `payments/${id}`)).body;
const actionsOf = async (subject: string): Promise<unknown> =>
  (await service.manage('GET', `audit?subject=${subject}`)).body.data.map(({ action, after }: { action: string; after: unknown }) => [
    action,
    after,
  ]);
const deliver = () => resolve(service.composed.container, T.deliverDue).execute({ limit: 10 });

it('polls the host app at once on request, and settles the payment with its answer', async () => {
  const pair = await aPair();
  const { id } = await opened(pair);
  const first = await service.manage('POST', `payments/${id}/poll`);
  expect([first.status, first.body]).toEqual([
    200,
    expect.objectContaining({ id, status: 'in_process', polls: 1, last_outcome: 'in_process', order_id: 'order-7' }),
  ]);
  hostApp.on('/status', json({ payment_status: 'paid' }));
  expect((await service.manage('POST', `payments/${id}/poll`)).body).toMatchObject({ status: 'paid', polls: 2, last_outcome: 'paid' });
  await until(
    async () => (await deliver(), shown(id)),
    ({ notice }) => notice === 'delivered',
  );
  expect(await actionsOf(`payment:${id}`)).toEqual([
    ['payment.polled', { outcome: 'paid' }],
    ['payment.polled', { outcome: 'in_process' }],
  ]);
});

it('limits how often a host app is polled on request', async () => {
  const pair = await aPair();
  const { id } = await opened(pair);
  for (let i = 0; i < 3; i++) expect((await service.manage('POST', `payments/${id}/poll`)).status).toBe(200);
  const limited = await service.manage('POST', `payments/${id}/poll`);
  expect([limited.status, limited.body.type, Number(limited.headers.get('retry-after')) > 0]).toEqual([
    429,
    'urn:pierhead:problem:too-many',
    true,
  ]);
  expect((await service.manage('POST', 'payments/unknown/poll')).status).toBe(404);
  await service.manage('PUT', `integrations/${pair.clientId}/${pair.appId}`, { status: 'suspended' });
  const suspended = await service.manage('POST', `payments/${id}/poll`);
  expect([suspended.status, suspended.body.detail]).toEqual([409, expect.stringContaining('NO_INTEGRATION')]);
});

it('shows conflicting reports side by side until somebody has reviewed them', async () => {
  const pair = await aPair();
  const { id, orderPaymentId } = await opened(pair);
  await complete(pair, orderPaymentId, 'paid', { payment_fail_reason: 'canary-reason' });
  expect((await complete(pair, orderPaymentId, 'failed', { payment_fail_reason: 'canary-other' })).status).toBe(400);
  const before = await shown(id);
  expect(before).toMatchObject({ open_conflicts: 1, result: { payment_status: 'paid' } });
  expect(JSON.stringify(before)).not.toContain('canary');
  const [conflict] = before.disagreements;
  expect(conflict).toMatchObject({ kind: 'conflict', payment_status: 'failed', differs_in: ['payment_status', 'payment_fail_reason'] });
  const inConflict = async () => (await service.manage('GET', `payments?conflict=open&client_id=${pair.clientId}`)).body.data.length;
  expect(await inConflict()).toBe(1);
  const path = `payments/${id}/conflicts/${String(conflict.id)}/resolve`;
  expect((await service.manage('POST', path, {})).body.errors).toEqual([{ path: 'reason', rule: 'is required' }]);
  const resolved = await service.manage('POST', path, { reason: 'the host app refunded it' });
  expect(resolved.body).toMatchObject({
    open_conflicts: 0,
    disagreements: [{ resolved: { by: 'operator', reason: 'the host app refunded it' } }],
  });
  await service.manage('POST', path, { reason: 'again' });
  expect(await inConflict()).toBe(0);
  expect(await actionsOf(`payment:${id}`)).toEqual([['payment.conflict-resolved', { reason: 'the host app refunded it' }]]);
  expect((await service.manage('POST', `payments/${id}/conflicts/abc/resolve`, { reason: 'x' })).status).toBe(404);
});

it('pauses an endpoint with its reason and resumes it, and aborts a delivery', async () => {
  const pair = await aPair();
  const queue = `miniapp:${pair.appId}:completion`;
  const paused = await service.manage('POST', `endpoint-queues/${queue}/pause`, { reason: 'they release tonight' });
  expect(paused.body).toMatchObject({ queue, state: 'paused', paused: { by: 'operator', reason: 'they release tonight' } });
  const [one, two] = [await opened(pair), await opened(pair)];
  for (const { orderPaymentId } of [one, two]) await complete(pair, orderPaymentId, 'paid');
  await deliver();
  expect(miniapp.at('/webhook')).toHaveLength(0);
  expect((await service.manage('POST', `deliveries/${one.id}/abort`, { reason: 'not needed' })).body).toMatchObject({
    state: 'failed',
    aborted_reason: 'not needed',
  });
  expect((await service.manage('POST', `deliveries/${one.id}/abort`, { reason: 'not needed' })).status).toBe(409);
  const draft = (await service.manage('POST', `deliveries/${two.id}/request`)).body;
  expect(draft).toMatchObject({ id: two.id, receiver: 'miniapp', method: 'POST', url: `${miniapp.url}/webhook` });
  expect((await service.manage('GET', `timelines/delivery/${two.id}`)).body).toMatchObject({
    kind: 'delivery',
    id: two.id,
    delivery: { attempts: [] },
  });
  expect((await service.manage('POST', `endpoint-queues/${queue}/resume`)).status).toBe(200);
  await until(
    async () => (await deliver(), (await service.manage('GET', `deliveries/${two.id}`)).body),
    ({ state }) => state === 'delivered',
  );
  expect(miniapp.at('/webhook')).toHaveLength(1);
  expect((await service.manage('POST', `endpoint-queues/${queue}/resume`)).status).toBe(404);
  expect((await service.manage('POST', 'endpoint-queues/nobody/pause', { reason: 'x' })).status).toBe(404);
  expect((await service.manage('GET', `deliveries?queue=${queue}`)).body.data).toHaveLength(2);
});

it('counts payments and deliveries exactly', async () => {
  const pair = await aPair();
  const [one, two] = [await opened(pair), await opened(pair), await opened(pair)];
  await complete(pair, one.orderPaymentId, 'paid');
  await complete(pair, two.orderPaymentId, 'failed');
  await until(
    async () => (await deliver(), shown(two.id)),
    ({ notice }) => notice === 'delivered',
  );
  await until(
    async () => shown(one.id),
    ({ notice }) => notice === 'delivered',
  );
  const payments = (await service.manage('GET', `figures/payments?client_id=${pair.clientId}`)).body;
  expect(payments).toMatchObject({ funnel: { created: 3, accepted: 3, final: 2, noticed: 2 }, in_process: 1, overdue: 0 });
  expect(payments.time_to_final.bars.reduce((sum: number, { final }: { final: number }) => sum + final, 0)).toBe(2);
  const deliveries = (await service.manage('GET', `figures/deliveries?client_id=${pair.clientId}`)).body;
  const queue = `miniapp:${pair.appId}:completion`;
  expect(deliveries.endpoints).toEqual([
    { queue, count: 2, delivered: 2, failed: 0, first_try: 2, attempted: 2, by_attempts: [2, 0, 0, 0, 0, 0, 0] },
  ]);
  expect(deliveries.backlog).toMatchObject({ depth: 0 });
  expect(deliveries.backlog.line).toHaveLength(60);
  await service.database.db.query(`update order_payments set created_at = created_at - interval '20 minutes' where status = 'in_process'`);
  const late = (await service.manage('GET', `figures/payments?client_id=${pair.clientId}`)).body;
  expect([late.overdue, late.time_to_final.bars.find(({ overdue }: { overdue: number }) => overdue > 0)]).toEqual([
    1,
    { from_ms: 900_000, to_ms: 3_600_000, final: 0, overdue: 1 },
  ]);
  const wrong = ['from=2026-01-01T00:00:00Z', 'from=2030-01-01T00:00:00Z', 'x=1'];
  expect(await Promise.all(wrong.map(async (query) => (await service.manage('GET', `figures/payments?${query}`)).status))).toEqual([
    400, 400, 400,
  ]);
});

import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import { circuitRules } from '../../../src/domain/isolation/circuit';
import { PartnerIsolation } from '../../../src/domain/isolation/partner-isolation';
import type { Pair } from '../../support/signatures/a-pair';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { hangBeforeHeaders, held, huge, json, longHead, reset, type Behaviour } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

/** A process with twelve places for calls to partners: three for one endpoint, and two of the reserve for an integration that is new there. */
const slots = { shared: 12, reserve: 8 };
let passedMs = 0;
let isolation: PartnerIsolation;
let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let pair: Pair;

beforeAll(async () => {
  isolation = new PartnerIsolation({ share: 0.25, slots, now: () => performance.now() + passedMs });
  service = await startTestService({
    env: { SSO_TIMEOUT_MS: '2000' },
    change: (container) => void container.rebind(T.partnerIsolation).toConstantValue(isolation),
  });
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  hostApp.on('/events', json({ received: true }));
});
afterAll(async () => {
  await Promise.all([hostApp.stop(), miniapp.stop()]);
  await service.close();
});
beforeEach(async () => {
  pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url, hostApp: { events_bridge_url: `${hostApp.url}/events` } });
});
afterEach(() => {
  expect(isolation.calls).toBe(0);
});

const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const connect = (headers: Record<string, string> = {}): Promise<Reply> =>
  service.call('POST', '/api/v1/connect/', {
    headers: { ...pair.basic, ...headers },
    body: { ...idsOf(pair), user: { reference: 'mia' } },
  });
const authorize = (code: string) => service.call('POST', '/api/v1/authorize/', { body: { ...idsOf(pair), auth_code: code } });
const create = (headers: Record<string, string> = {}) =>
  service.call('POST', '/api/v1/orders/create-order-payment/', {
    headers,
    body: { ...idsOf(pair), order: { amount: '1', currency: 'USD' } },
  });
const event = () => service.call('POST', '/api/v1/events/miniapp/', { body: { ...idsOf(pair), event_type: 'x', payload: {} } });

/** Calls until the circuit is open, while the partner behaves like that. */
async function breakCircuit(partner: StubMiniapp | StubPayingHostApp, path: string, call: () => Promise<Reply>, how: Behaviour = reset) {
  await partner.during(path, how, async () => {
    for (let n = 0; n < circuitRules.minCalls; n++) await call();
  });
}
/** By the clocks of this process and of the database. */
async function openTimePasses(): Promise<void> {
  await resolve(service.composed.container, T.shareCircuits).settled;
  passedMs += circuitRules.openMs;
  await service.database.db.query(`update partner_circuits set open_until = open_until - $1 * interval '1 ms'`, [circuitRules.openMs]);
}
const refusal = (cause: string, more: object) => ({
  error_code: 'UNEXPECTED_RESPONSE_ERROR',
  custom_attributes: { cause, retryable: true, ...more },
});
function expectRefused(reply: Reply, cause: string, more: object): void {
  expect([reply.status, reply.body]).toMatchObject([400, refusal(cause, more)]);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(reply.body.custom_attributes).not.toHaveProperty('outcome');
}

describe('a circuit that is open', () => {
  it('refuses connect at once and stores no user', async () => {
    await breakCircuit(miniapp, '/auth', connect);
    const before = miniapp.store.length;
    expectRefused(await connect(), 'circuit-open', { side: 'miniapp', step: 'miniapp_token' });
    expect(miniapp.store).toHaveLength(before);
    await openTimePasses();
    expect((await connect()).status).toBe(200);
    expect((await connect()).status).toBe(200);
  });

  it.each([429, 500, 503])('opens by answers of %i', async (status) => {
    await breakCircuit(miniapp, '/auth', connect, json({}, { status }));
    expectRefused(await connect(), 'circuit-open', { side: 'miniapp' });
  });

  it.each([
    ['a body of more than 1 MiB', huge],
    ['headers of more than is read', longHead],
  ])('opens by %s', async (_what, behaviour) => {
    await breakCircuit(miniapp, '/auth', connect, behaviour);
    expectRefused(await connect(), 'circuit-open', { side: 'miniapp' });
  });

  it.each([
    ['401', json({}, { status: 401 })],
    ['404', json({}, { status: 404 })],
    ['an error_code', json({ error_code: 'NO', error_message: 'no' })],
    ['a page', json('<html>')],
  ])('does not open by %s', async (_what, behaviour) => {
    await breakCircuit(miniapp, '/auth', connect, behaviour);
    expect((await connect()).status).toBe(200);
  });

  it('at the miniapp spares the auth code: the host app gets no call', async () => {
    await breakCircuit(miniapp, '/auth', connect);
    hostApp.knows('code-spared', { reference: 'mia' });
    expectRefused(await authorize('code-spared'), 'circuit-open', { side: 'miniapp', step: 'miniapp_token' });
    expect(hostApp.exchanged).not.toContain('code-spared');
    await openTimePasses();
    expect((await authorize('code-spared')).status).toBe(200);
  });

  it('refuses creations without a payment, and the same Idempotency-Key works afterwards', async () => {
    await breakCircuit(hostApp, '/create', create);
    const key = { 'Idempotency-Key': 'a key' };
    expectRefused(await create(key), 'circuit-open', { side: 'hostapp', step: 'create' });
    const { body: list } = await service.manage('GET', `payments?client_id=${pair.clientId}&limit=100`);
    expect(list.data).toHaveLength(circuitRules.minCalls);
    await openTimePasses();
    const created = await create(key);
    expect([created.status, created.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect((await create(key)).text).toBe(created.text);
  });

  it('refuses events with the same answer', async () => {
    await breakCircuit(hostApp, '/events', event);
    expectRefused(await event(), 'circuit-open', { side: 'hostapp', step: 'event' });
  });

  it('is recorded as a call that was not made', async () => {
    await breakCircuit(miniapp, '/auth', connect);
    const requestId = `refused-${pair.appId}`;
    await connect({ 'X-Request-Id': requestId });
    const [exchange] = await service.exchanges(requestId);
    expect(exchange?.legs).toMatchObject([{ step: 'miniapp_token', ms: 0, cause: 'circuit-open' }]);
  });
});

describe('a miniapp that hangs', () => {
  it('takes only the slots of its endpoint, and further calls are refused at once', async () => {
    const gate = held(json({ auth_token: 'late' }));
    const replies = await miniapp.during('/auth', gate.behaviour, async () => {
      let refused = 0;
      const calls = Array.from({ length: 10 }, async () => {
        const reply = await connect();
        // When all that find no place have been answered, the others may end.
        if (reply.status !== 200 && ++refused === 7) gate.release();
        return reply;
      });
      return Promise.all(calls);
    });
    const counts = [200, 400].map((status) => replies.filter((reply) => reply.status === status).length);
    expect(counts).toEqual([3, 7]);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expectRefused(reply, 'partner-saturated', { side: 'miniapp', step: 'miniapp_token' });
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    expect((await connect()).status).toBe(200);
  });

  it('leaves places to a pair that is well', async () => {
    const sick = pair;
    const well = new StubMiniapp();
    await well.start();
    await miniapp.during('/auth', hangBeforeHeaders, async () => {
      const hanging = Array.from({ length: 30 }, () => connect());
      pair = await aPayingPair(service, hostApp, { miniappUrl: well.url });
      for (let n = 0; n < 50; n++) expect((await connect()).status).toBe(200);
      pair = sick;
      await Promise.all(hanging);
    });
    await well.stop();
  });
});

import { aPair, basicOf, hostAppSecret, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { startTestService, until, type Reply, type TestService } from '../../support/service/service';
import { drip, html, invalidJson, json, nothing, redirect, refusalOf, reset } from '../../support/partners/stub-behaviours';
import { StubPartner, type Received } from '../../support/partners/stub-partner';

let service: TestService;
let hostApp: StubPartner;
let miniapp: StubPartner;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  hostApp = (await new StubPartner().start()).on('/events', json({ taken: 'by the host app' }));
  miniapp = (await new StubPartner().start()).on('/events', json({ taken: 'by the miniapp' }));
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
});

const loopback = { enabled: true, addresses: ['127.0.0.0/8', '::1'] };
const elsewhere = { enabled: true, addresses: ['203.0.113.0/24'] };
const pairAt = ({ hostApp: host, miniapp: mini, ...more }: PairSettings = {}): Promise<Pair> =>
  aPair(service, {
    hostApp: { events_bridge_url: `${hostApp.url}/events`, ...host },
    miniapp: { events_bridge_url: `${miniapp.url}/events`, ip_whitelist: loopback, ...mini },
    ...more,
  });
type Sender = 'hostapp' | 'miniapp';
const event = { event_type: 'cart.changed', payload: { items: 2 } };
const send = (pair: Pair, sender: Sender, members: object = event, headers: Record<string, string> = {}) =>
  service.call('POST', `/api/v1/events/${sender}/`, { body: { client_id: pair.clientId, app_id: pair.appId, ...members }, headers });
const failure = ({ status, body }: Reply) => ({ status, code: body.error_code, ...body.custom_attributes });
const sentTo = ({ body }: Received) => body.toString('utf8');

describe('relay', () => {
  it.each<[Sender, Sender]>([
    ['hostapp', 'miniapp'],
    ['miniapp', 'hostapp'],
  ])('an event of the %s goes to the %s, by its credentials', async (sender, receiver) => {
    const pair = await pairAt();
    const [taker, other] = receiver === 'miniapp' ? [miniapp, hostApp] : [hostApp, miniapp];
    const reply = await send(pair, sender, event, { 'X-Request-Id': 'event-1' });
    expect([reply.status, reply.body]).toEqual([200, { taken: receiver === 'miniapp' ? 'by the miniapp' : 'by the host app' }]);
    expect(other.store).toHaveLength(0);
    expect(taker.store).toHaveLength(1);
    const basic = receiver === 'miniapp' ? basicOf(pair.appId, pair.miniSecret) : basicOf('platform-at-host', hostAppSecret);
    expect(taker.store[0]).toMatchObject({
      method: 'POST',
      path: '/events',
      headers: {
        authorization: basic.Authorization,
        'x-hostapp-client-id': pair.clientId,
        'x-miniapp-app-id': pair.appId,
        'x-request-id': 'event-1',
        'content-type': 'application/json',
      },
    });
  });

  it('relays the payload byte for byte, and of the rest only the known members', async () => {
    const pair = await pairAt();
    const payload =
      '{"z":1.10,"10":1E5,"big":12345678901234567890.10,"app_id":"mine","nil":null,"text":"\u00e4\u2028\ud83d\ude00","deep":[{}]}';
    const ids = `"client_id":"${pair.clientId}","app_id":"${pair.appId}"`;
    const body = `{"payload":${payload},"extra":1,"ordering_key":"k","event_type":"a b \u00e4",${ids}}`;
    const reply = await service.call('POST', '/api/v1/events/hostapp', { body });
    expect(reply.status).toBe(200);
    expect(sentTo(miniapp.store[0]!)).toBe(
      `{"app_id":"${pair.appId}","client_id":"${pair.clientId}","event_type":"a b \u00e4","payload":${payload}}`,
    );
  });

  it.each([undefined, null])('gives {} for a payload that is %s', async (payload) => {
    const pair = await pairAt();
    expect((await send(pair, 'miniapp', { event_type: 't', payload })).status).toBe(200);
    expect(JSON.parse(sentTo(hostApp.store[0]!)).payload).toEqual({});
  });

  it.each([
    ['JSON as it came', json('{"z":1.10,"2":1E5,"a":null}', { status: 201 }), '{"z":1.10,"2":1E5,"a":null}'],
    ['a refusal with 2xx', refusalOf('NO_THANKS'), '{"error_code":"NO_THANKS","error_message":"Refused: NO_THANKS"}'],
    ['a list', json('[1.0]'), '[1.0]'],
    ['null', json('null'), 'null'],
    ['no content', nothing, '{}'],
    ['a page', html, '{}'],
    ['broken JSON', invalidJson, '{}'],
  ])('answers 200 with %s', async (_what, behaviour, text) => {
    const pair = await pairAt();
    miniapp.on('/events', behaviour);
    const reply = await send(pair, 'hostapp');
    expect([reply.status, reply.text]).toEqual([200, text]);
  });

  it.each([
    ['500', json({ error_code: 'BUSY' }, { status: 500 }), 'http-500'],
    ['404', json({}, { status: 404 }), 'http-404'],
    ['401', json({}, { status: 401 }), 'http-401'],
    ['a redirect', redirect('http://127.0.0.1:9/'), 'redirect'],
    ['a reset', reset, 'reset'],
  ])('EVENT_DELIVERY_FAILED for %s', async (_what, behaviour, cause) => {
    const pair = await pairAt();
    miniapp.on('/events', behaviour);
    const reply = await send(pair, 'hostapp', event, { 'X-Request-Id': `failed-${cause}` });
    expect(failure(reply)).toEqual({
      status: 400,
      code: 'EVENT_DELIVERY_FAILED',
      request_id: `failed-${cause}`,
      retryable: true,
      side: 'miniapp',
      step: 'event',
      cause,
    });
    expect(miniapp.store).toHaveLength(1);
    const [exchange] = await service.exchanges(`failed-${cause}`);
    expect(exchange).toMatchObject({ call: 'hostapp_event', error_code: 'EVENT_DELIVERY_FAILED', failed_side: 'miniapp' });
  });

  it('relays the exception of a receiver that failed', async () => {
    const pair = await pairAt();
    miniapp.on('/events', json({ exception: 'Overrun' }, { status: 500 }));
    expect((await send(pair, 'hostapp')).body).toMatchObject({ error_code: 'EVENT_DELIVERY_FAILED', exception: 'Overrun' });
  });

  it('gives the receiver as long as a payment call has, and no longer', async () => {
    const impatient = await startTestService({ database: service.database, env: { PAYMENT_TIMEOUT_MS: '600', SSO_TIMEOUT_MS: '60000' } });
    const pair = await pairAt();
    hostApp.on('/events', drip);
    const began = performance.now();
    const body = { client_id: pair.clientId, app_id: pair.appId, ...event };
    const reply = await impatient.call('POST', '/api/v1/events/miniapp/', { body });
    expect(failure(reply)).toMatchObject({ status: 400, code: 'EVENT_DELIVERY_FAILED', side: 'hostapp', cause: 'timeout' });
    expect(performance.now() - began).toBeLessThan(5000);
    await impatient.close();
  });

  it.each<[Sender, Sender]>([
    ['hostapp', 'miniapp'],
    ['miniapp', 'hostapp'],
  ])('EVENT_RECEIVER_DISABLED for the %s where the %s has no URL', async (sender, receiver) => {
    const pair = await pairAt({ [receiver === 'miniapp' ? 'miniapp' : 'hostApp']: { events_bridge_url: null } });
    const reply = await send(pair, sender);
    expect(failure(reply)).toMatchObject({
      status: 400,
      code: 'EVENT_RECEIVER_DISABLED',
      side: receiver,
      setting: 'events_bridge_url',
      retryable: false,
    });
  });

  it('refuses where signing is on for the receiver and not set up', async () => {
    const signature = { enabled: true, algorithm: 'HMAC', hmac_secret: service.canary('CANARY-hmac-0123456789abcdef-0123456') };
    const reply = await send(await pairAt({ hostApp: { signature } }), 'miniapp');
    expect(failure(reply)).toMatchObject({ status: 400, code: 'MISSING_REQUEST_SIGNATURE_SETTINGS', side: 'hostapp' });
    expect(hostApp.store).toHaveLength(0);
  });

  it('never touches a payment or queues a delivery', async () => {
    const pair = await pairAt();
    await send(pair, 'hostapp', { event_type: 'payment.completed', payload: { order_payment_id: 'p-1', payment_status: 'paid' } });
    const [{ payments, deliveries }] = await service.database.db.query(
      'select (select count(*)::int from order_payments) as payments, (select count(*)::int from deliveries where kind = $1) as deliveries',
      ['completion'],
    );
    expect([payments, deliveries]).toEqual([0, 0]);
  });
});

describe('paths', () => {
  it.each(['events', 'event-bridge'])('%s takes both senders, with and without the final slash', async (root) => {
    const pair = await pairAt();
    const body = { client_id: pair.clientId, app_id: pair.appId, ...event };
    for (const path of [`${root}/hostapp`, `${root}/hostapp/`, `${root}/miniapp`, `${root}/miniapp/`]) {
      expect((await service.call('POST', `/api/v1/${path}`, { body })).status).toBe(200);
    }
    expect([miniapp.store.length, hostApp.store.length]).toEqual([2, 2]);
  });

  it.each(['events/other/', 'events/', 'events/Hostapp/', 'event-bridge/platform', 'events/hostapp/miniapp'])(
    '%s is no path',
    async (path) => {
      const reply = await service.call('POST', `/api/v1/${path}`, { body: event });
      expect([reply.status, reply.body.error_code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('takes POST alone, and is no call of browsers', async () => {
    const reply = await service.call('GET', '/api/v1/events/hostapp/');
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    const posted = await send(await pairAt(), 'hostapp');
    expect(posted.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('fields', () => {
  const long = 'x'.repeat(251);
  it.each<[object, string]>([
    [{ payload: {} }, 'event_type'],
    [{ event_type: '' }, 'event_type'],
    [{ event_type: long }, 'event_type'],
    [{ event_type: 7 }, 'event_type'],
    [{ event_type: 't', payload: [] }, 'payload'],
    [{ event_type: 't', payload: 'text' }, 'payload'],
    [{ event_type: 't', payload: { big: 'x'.repeat(65_536) } }, 'payload'],
    [{ event_type: 't', ordering_key: 'x'.repeat(256) }, 'ordering_key'],
    [{ event_type: 't', ordering_key: 1 }, 'ordering_key'],
  ])('INVALID_EVENT_DATA names the field (%#)', async (members, path) => {
    const reply = await send(await pairAt(), 'hostapp', members);
    expect([reply.status, reply.body.error_code]).toEqual([400, 'INVALID_EVENT_DATA']);
    expect(reply.body.custom_attributes.fields.map((field: { path: string }) => field.path)).toEqual([path]);
    expect(miniapp.store).toHaveLength(0);
  });

  it('takes each at its limit', async () => {
    const members = { event_type: 'x'.repeat(250), payload: { big: 'x'.repeat(65_000) }, ordering_key: 'k'.repeat(255) };
    expect((await send(await pairAt(), 'hostapp', members)).status).toBe(200);
  });

  it('says INVALID_INPUT of the ids', async () => {
    const pair = await pairAt();
    const reply = await service.call('POST', '/api/v1/events/hostapp/', { body: { app_id: pair.appId, ...event } });
    expect([reply.status, reply.body.error_code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('who may send', () => {
  it.each<Sender>(['hostapp', 'miniapp'])('as %s: the allowlist of the miniapp decides', async (sender) => {
    const listed = await pairAt({ hostApp: { ip_whitelist: elsewhere } });
    expect((await send(listed, sender, event, {})).status).toBe(200);
    const refused = await send(await pairAt({ miniapp: { ip_whitelist: elsewhere } }), sender);
    expect(failure(refused)).toMatchObject({ status: 403, code: 'NOT_A_WHITELISTED_IP', side: 'miniapp' });
    const neither = await pairAt({ miniapp: { ip_whitelist: { enabled: false, addresses: [] } } });
    for (const headers of [{}, neither.basic, basicOf(neither.appId, neither.miniSecret)]) {
      const reply = await send(neither, sender, event, headers);
      expect(failure(reply)).toMatchObject({ status: 403, code: 'ACCESS_DENIED', side: 'miniapp' });
    }
  });

  it("requires the host app's own proof for its events, too, if the integration says so", async () => {
    const pair = await pairAt({ integration: { host_app_events_checked_by: 'both' } });
    expect(failure(await send(pair, 'hostapp'))).toMatchObject({ status: 401, code: 'ACCESS_DENIED', side: 'hostapp' });
    expect(failure(await send(pair, 'hostapp', event, basicOf(pair.clientId, 'wrong')))).toMatchObject({ status: 401 });
    expect((await send(pair, 'hostapp', event, pair.basic)).status).toBe(200);
    expect((await send(pair, 'miniapp')).status).toBe(200);
    const away = await pairAt({ integration: { host_app_events_checked_by: 'both' }, hostApp: { ip_whitelist: elsewhere } });
    expect(failure(await send(away, 'hostapp', event, away.basic))).toMatchObject({
      status: 403,
      code: 'NOT_A_WHITELISTED_IP',
      side: 'hostapp',
    });
    const open = await pairAt({ integration: { host_app_events_checked_by: 'both' }, hostApp: { basic_auth_validation: false } });
    expect(failure(await send(open, 'hostapp'))).toMatchObject({ status: 403, code: 'ACCESS_DENIED', side: 'hostapp' });
  });

  it.each([
    ['NO_INTEGRATION', { integration: { status: 'suspended' } }],
    ['FEATURE_DISABLED_IN_HOSTAPP', { hostApp: { features: { events: false } } }],
    ['HOSTAPP_INTEGRATION_NOT_SET', { hostApp: { features: { sso: true } } }],
    ['FEATURE_DISABLED_IN_MINIAPP', { miniapp: { features: { events: false } } }],
    ['MINIAPP_INTEGRATION_NOT_SET', { miniapp: { features: {} } }],
    ['FEATURE_DISABLED_IN_INTEGRATION', { integration: { features: { sso: true } } }],
  ])('%s', async (code, settings: PairSettings) => {
    const reply = await send(await pairAt(settings), 'hostapp');
    expect([reply.status, reply.body.error_code]).toEqual([400, code]);
    expect(miniapp.store).toHaveLength(0);
  });

  it('does not know unknown ids', async () => {
    const pair = await pairAt();
    const codes = [];
    for (const ids of [{ app_id: 'app_nobody' }, { client_id: 'host_nobody000000' }]) {
      codes.push((await send(pair, 'hostapp', { ...event, ...ids })).body.error_code);
    }
    expect(codes).toEqual(['MINIAPP_NOT_FOUND', 'HOSTAPP_NOT_FOUND']);
  });
});

describe('durable', () => {
  const durable = { integration: { event_delivery: 'durable' } };
  const received = (partner: StubPartner, count: number) =>
    until(
      async () => partner.at('/events'),
      (all) => all.length >= count,
    );

  it("answers 202 with the event's id, and the receiver gets that id and the same bytes", async () => {
    const pair = await pairAt(durable);
    const reply = await send(pair, 'miniapp', { ...event, payload: { secret: service.canary('CANARY-event-payload') }, ordering_key: 'k' });
    expect([reply.status, reply.body]).toEqual([202, { event_id: expect.any(String) }]);
    const [taken] = await received(hostApp, 1);
    expect(taken!.headers['webhook-id']).toBe(reply.body.event_id);
    expect(sentTo(taken!)).toBe(
      `{"app_id":"${pair.appId}","client_id":"${pair.clientId}","event_type":"cart.changed","payload":{"secret":"CANARY-event-payload"}}`,
    );
  });

  it('answers while the receiver is down, and delivers the event when it is back', async () => {
    const pair = await pairAt(durable);
    miniapp.vanish();
    const reply = await send(pair, 'hostapp');
    expect(reply.status).toBe(202);
    await received(miniapp, 1);
    miniapp.recover();
    await until(
      async () => (await service.manage('POST', `deliveries/${String(reply.body.event_id)}/resend`)).status,
      (status) => status < 300,
    );
    const [, again] = await received(miniapp, 2);
    expect(again!.headers['webhook-id']).toBe(reply.body.event_id);
    expect(sentTo(again!)).toBe(sentTo(miniapp.store[0]!));
  });

  it('has been written down before the answer', async () => {
    const pair = await pairAt(durable);
    miniapp.hang();
    const { event_id: id } = (await send(pair, 'hostapp')).body;
    const [row] = await service.database.db.query('select kind, receiver from deliveries where id = $1', [id]);
    expect(row).toEqual({ kind: 'event', receiver: 'miniapp' });
    miniapp.recover();
  });

  it('delivers events of one key in their order, also past one that fails', async () => {
    const pair = await pairAt(durable);
    miniapp.on('/events', json({}, { status: 503, headers: { 'Retry-After': '0' } }));
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) {
      ids.push((await send(pair, 'hostapp', { event_type: 't', payload: { number }, ordering_key: 'cart' })).body.event_id);
    }
    await received(miniapp, 1);
    expect(miniapp.store.every(({ headers }) => headers['webhook-id'] === ids[0])).toBe(true);
    miniapp.on('/events', json({}));
    const before = miniapp.store.length;
    await until(
      async () => (await service.manage('POST', `deliveries/${String(ids[0])}/resend`)).status,
      (status) => status < 300,
    );
    const all = await received(miniapp, before + 5);
    expect(all.slice(before).map((one) => one.headers['webhook-id'])).toEqual(ids);
  });

  it('refuses where the receiver has no URL, and queues nothing', async () => {
    const pair = await pairAt({ ...durable, miniapp: { events_bridge_url: null } });
    expect(failure(await send(pair, 'hostapp'))).toMatchObject({ status: 400, code: 'EVENT_RECEIVER_DISABLED' });
    const list = await service.manage('GET', `deliveries?client_id=${pair.clientId}&app_id=${pair.appId}`);
    expect(list.body.data).toEqual([]);
  });
});

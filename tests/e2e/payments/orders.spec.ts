import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type Server } from 'node:tls';
import { basicOf, hostAppSecret, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { selfSigned } from '../../support/partners/self-signed';
import { startTestService, until, type Reply, type TestService } from '../../support/service/service';
import { earlyClose, hangBeforeHeaders, held, html, json, refusalOf, reset, type Behaviour } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
});

const pairAt = (settings: PairSettings = {}) => aPayingPair(service, hostApp, { miniappUrl: miniapp.url, ...settings });
const order = { currency: 'USD', amount: '1.10' };
const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
type Headers = Record<string, string>;
const create = (pair: Pair, sent: unknown = order, headers: Headers = {}, to = service) =>
  to.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...idsOf(pair), order: sent }, headers });
const status = (pair: Pair, orderPaymentId: unknown, headers: Headers = {}) =>
  service.call('POST', '/api/v1/orders/get-payment-status/', { body: { ...idsOf(pair), order_payment_id: orderPaymentId }, headers });
const complete = (pair: Pair, members: object, headers: Headers = pair.basic, to = service) =>
  to.call('POST', '/api/v1/orders/complete-order/', { body: { ...idsOf(pair), ...members }, headers });

const codeOf = ({ status: answered, body }: Reply) => [answered, body.error_code];
const pathsOf = ({ body }: Reply) => (body.custom_attributes.fields as { path: string }[]).map(({ path }) => path);
const sentTo = (path: string) => hostApp.at(path).map(({ body }) => body.toString('utf8'));
const count = async (sql: string, values: unknown[]): Promise<number> =>
  Number((await service.database.db.query(`select count(*) as n from ${sql}`, values))[0].n);
const integrationsOf = `(select id from integrations where client_id = $1)`;
const intents = (pair: Pair) => count(`order_payments where integration_id in ${integrationsOf}`, [pair.clientId]);
const pending = (pair: Pair) => count(`deliveries where integration_id in ${integrationsOf}`, [pair.clientId]);
const conflicts = (pair: Pair) => count(`payment_conflicts where integration_id in ${integrationsOf}`, [pair.clientId]);
/** An id that a host app answered with. */
const created = async (pair: Pair, sent: unknown = order): Promise<string> => (await create(pair, sent)).body.order_payment_id;

describe('create-order-payment', () => {
  it('relays the order to the byte and answers with the id of the payment', async () => {
    const pair = await pairAt();
    hostApp.on('/create', json('{"secret":"x","order_payment_id":"op-9","custom_attributes":{"2":1.10,"1":null,"__proto__":"\\u00e4"}}'));
    const sent =
      '{"currency":"USD", "amount":1.10,"2":1E+400,"1":-0,"note":null,"__proto__":{"é":[]},"items":[{"quantity":2,"price":"0.5","x":null}],' +
      '"shipping_address":{"latitude":-90.000000000000000,"zip":1},"custom_attributes":{"n":12345678901234567.10,"s":"\\ud83d\\ude00\\u2028"}}';
    const body = `{"extra":{"a":1},"order":${sent},"client_id":"${pair.clientId}","app_id":"${pair.appId}"}`;
    const headers = { 'Content-Type': 'application/json', 'X-Request-Id': 'create-1' };
    const reply = await service.call('POST', '/api/v1/orders/create-order-payment', { body, headers });
    expect([reply.status, reply.text]).toEqual([
      200,
      '{"order_payment_id":"op-9","custom_attributes":{"2":1.10,"1":null,"__proto__":"ä"}}',
    ]);
    const relayed = sent.replace('", "', '","').replace('\\ud83d\\ude00\\u2028', '\u{1f600}\u2028');
    expect(sentTo('/create')).toEqual([`{"app_id":"${pair.appId}","order":${relayed}}`]);
    expect(hostApp.at('/create')[0]!.headers).toMatchObject({
      authorization: basicOf('platform-at-host', hostAppSecret).Authorization,
      'x-hostapp-client-id': pair.clientId,
      'x-miniapp-app-id': pair.appId,
      'x-request-id': 'create-1',
      'idempotency-key': expect.stringMatching(/^[\w-]{43}$/),
    });
    const [record] = await service.exchanges('create-1');
    expect(record).toMatchObject({
      call: 'create_order_payment',
      status: 200,
      checks: ['address'],
      legs: [{ step: 'create', status: 200 }],
    });
  });

  it('leaves absent attributes out', async () => {
    expect((await create(await pairAt())).text).toBe('{"order_payment_id":"op-1"}');
  });

  it('uses the client access token where the host app has one', async () => {
    hostApp.on('/client-token', json({ access_token: service.canary('CANARY-client-token-2'), expires_in: 60 }));
    const pair = await pairAt({ hostApp: { ...hostApp.paymentUrls, client_access_token_url: `${hostApp.url}/client-token` } });
    expect((await create(pair)).status).toBe(200);
    expect(hostApp.at('/create')[0]!.headers.authorization).toBe('Bearer CANARY-client-token-2');
  });

  it('takes an id that is given twice for one payment', async () => {
    const pair = await pairAt();
    hostApp.on('/create', json({ order_payment_id: 'op-1' }));
    expect([await created(pair), await created(pair)]).toEqual(['op-1', 'op-1']);
    expect((await complete(pair, { order_payment_id: 'op-1', payment_status: 'paid' })).status).toBe(200);
    expect(await pending(pair)).toBe(1);
  });

  it('treats ids that are JSON integers as text: 17 and "17" are one payment', async () => {
    const pair = await pairAt();
    hostApp.on('/create', json({ order_payment_id: '17' }));
    hostApp.on('/status', json({ ...idsOf(pair), order_payment_id: '17', payment_status: 'in_process' }));
    const reply = await create(pair, { ...order, miniapp_order_id: 5, hostapp_user_id: 42 });
    expect(reply.text).toBe('{"order_payment_id":"17"}');
    expect(sentTo('/create')[0]).toContain('"miniapp_order_id":5,"hostapp_user_id":42');
    expect((await status(pair, 17)).body.order_payment_id).toBe('17');
    const completed = await complete(pair, { order_payment_id: 17, payment_status: 'paid' });
    expect([completed.status, completed.body.order_payment_id]).toEqual([200, '17']);
    expect((await complete(pair, { order_payment_id: '17', payment_status: 'paid' })).status).toBe(200);
    expect(await pending(pair)).toBe(1);
    for (const id of [-17, 17.5, true]) expect(codeOf(await status(pair, id))).toEqual([400, 'INVALID_ORDER_DATA']);
  });

  it.each([
    ['NO_INTEGRATION', { integration: { status: 'suspended' } }],
    ['FEATURE_DISABLED_IN_HOSTAPP', { hostApp: { features: { payments: false } } }],
    ['HOSTAPP_INTEGRATION_NOT_SET', { hostApp: { features: {} } }],
    ['FEATURE_DISABLED_IN_MINIAPP', { miniapp: { features: { payments: false } } }],
    ['MINIAPP_INTEGRATION_NOT_SET', { miniapp: { features: {} } }],
    ['FEATURE_DISABLED_IN_INTEGRATION', { integration: { features: {} } }],
  ])('all three calls: %s, before the rest of the body is checked', async (code, settings) => {
    const pair = await pairAt(settings);
    for (const reply of [await create(pair, 7), await status(pair, 7), await complete(pair, { payment_status: 7 })]) {
      expect(codeOf(reply)).toEqual([400, code]);
    }
    expect(hostApp.store).toEqual([]);
  });

  it.each([
    ['neither signature nor allowlist', { enabled: false, addresses: [] }, 'ACCESS_DENIED'],
    ['another address', { enabled: true, addresses: ['203.0.113.0/24'] }, 'NOT_A_WHITELISTED_IP'],
    ['an empty allowlist', { enabled: true, addresses: [] }, 'NOT_A_WHITELISTED_IP'],
  ])('refuses create and status of a miniapp with %s before any other check', async (_what, ip_whitelist, code) => {
    const pair = await pairAt({ miniapp: { ip_whitelist, features: {} } });
    const stranger = { ...pair, clientId: 'host_nobody' };
    for (const reply of [await create(pair, 7), await status(pair, 7), await create(stranger), await create(pair, order, pair.basic)]) {
      expect(codeOf(reply)).toEqual([403, code]);
    }
    expect(await intents(pair)).toBe(0);
  });

  it('names the partner that is not known', async () => {
    const pair = await pairAt();
    expect(codeOf(await create({ ...pair, appId: 'app_nobody' }))).toEqual([400, 'MINIAPP_NOT_FOUND']);
    expect(codeOf(await create({ ...pair, clientId: 'host_nobody' }))).toEqual([400, 'HOSTAPP_NOT_FOUND']);
    expect(codeOf(await complete({ ...pair, clientId: 'host_nobody' }, {}))).toEqual([401, 'ACCESS_DENIED']);
  });

  it.each([undefined, null, 7, '', 'a b', ['x'], {}])('all three calls refuse an id of %j with INVALID_INPUT', async (id) => {
    const pair = await pairAt();
    for (const name of ['create-order-payment', 'get-payment-status', 'complete-order']) {
      for (const which of ['client_id', 'app_id']) {
        const body = { ...idsOf(pair), order, order_payment_id: 'op-1', payment_status: 'paid', [which]: id };
        expect(codeOf(await service.call('POST', `/api/v1/orders/${name}/`, { body, headers: pair.basic }))).toEqual([
          400,
          'INVALID_INPUT',
        ]);
      }
    }
  });

  it.each([
    ['create_order_payment_url', (pair: Pair) => create(pair), 'create'],
    ['get_order_payment_status_url', async (pair: Pair) => status(pair, await created(pair)), 'status'],
  ])('says that %s was never stored', async (setting, call, step) => {
    const pair = await pairAt({ hostApp: { ...hostApp.paymentUrls, [setting]: null } });
    const reply = await call(pair);
    expect(codeOf(reply)).toEqual([400, 'ENDPOINT_URL_NOT_SET']);
    expect(reply.body.custom_attributes).toMatchObject({ setting, side: 'hostapp', step, retryable: false });
    expect(reply.body.custom_attributes).not.toHaveProperty('outcome');
  });
});

describe('the order', () => {
  let pair: Pair;
  beforeEach(async () => {
    pair = await pairAt();
  });
  const nest = (path: string, value: unknown): object => {
    const [head = '', ...rest] = path.split('.');
    const inner = rest.length === 0 ? value : nest(rest.join('.'), value);
    return { [head]: head === 'items' && rest.length > 0 ? [{}, inner] : inner };
  };
  const at = (path: string, value: unknown): object => ({ ...order, ...nest(path, value) });
  const shown = (path: string) => `order.${path.replace('items.', 'items[1].')}`;

  const sizes: [string, number][] = [
    ...([
      ['currency', 20],
      ['tax_title', 250],
      ['note', 10_000],
      ['miniapp_order_id', 255],
      ['hostapp_user_id', 255],
    ] as [string, number][]),
    ...['product_name', 'product_variant_name', 'product_sku'].map((name): [string, number] => [`items.${name}`, 250]),
    ['items.product_image_url', 500],
    ...['address1', 'address2'].map((name): [string, number] => [`shipping_address.${name}`, 1000]),
    ...['first_name', 'last_name', 'phone'].map((name): [string, number] => [`shipping_address.${name}`, 250]),
    ...['region_name', 'region_code', 'province_name', 'province_code', 'city', 'country', 'postal_code'].map((name): [string, number] => [
      `shipping_address.${name}`,
      100,
    ]),
  ];
  it.each(sizes)('%s: text of at most %i characters', async (path, max) => {
    expect((await create(pair, at(path, '😀'.repeat(max)))).status).toBe(200);
    for (const value of ['x'.repeat(max + 1), 7.5, true, ['x'], {}]) {
      const reply = await create(pair, at(path, value));
      expect([...codeOf(reply), ...pathsOf(reply)]).toEqual([400, 'INVALID_ORDER_DATA', shown(path)]);
    }
    expect(hostApp.store).toHaveLength(1);
    expect(await intents(pair)).toBe(1);
  });

  const amounts = ['amount', 'subtotal_amount', 'shipping_amount', 'discount_amount', 'tax_amount', 'items.price', 'items.discount'];
  /** The order as JSON text with `number` at `path`, spelt as given. */
  const spelt = (path: string, number: string) => JSON.stringify(at(path, '@@')).replace('"@@"', number);
  const createText = (text: string) =>
    service.call('POST', '/api/v1/orders/create-order-payment/', {
      body: `{"client_id":"${pair.clientId}","app_id":"${pair.appId}","order":${text}}`,
      headers: { 'Content-Type': 'application/json' },
    });
  const good = ['12345678901234567.10', '"1.10"', '1.10', '1E5', '1e+2', '110e-2', '0', '-0', '"0.00"', '1.1000', '"99999999999999999999"'];
  const bad = [
    '-1',
    '"-0.01"',
    '100000000000000000000',
    '"123456789012345678901"',
    '1.123',
    '"0.001"',
    '1E20',
    '"1E5"',
    '"+1"',
    '" 1"',
    '"1,5"',
  ];
  const never = ['""', '".5"', '"1."', '"١"', '"0x1"', '"NaN"', 'true', '[1]', '{}'];

  it.each(amounts)('%s: a decimal, relayed in the form in which it came or refused', async (path) => {
    for (const number of good) {
      const text = spelt(path, number);
      expect((await createText(text)).status).toBe(200);
      expect(sentTo('/create').at(-1)).toBe(`{"app_id":"${pair.appId}","order":${text}}`);
    }
    for (const number of [...bad, ...never]) {
      const reply = await createText(spelt(path, number));
      expect([number, ...codeOf(reply), ...pathsOf(reply)]).toEqual([number, 400, 'INVALID_ORDER_DATA', shown(path)]);
    }
    expect(hostApp.store).toHaveLength(good.length);
  });

  it.each([
    ['latitude', ['90', '"-90"', '-90.000000000000000', '12.345678901234567', '0'], ['90.1', '-91', '"12.3456789012345678"', '1e3', '"x"']],
    ['longitude', ['180', '"-180.0"', '123.456789012345678'], ['180.000000000000001', '-181', '1.1234567890123456']],
  ])('%s keeps to its bounds and digits', async (name, within, beyond) => {
    const path = `shipping_address.${name}`;
    for (const number of within) expect([number, (await createText(spelt(path, number))).status]).toEqual([number, 200]);
    for (const number of beyond) {
      const reply = await createText(spelt(path, number));
      expect([number, ...codeOf(reply), ...pathsOf(reply)]).toEqual([number, 400, 'INVALID_ORDER_DATA', shown(path)]);
    }
  });

  it('takes whole quantities from zero on, and nothing else', async () => {
    for (const number of ['0', '1', '2.0', '1e0', '"2"', '2147483647']) {
      const text = spelt('items.quantity', number);
      expect([number, (await createText(text)).status]).toEqual([number, 200]);
      expect(sentTo('/create').at(-1)).toBe(`{"app_id":"${pair.appId}","order":${text}}`);
    }
    for (const number of ['-1', '1.5', '"1e2"', '2147483648', 'true']) {
      expect(pathsOf(await createText(spelt('items.quantity', number)))).toEqual(['order.items[1].quantity']);
    }
  });

  it.each([
    ['null', null, 'order'],
    ['a list', [order], 'order'],
    ['text', '{}', 'order'],
    ['no currency', { amount: '1' }, 'order.currency'],
    ['an empty currency', { ...order, currency: '' }, 'order.currency'],
    ['no amount', { currency: 'USD' }, 'order.amount'],
    ['an amount of null', { ...order, amount: null }, 'order.amount'],
    ['taxes_included as text', { ...order, taxes_included: 'true' }, 'order.taxes_included'],
    ['items that are no list', { ...order, items: {} }, 'order.items'],
    ['an item that is no object', { ...order, items: [{}, null] }, 'order.items[1]'],
    ['an address that is no object', { ...order, shipping_address: 'x' }, 'order.shipping_address'],
    ['attributes that are no object', { ...order, custom_attributes: [] }, 'order.custom_attributes'],
    ['attributes of more than 64 KiB', { ...order, custom_attributes: { a: 'x'.repeat(65_536) } }, 'order.custom_attributes'],
  ])('%s: INVALID_ORDER_DATA', async (_what, sent, path) => {
    const reply = await create(pair, sent);
    expect([...codeOf(reply), ...pathsOf(reply)]).toEqual([400, 'INVALID_ORDER_DATA', path]);
    expect([hostApp.store.length, await intents(pair)]).toEqual([0, 0]);
  });

  it('takes null for absent, and relays it', async () => {
    const nulls = Object.fromEntries(
      [...sizes.map(([path]) => path), ...amounts, 'taxes_included', 'items', 'shipping_address', 'custom_attributes']
        .filter((path) => !path.includes('.') && path !== 'currency' && path !== 'amount')
        .map((name) => [name, null]),
    );
    expect((await create(pair, { ...order, ...nulls })).status).toBe(200);
    expect(JSON.parse(sentTo('/create')[0]!).order).toEqual({ ...order, ...nulls });
  });
});

describe('a host app that refuses', () => {
  const step = { create: (pair: Pair) => create(pair), status: async (pair: Pair) => status(pair, await created(pair)) } as const;

  it.each(['create', 'status'] as const)('%s: the answer is relayed unchanged, with 400 and the missing members', async (which) => {
    const pair = await pairAt();
    const call =
      which === 'create'
        ? () => create(pair)
        : (
            (id) => () =>
              status(pair, id)
          )(await created(pair));
    const path = `/${which}`;
    hostApp.on(path, json('{"z":1.10,"error_code":"NO_FUNDS","1":null,"custom_attributes":{"side":"theirs","n":1E5}}', { status: 422 }));
    const reply = await call();
    const request = reply.headers.get('x-request-id');
    const attributes = `{"side":"theirs","n":1E5,"request_id":"${String(request)}","retryable":false,"step":"${which}"}`;
    expect([reply.status, reply.text]).toEqual([
      400,
      `{"z":1.10,"error_code":"NO_FUNDS","1":null,"custom_attributes":${attributes},"error_message":"The partner refused the call"}`,
    ]);
    hostApp.on(path, json({ error_code: 'HOSTAPP_USER_NOT_FOUND', error_message: '', x: [] }));
    expect((await call()).body).toMatchObject({ error_message: 'No such user of the host app has signed on', x: [] });
    hostApp.on(path, json({ error_code: 'E', error_message: 'Theirs', custom_attributes: 'text' }));
    expect((await call()).text).toBe('{"error_code":"E","error_message":"Theirs","custom_attributes":"text"}');
    hostApp.on(path, json({ error_code: 'E', custom_attributes: null }));
    expect((await call()).body.custom_attributes).toMatchObject({ side: 'hostapp', step: which });
  });

  it("relays a refusal's exception, cut, with the rest as it came", async () => {
    hostApp.on('/create', json({ b: 1.5, exception: `${'x'.repeat(300)}\u0007`, error_code: 'NO_FUNDS', error_message: 'No' }));
    const { body } = await create(await pairAt());
    expect(body).toMatchObject({ b: 1.5, exception: 'x'.repeat(250), error_code: 'NO_FUNDS', error_message: 'No' });
  });

  it('relays a refusal that holds NUL without it', async () => {
    hostApp.on('/create', json({ n: 'a\u0000b', exception: 'x\u0000y', error_code: 'NO_FUNDS', error_message: 'N\u0000o' }));
    const { body } = await create(await pairAt());
    expect(body).toMatchObject({ n: 'ab', exception: 'xy', error_code: 'NO_FUNDS', error_message: 'No' });
  });

  it('a creation whose answer holds NUL has an unknown outcome', async () => {
    hostApp.on('/create', json({ order_payment_id: 'op-\u00001' }));
    const { body } = await create(await pairAt());
    expect(body).toMatchObject({ error_code: 'FAILED_TO_PARSE_RESPONSE', custom_attributes: { outcome: 'unknown' } });
  });

  it.each([17, null, ['x'], { of: 'x' }])('leaves out an exception of a refusal that is no string: %j', async (exception) => {
    hostApp.on('/create', json({ b: 1.5, exception, error_code: 'NO_FUNDS', error_message: 'No' }));
    const { body } = await create(await pairAt());
    expect(body).toEqual({ b: 1.5, error_code: 'NO_FUNDS', error_message: 'No', custom_attributes: expect.anything() as object });
  });

  it('a refused creation opened nothing', async () => {
    const pair = await pairAt();
    hostApp.on('/create', refusalOf('NO_FUNDS'));
    const reply = await create(pair);
    expect(reply.body.custom_attributes).not.toHaveProperty('outcome');
    expect(codeOf(await complete(pair, { order_payment_id: 'op-1', payment_status: 'paid' }))).toEqual([400, 'ORDER_NOT_FOUND']);
  });

  it.each<[string, Behaviour, string]>([
    ['hangs', hangBeforeHeaders, 'UNEXPECTED_RESPONSE_ERROR'],
    ['hangs up', reset, 'UNEXPECTED_RESPONSE_ERROR'],
    ['answers by half', earlyClose, 'UNEXPECTED_RESPONSE_ERROR'],
    ['shows a page', html, 'INVALID_RESPONSE_CONTENT_TYPE'],
    ['is overrun', json({}, { status: 503 }), 'UNEXPECTED_RESPONSE_ERROR'],
    ['gives no id', json({}), 'RESPONSE_ATTRIBUTE_MISSING'],
  ])('a host app that %s is called once, and the outcome is unknown', async (_how, behaviour, code) => {
    const impatient = await startTestService({ database: service.database, env: { PAYMENT_TIMEOUT_MS: '500' } });
    const pair = await pairAt();
    hostApp.on('/create', behaviour);
    const began = performance.now();
    const reply = await create(pair, order, {}, impatient);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(codeOf(reply)).toEqual([400, code]);
    expect(reply.body.custom_attributes).toMatchObject({ outcome: 'unknown', retryable: false, side: 'hostapp', step: 'create' });
    expect(hostApp.store).toHaveLength(1);
    // The host app may have opened it after all: its completion is kept.
    expect((await complete(pair, { order_payment_id: 'op-1', payment_status: 'paid' })).status).toBe(200);
    expect(await pending(pair)).toBe(0);
    await impatient.close();
  });

  describe('a host app that was never sent the order', () => {
    let secure: Server;
    beforeAll(async () => {
      secure = createTlsServer(selfSigned).on('tlsClientError', () => undefined);
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => new Promise((resolve) => secure.close(resolve)));
    const port = () => String((secure.address() as AddressInfo).port);

    it.each([
      ['refuses connections', () => 'http://127.0.0.1:9/create', 'connect'],
      ['shows a certificate that nobody vouches for', () => `https://127.0.0.1:${port()}/create`, 'tls-certificate'],
      ['speaks plain http at its https URL', () => hostApp.url.replace('http:', 'https:'), 'tls-protocol'],
      ['has a name without an address', () => 'http://no-such-host.invalid/create', 'dns'],
    ])('as it %s has opened nothing: a completion of it is unknown', async (_how, url, cause) => {
      const pair = await pairAt({ hostApp: { create_order_payment_url: url() } });
      const reply = await step.create(pair);
      expect(codeOf(reply)).toEqual([400, 'UNEXPECTED_RESPONSE_ERROR']);
      expect(reply.body.custom_attributes).toMatchObject({ cause, retryable: true, side: 'hostapp', step: 'create' });
      expect(reply.body.custom_attributes).not.toHaveProperty('outcome');
      expect(codeOf(await complete(pair, { order_payment_id: 'made-up', payment_status: 'paid' }))).toEqual([400, 'ORDER_NOT_FOUND']);
      expect(hostApp.store).toHaveLength(0);
    });
  });
});

describe('as the user', () => {
  const signedOn = async (settings: Record<string, unknown> = {}): Promise<{ pair: Pair; token: string }> => {
    const pair = await pairAt({ hostApp: { ...hostApp.paymentUrls, use_access_token: true, ...settings } });
    hostApp.knows('code', { reference: 'user-mia-1' });
    const body = { ...idsOf(pair), auth_code: 'code' };
    expect((await service.call('POST', '/api/v1/authorize/', { body })).status).toBe(200);
    return { pair, token: service.canary(hostApp.records.lastAccessToken) };
  };
  const mias = { ...order, hostapp_user_id: 'user-mia-1' };

  it("carries the token and id of the user, and for a status those of the payment's user", async () => {
    const { pair, token } = await signedOn({ access_token_prefix: 'JWT' });
    const id = await created(pair, mias);
    expect((await status(pair, id, { 'X-Request-Id': 'as-user-1' })).status).toBe(200);
    for (const path of ['/create', '/status']) {
      expect(hostApp.at(path)[0]!.headers).toMatchObject({ authorization: `JWT ${token}`, 'x-user-id': 'user-mia-1' });
    }
    expect((await service.exchanges('as-user-1'))[0]).toMatchObject({ reference: 'us****-1' });
  });

  it('refreshes once and repeats once, under one key', async () => {
    const { pair, token } = await signedOn();
    hostApp.payments.rejectToken(token);
    expect((await create(pair, mias, { 'Idempotency-Key': 'order-77' })).status).toBe(200);
    const [first, second] = hostApp.at('/create').map(({ headers }) => headers);
    expect([first!.authorization, second!.authorization]).toEqual([`Token ${token}`, `Token ${hostApp.records.lastAccessToken}`]);
    expect(second!['idempotency-key']).toBe(first!['idempotency-key']);
    expect(first!['idempotency-key']).not.toContain('order-77');
    expect([hostApp.at('/create').length, hostApp.at('/refresh').length, await intents(pair)]).toEqual([2, 1, 1]);
  });

  it('passes on that the token is not taken after the refresh either, as it came', async () => {
    const { pair } = await signedOn();
    hostApp.on('/create', json({ error_code: 'INVALID_ACCESS_TOKEN', error_message: 'No', hint: 'x' }));
    expect((await create(pair, mias)).body).toMatchObject({ error_code: 'INVALID_ACCESS_TOKEN', error_message: 'No', hint: 'x' });
    expect([hostApp.at('/create').length, hostApp.at('/refresh').length]).toEqual([2, 1]);
  });

  it('needs a user that has signed on', async () => {
    const { pair } = await signedOn();
    const without = await create(pair);
    expect([...codeOf(without), ...pathsOf(without)]).toEqual([400, 'HOSTAPP_USER_ID_REQUIRED', 'order.hostapp_user_id']);
    expect(codeOf(await create(pair, { ...order, hostapp_user_id: 'user-nobody' }))).toEqual([400, 'HOSTAPP_USER_NOT_FOUND']);
    expect(codeOf(await create(pair, { ...order, hostapp_user_id: 'üser' }))).toEqual([400, 'INVALID_ORDER_DATA']);
    expect(hostApp.at('/create')).toEqual([]);
  });

  it('is not used if the host app has it disabled', async () => {
    const pair = await pairAt();
    expect((await create(pair, { ...order, hostapp_user_id: 'user-nobody' })).status).toBe(200);
    expect(hostApp.at('/create')[0]!.headers).not.toHaveProperty('x-user-id');
  });
});

describe('get-payment-status', () => {
  it('sends the host app the three ids, and answers with the six fields only', async () => {
    const pair = await pairAt();
    const id = await created(pair);
    hostApp.on(
      '/status',
      json('{"payment_fail_reason":"none","x":1,"payment_status":"processing","custom_attributes":{"2":1.10,"1":1e400}}'),
    );
    const reply = await status(pair, id, { 'X-Request-Id': 'status-1' });
    const ids = `"app_id":"${pair.appId}","client_id":"${pair.clientId}","order_payment_id":"${id}"`;
    expect(sentTo('/status')).toEqual([`{${ids}}`]);
    expect([reply.status, reply.text]).toEqual([
      200,
      `{${ids},"payment_status":"processing","payment_fail_reason":"none","custom_attributes":{"2":1.10,"1":1e400}}`,
    ]);
    expect((await service.exchanges('status-1'))[0]).toMatchObject({ call: 'get_payment_status', status: 200, legs: [{ step: 'status' }] });
  });

  it('settles nothing', async () => {
    const pair = await pairAt();
    const id = await created(pair);
    hostApp.payments.settle(id, 'paid');
    expect((await status(pair, id)).body.payment_status).toBe('paid');
    expect(await pending(pair)).toBe(0);
    expect((await complete(pair, { order_payment_id: id, payment_status: 'failed' })).status).toBe(200);
  });

  it('distinguishes an unknown word from a missing one', async () => {
    const pair = await pairAt();
    const id = await created(pair);
    hostApp.payments.mumble(id, 'refunded');
    const reply = await status(pair, id);
    expect(codeOf(reply)).toEqual([400, 'INVALID_PAYMENT_STATUS_RESPONSE']);
    expect(reply.body.custom_attributes).toMatchObject({ side: 'hostapp', step: 'status', fields: [{ path: 'payment_status' }] });
    hostApp.on('/status', json({}));
    expect(codeOf(await status(pair, id))).toEqual([400, 'RESPONSE_ATTRIBUTE_MISSING']);
  });

  it('refuses a payment that was not created here without a call', async () => {
    const [pair, other] = [await pairAt(), await pairAt()];
    const id = await created(other);
    const answers = [await status(pair, id, { 'X-Request-Id': 'same' }), await status(pair, 'op-unknown', { 'X-Request-Id': 'same' })];
    expect(codeOf(answers[0]!)).toEqual([400, 'ORDER_NOT_FOUND']);
    expect(answers[0]!.text).toBe(answers[1]!.text);
    expect(hostApp.at('/status')).toEqual([]);
  });

  it.each([undefined, null, 7.5, '', 'x'.repeat(256)])('refuses %j for an id of a payment', async (id) => {
    const pair = await pairAt();
    for (const reply of [await status(pair, id), await complete(pair, { order_payment_id: id, payment_status: 'paid' })]) {
      expect([...codeOf(reply), ...pathsOf(reply)]).toEqual([400, 'INVALID_ORDER_DATA', 'order_payment_id']);
    }
  });
});

describe('complete-order', () => {
  it.each(['paid', 'cancelled', 'failed'])('answers %s after the result and the delivery are committed', async (word) => {
    const pair = await pairAt();
    const id = await created(pair);
    const more = { payment_fail_reason: 'none', custom_attributes: { a: 1 }, extra: 1 };
    const reply = await complete(pair, { order_payment_id: id, payment_status: word, ...more });
    expect([reply.status, reply.text]).toEqual([200, `{"order_payment_id":"${id}","payment_status":"${word}"}`]);
    expect(await pending(pair)).toBe(1);
  });

  it('answers a word that is not final as it was written, and queues nothing for it', async () => {
    const pair = await pairAt();
    const id = await created(pair);
    for (const word of ['processing', 'in_process']) {
      expect((await complete(pair, { order_payment_id: id, payment_status: word })).body.payment_status).toBe(word);
    }
    expect(await pending(pair)).toBe(0);
  });

  it('leaves a record with the user masked, whether the payment is cached or read', async () => {
    const pair = await pairAt();
    const id = await created(pair, { ...order, hostapp_user_id: 'user-mia-1' });
    const completeWith = (requestId: string) =>
      complete(pair, { order_payment_id: id, payment_status: 'paid' }, { ...pair.basic, 'X-Request-Id': requestId });
    for (const requestId of ['complete-opened', 'complete-again']) {
      expect((await completeWith(requestId)).status).toBe(200);
      expect((await service.exchanges(requestId))[0]).toMatchObject({ call: 'complete_order', reference: 'us****-1' });
    }
  });

  it('answers equal repeats alike, stores differences, and refuses contradictions', async () => {
    const pair = await pairAt();
    const id = await created(pair);
    const report = (word: string, reason?: string) =>
      complete(pair, { order_payment_id: id, payment_status: word, payment_fail_reason: reason }, { ...pair.basic, 'X-Request-Id': 'r' });
    const answers = [await report('failed', 'a'), await report('failed', 'a'), await report('failed', 'b')];
    expect(new Set(answers.map(({ status: answered, text }) => `${String(answered)} ${text}`)).size).toBe(1);
    for (const word of ['paid', 'cancelled', 'in_process', 'processing']) {
      const reply = await report(word);
      expect(codeOf(reply)).toEqual([400, 'INVALID_PAYMENT_STATUS']);
      expect(reply.body.custom_attributes).toMatchObject({ side: 'hostapp', retryable: false, fields: [{ path: 'payment_status' }] });
    }
    expect([await pending(pair), await conflicts(pair)]).toEqual([1, 3]);
  });

  it.each([
    ['PAID', 'INVALID_PAYMENT_STATUS'],
    ['', 'INVALID_PAYMENT_STATUS'],
    ['__proto__', 'INVALID_PAYMENT_STATUS'],
    [undefined, 'INVALID_ORDER_DATA'],
    [7, 'INVALID_ORDER_DATA'],
    [['paid'], 'INVALID_ORDER_DATA'],
  ])('takes %j for no status, whether the payment is known or not', async (word, code) => {
    const pair = await pairAt();
    for (const id of [await created(pair), 'op-unknown']) {
      const reply = await complete(pair, { order_payment_id: id, payment_status: word });
      expect([...codeOf(reply), ...pathsOf(reply)]).toEqual([400, code, 'payment_status']);
    }
    expect(await pending(pair)).toBe(0);
  });

  it.each([
    ['payment_fail_reason', 7],
    ['payment_fail_reason', 'x'.repeat(10_001)],
    ['custom_attributes', []],
    ['custom_attributes', { a: 'x'.repeat(65_536) }],
  ])('refuses %s that breaks its rule', async (name, value) => {
    const pair = await pairAt();
    const reply = await complete(pair, { order_payment_id: await created(pair), payment_status: 'paid', [name]: value });
    expect([...codeOf(reply), ...pathsOf(reply)]).toEqual([400, 'INVALID_ORDER_DATA', name]);
    expect(await pending(pair)).toBe(0);
  });

  it('gives one answer for an unknown payment and for that of another integration', async () => {
    const [pair, other] = [await pairAt(), await pairAt()];
    const id = await created(other);
    const headers = { ...pair.basic, 'X-Request-Id': 'one' };
    const foreign = await complete(pair, { order_payment_id: id, payment_status: 'paid' }, headers);
    const unknown = await complete(pair, { order_payment_id: 'op-unknown', payment_status: 'paid' }, headers);
    expect(codeOf(foreign)).toEqual([400, 'ORDER_NOT_FOUND']);
    expect(foreign.text).toBe(unknown.text);
    expect([...foreign.headers].filter(([name]) => name !== 'date')).toEqual([...unknown.headers].filter(([name]) => name !== 'date'));
    expect((await complete(other, { order_payment_id: id, payment_status: 'failed' })).status).toBe(200);
  });

  it('requires the enabled checks of the host app, and none if none is enabled', async () => {
    const pair = await pairAt();
    const paid = { order_payment_id: await created(pair), payment_status: 'paid' };
    expect((await complete(pair, paid, {})).status).toBe(401);
    expect((await complete(pair, paid, basicOf(pair.appId, pair.miniSecret))).status).toBe(401);
    const open = await pairAt({ hostApp: { ...hostApp.paymentUrls, basic_auth_validation: false } });
    expect((await complete(open, { ...paid, order_payment_id: await created(open) }, {})).status).toBe(200);
    const listed = await pairAt({ hostApp: { ...hostApp.paymentUrls, ip_whitelist: { enabled: true, addresses: [] } } });
    expect(codeOf(await complete(listed, paid))).toEqual([403, 'NOT_A_WHITELISTED_IP']);
  });

  it('that overtakes the answer of the creation is kept, applied and queued once', async () => {
    const pair = await pairAt();
    const slow = held(json({ order_payment_id: 'op-fast' }));
    hostApp.on('/create', slow.behaviour);
    const creating = create(pair);
    await until(
      async () => hostApp.store.length,
      (requests) => requests === 1,
    );
    const paid = { order_payment_id: 'op-fast', payment_status: 'paid' };
    expect((await complete(pair, paid)).body).toEqual(paid);
    expect(codeOf(await complete(pair, { ...paid, payment_status: 'failed' }))).toEqual([400, 'INVALID_PAYMENT_STATUS']);
    expect(await pending(pair)).toBe(0);
    slow.release();
    expect((await creating).body).toEqual({ order_payment_id: 'op-fast' });
    expect(await pending(pair)).toBe(1);
    expect((await complete(pair, paid)).body).toEqual(paid);
    expect(await pending(pair)).toBe(1);
  });
});

describe('over two instances at once', () => {
  let second: TestService;
  beforeAll(async () => {
    second = await startTestService({ database: service.database });
  });
  afterAll(() => second.close());

  it('a hundred equal completions of each of several payments: one answer, one delivery', async () => {
    const pair = await pairAt();
    for (const word of ['paid', 'failed', 'cancelled']) {
      const body = { order_payment_id: await created(pair), payment_status: word };
      const calls = Array.from({ length: 100 }, (_none, i) =>
        complete(pair, body, { ...pair.basic, 'X-Request-Id': 'r' }, i % 2 ? service : second),
      );
      const answers = (await Promise.all(calls)).map(({ status: answered, text }) => `${String(answered)} ${text}`);
      expect([...new Set(answers)]).toEqual([`200 ${JSON.stringify(body)}`]);
    }
    expect([await pending(pair), await conflicts(pair)]).toEqual([3, 0]);
  });

  it('paid and failed at once: one of them', async () => {
    const pair = await pairAt();
    for (let n = 0; n < 20; n++) {
      const id = await created(pair);
      const answers = await Promise.all(
        ['paid', 'failed'].map((word, i) =>
          complete(pair, { order_payment_id: id, payment_status: word }, pair.basic, i ? service : second),
        ),
      );
      expect(answers.map(({ status: answered }) => answered).sort()).toEqual([200, 400]);
      expect(answers.find(({ status: answered }) => answered === 400)!.body.error_code).toBe('INVALID_PAYMENT_STATUS');
    }
    expect([await pending(pair), await conflicts(pair)]).toEqual([20, 20]);
  });
});

describe('at rest', () => {
  it('holds no order, user or result in plain', async () => {
    const pair = await pairAt();
    const id = await created(pair, { ...order, hostapp_user_id: 'PLAIN-user-77', note: 'PLAIN-note' });
    await complete(pair, { order_payment_id: id, payment_status: 'failed', payment_fail_reason: 'PLAIN-reason' });
    await complete(pair, { order_payment_id: id, payment_status: 'paid', payment_fail_reason: 'PLAIN-other' });
    let dump = '';
    for (const table of ['order_payments', 'payment_conflicts', 'deliveries', 'exchanges']) {
      const rows: { row: string }[] = await service.database.db.query(`select t::text as row from "${table}" t`);
      dump += rows.map(({ row }) => row).join('\n');
    }
    const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
    const excerpt = (text: string, found: string) =>
      text.includes(found) ? text.slice(Math.max(0, text.indexOf(found) - 99)).slice(0, 200) : '';
    for (const form of ['PLAIN-', hex('PLAIN-')]) expect(excerpt(dump, form)).toBe('');
    expect(dump).toContain(id);
  });
});

it('answers with and without the final slash, to POST alone', async () => {
  const pair = await pairAt();
  for (const name of ['create-order-payment', 'get-payment-status', 'complete-order']) {
    for (const path of [`/api/v1/orders/${name}`, `/api/v1/orders/${name}/`]) {
      const reply = await service.call('POST', path, { body: idsOf(pair), headers: pair.basic });
      expect(codeOf(reply)).toEqual([400, 'INVALID_ORDER_DATA']);
      expect(pathsOf(reply)).toContain(name.startsWith('create') ? 'order' : 'order_payment_id');
      expect(codeOf(await service.call('GET', path))).toEqual([405, 'METHOD_NOT_ALLOWED']);
    }
  }
});

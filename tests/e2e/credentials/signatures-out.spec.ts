import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { namesOf, SigningPartner, textToSign, type AgreedSettings } from '../../support/signatures/signing-partner';
import { json } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import type { Received } from '../../support/partners/stub-partner';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

const publicBase = 'https://platform.example';
let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
beforeAll(async () => {
  service = await startTestService({ env: { PUBLIC_BASE_URL: publicBase } });
});
afterAll(() => service.close());
beforeEach(async () => {
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  hostApp.on('/events', json({ taken: true }));
  miniapp.on('/events', json({ taken: true })).on('/webhook', json({ ok: true }));
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
});

const secret = 'CANARY-a-shared-secret-of-more-than-32-bytes';
const everything = {
  payload_template: '{payload}\n{merchant_id}\n{identity}\n{nonce}\n{timestamp}\n{client_id}\n{url}\n{request_method}',
  ...{ identity: 'who we are', nonce_length: 24, timestamp_precision: 'nanoseconds', encoding: 'base64url', hash: 'SHA-512' },
  header_names: { signature: 'X-Sig', timestamp: 'X-Ts', client_id: 'X-Cid', nonce: 'X-N', identity: 'X-Who', merchant_id: 'X-Shop' },
  signature_template: 'v1={signature};',
} satisfies AgreedSettings;

interface Signing {
  readonly host?: SigningPartner;
  readonly mini?: SigningPartner;
  readonly hostSettings?: Record<string, unknown>;
  readonly miniSettings?: Record<string, unknown>;
  readonly integration?: Record<string, unknown>;
  /** Members of the two signatures that say nothing of how a text is signed by the partner. */
  readonly more?: Record<string, unknown>;
}

const loopback = { enabled: true, addresses: ['127.0.0.0/8', '::1'] };

/** A pair whose partners want signatures, each by its own agreement. */
async function pairOf({ host, mini, hostSettings, miniSettings, integration, more }: Signing): Promise<Pair> {
  return aPair(service, {
    ...{ hostAppUrl: hostApp.url, miniappUrl: miniapp.url },
    hostApp: {
      ...hostApp.paymentUrls,
      ...{ access_token_url: `${hostApp.url}/token?kind=code`, events_bridge_url: `${hostApp.url}/events` },
      ...(host && { signature: { ...host.settings, ...more } }),
      ...hostSettings,
    },
    miniapp: {
      ...{ webhook_url: `${miniapp.url}/webhook`, events_bridge_url: `${miniapp.url}/events?from=pierhead`, ip_whitelist: loopback },
      ...(mini && { signature: { ...mini.settings, ...more } }),
      ...miniSettings,
    },
    integration: { merchant_id: 'shop 7', ...integration },
  });
}

const idsOf = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const post = async (pair: Pair, name: string, members: object, signer?: SigningPartner) => {
  const path = `/api/v1/${name}/`;
  const payload = JSON.stringify({ ...idsOf(pair), ...members });
  const signed = signer?.headers({ method: 'POST', url: publicBase + path, payload, at: Date.now(), merchant_id: 'shop 7' });
  return service.call('POST', path, { body: payload, headers: { ...pair.basic, ...signed } });
};

/** The public half of the key that the service signs with, as the manage API shows it to the partner. */
const platformKey = async (kind: string, id: string): Promise<string | undefined> =>
  (await service.manage('GET', `${kind}/${id}`)).body.signature.platform_public_key;

/** Whether a request, as it came in to the byte, carries a signature that the receiver accepts. */
function isSignedFor(signer: SigningPartner, received: Received, { url, key }: { url: string; key: string | undefined }): boolean {
  const names = namesOf(signer.agreed);
  const header = (member: string): string => received.headers[(names[member] ?? '').toLowerCase()]?.toString() ?? '';
  const text = textToSign(signer.agreed, {
    method: received.method,
    url,
    timestamp: header('timestamp'),
    nonce: header('nonce'),
    merchant_id: header('merchant_id'),
    payload: received.body,
  });
  const { api_client_id, identity } = signer.agreed;
  expect([header('client_id'), header('identity')]).toEqual([api_client_id, identity ?? '']);
  return signer.receives(text, header('signature'), key);
}

describe.each([
  ['HMAC', () => SigningPartner.withSecret(secret), {}],
  ['RSA2', () => SigningPartner.withRsaKey(), {}],
  ['ECDSA', () => SigningPartner.withEcKey('P-384'), {}],
  ['HMAC, all settings', () => SigningPartner.withSecret(secret, everything), {}],
  ['RSA2, all settings, keys in DER', () => SigningPartner.withRsaKey(everything), { key_format: 'DER' }],
  [
    'ECDSA, all settings, sorted with blanks',
    () => SigningPartner.withEcKey('P-521', everything),
    { payload_sort_keys: true, payload_spaces: true },
  ],
])('calls signed with %s', (_what, make, more) => {
  it("pass the receiver's check of every call of sign-on, payments and events", async () => {
    const [host, mini] = [make(), make()];
    const pair = await pairOf({ host, mini, more, hostSettings: { use_access_token: true }, miniSettings: { ip_whitelist: loopback } });
    const keys = { host: await platformKey('host-apps', pair.clientId), mini: await platformKey('miniapps', pair.appId) };
    hostApp.knows('code-1', { reference: 'user-1', firstName: 'Zoë 😀' });

    expect((await post(pair, 'authorize', { auth_code: 'code-1' })).status).toBe(200);
    const order = {
      currency: 'USD',
      amount: '1.10',
      hostapp_user_id: 'user-1',
      note: 'Zoë "\u2028"',
      custom_attributes: { z: 1, a: [{}] },
    };
    hostApp.payments.rejectToken(hostApp.records.lastAccessToken);
    const created = await post(pair, 'orders/create-order-payment', { order }, mini);
    expect(created.status).toBe(200);
    const payment = { order_payment_id: created.body.order_payment_id };
    expect((await post(pair, 'orders/get-payment-status', payment, mini)).status).toBe(200);
    expect((await post(pair, 'orders/complete-order', { ...payment, payment_status: 'paid' }, host)).status).toBe(200);
    expect((await post(pair, 'events/miniapp', { event_type: 'a', payload: { z: 1, a: 2 } }, mini)).status).toBe(200);
    expect((await post(pair, 'events/hostapp', { event_type: 'b' }, mini)).status).toBe(200);
    await until(
      async () => miniapp.at('/webhook'),
      (all) => all.length > 0,
    );

    const urls: Readonly<Record<string, string>> = { '/token': '/token?kind=code' };
    const seen = hostApp.store.map((received) => {
      return `${received.path} ${String(isSignedFor(host, received, { url: hostApp.url + (urls[received.path] ?? received.path), key: keys.host }))}`;
    });
    expect(seen).toEqual(['/token', '/user', '/create', '/refresh', '/create', '/status', '/events'].map((path) => `${path} true`));
    const seenByMiniapp = miniapp.store.map((received) => {
      const url = `${miniapp.url}${received.path}${received.path === '/events' ? '?from=pierhead' : ''}`;
      return `${received.path} ${String(isSignedFor(mini, received, { url, key: keys.mini }))}`;
    });
    expect(seenByMiniapp.sort()).toEqual(['/auth', '/events', '/webhook'].map((path) => `${path} true`));
    // The check of the test itself: a byte of the body, another address, and it says no.
    const [first] = miniapp.store;
    const other = { ...first!, body: Buffer.concat([first!.body, Buffer.from(' ')]) };
    expect(isSignedFor(mini, other, { url: `${miniapp.url}/auth`, key: keys.mini })).toBe(false);
    expect(isSignedFor(mini, first!, { url: `${miniapp.url}/auth/`, key: keys.mini })).toBe(false);
    // Four RSA keys are made on the way.
  }, 20_000);
});

describe('the token', () => {
  it('is sent beside the signature, but Basic never is', async () => {
    const host = SigningPartner.withSecret(secret);
    const pair = await pairOf({ host, mini: SigningPartner.withSecret(`${secret}-2`) });
    hostApp.knows('code-1', { reference: 'user-1' });
    expect((await post(pair, 'authorize', { auth_code: 'code-1' })).status).toBe(200);
    const of = ({ headers }: Received) => [headers.authorization?.split(' ')[0], headers['x-signature'] !== undefined];
    expect(hostApp.at('/token').map(of)).toEqual([[undefined, true]]);
    expect(hostApp.at('/user').map(of)).toEqual([['Token', true]]);
    expect(miniapp.at('/auth').map(of)).toEqual([[undefined, true]]);
  });

  it('takes the place of a signature that would stand in Authorization', async () => {
    const host = SigningPartner.withSecret(secret, { header_names: { signature: 'Authorization' }, signature_template: 'Sig {signature}' });
    const pair = await pairOf({ host });
    hostApp.knows('code-1', { reference: 'user-1' });
    expect((await post(pair, 'authorize', { auth_code: 'code-1' })).status).toBe(200);
    const [exchange, user] = [hostApp.at('/token')[0]!, hostApp.at('/user')[0]!];
    expect(isSignedFor(host, exchange, { url: `${hostApp.url}/token?kind=code`, key: undefined })).toBe(true);
    expect(exchange.headers.authorization).toMatch(/^Sig [A-Za-z0-9+/=]+$/);
    expect(user.headers.authorization).toMatch(/^Token /);
    expect([user.headers['x-timestamp'], user.headers['x-client-id']].map(Boolean)).toEqual([true, true]);
  });

  it('of the client is sent beside the signature, and fetched without one', async () => {
    hostApp.on('/client-token', json({ access_token: service.canary('CANARY-client-token'), expires_in: 60 }));
    const host = SigningPartner.withSecret(secret);
    const pair = await pairOf({ host, hostSettings: { client_access_token_url: `${hostApp.url}/client-token` } });
    expect((await post(pair, 'orders/create-order-payment', { order: { currency: 'USD', amount: '1' } })).status).toBe(200);
    const [fetched, sent] = [hostApp.at('/client-token')[0]!, hostApp.at('/create')[0]!];
    expect([fetched.headers.authorization?.split(' ')[0], fetched.headers['x-signature']]).toEqual(['Basic', undefined]);
    expect(sent.headers.authorization).toBe('Bearer CANARY-client-token');
    expect(isSignedFor(host, sent, { url: `${hostApp.url}/create`, key: undefined })).toBe(true);
  });
});

describe('each attempt', () => {
  it('is signed anew, with a new nonce and time, also after a 401 and a refresh', async () => {
    const host = SigningPartner.withSecret(secret, {
      nonce_length: 32,
      timestamp_precision: 'microseconds',
      payload_template: everything.payload_template.replace('{identity}', 'x'),
    });
    let tokens = 0;
    hostApp.on('/client-token', (received, response) => json({ access_token: `client-token-${String(++tokens)}` })(received, response));
    const pair = await pairOf({ host, hostSettings: { client_access_token_url: `${hostApp.url}/client-token` } });
    hostApp.on('/create', (received, response) =>
      received.headers.authorization === 'Bearer client-token-2'
        ? json({ order_payment_id: 'op-1' })(received, response)
        : json({}, { status: 401 })(received, response),
    );
    expect((await post(pair, 'orders/create-order-payment', { order: { currency: 'USD', amount: '1' } })).status).toBe(200);
    expect((await post(pair, 'orders/create-order-payment', { order: { currency: 'USD', amount: '1' } })).status).toBe(200);
    const sent = hostApp.at('/create');
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers['x-nonce'])).size).toBe(3);
    expect(new Set(sent.map(({ headers }) => headers['x-timestamp'])).size).toBe(3);
    for (const { headers } of sent) expect(headers['x-nonce']).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(sent.map((received) => isSignedFor(host, received, { url: `${hostApp.url}/create`, key: undefined }))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('of a durable event is signed with the current secret, also if that has changed', async () => {
    const [old, young] = [SigningPartner.withSecret(secret), SigningPartner.withSecret(`${secret}-new`)];
    const pair = await pairOf({ host: old, integration: { event_delivery: 'durable' } });
    hostApp.on('/events', json({}, { status: 503 }));
    expect((await post(pair, 'events/miniapp', { event_type: 'a', payload: { z: 1.5 } })).status).toBe(202);
    await until(
      async () => hostApp.at('/events'),
      (all) => all.length === 1,
    );
    const rotation = { credential: 'hmac_secret', value: `${secret}-new` };
    expect((await service.manage('POST', `host-apps/${pair.clientId}/rotate`, rotation)).status).toBe(200);
    hostApp.on('/events', json({}));
    const due = `update deliveries set due_at = now() where state = 'ready' and integration_id in (select id from integrations where client_id = $1)`;
    await until(
      async () => {
        await service.database.db.query(due, [pair.clientId]);
        return hostApp.at('/events');
      },
      (all) => all.length === 2,
    );
    const [before, after] = hostApp.at('/events');
    const url = { url: `${hostApp.url}/events`, key: undefined };
    expect([isSignedFor(old, before!, url), isSignedFor(old, after!, url), isSignedFor(young, after!, url)]).toEqual([true, false, true]);
  });
});

describe('the sent body', () => {
  it.each([
    [{}, '{"app_id":"A","order":{"currency":"USD","amount":1.10,"note":"Zoë","b":{"2":1,"10":[1,{}]}}}'],
    [
      { payload_spaces: true },
      '{"app_id": "A", "order": {"currency": "USD", "amount": 1.10, "note": "Zoë", "b": {"2": 1, "10": [1, {}]}}}',
    ],
    [{ payload_sort_keys: true }, '{"app_id":"A","order":{"amount":1.10,"b":{"10":[1,{}],"2":1},"currency":"USD","note":"Zoë"}}'],
    [{ payload_ascii: true }, '{"app_id":"A","order":{"currency":"USD","amount":1.10,"note":"Zo\\u00eb","b":{"2":1,"10":[1,{}]}}}'],
  ])('is the form that was agreed on, %j, as it was signed', async (more, expected) => {
    const host = SigningPartner.withSecret(secret);
    const pair = await pairOf({ host, more });
    const body = `{"client_id":"${pair.clientId}","app_id":"${pair.appId}","order":{"currency":"USD","amount":1.10,"note":"Zo\\u00eb","b":{"2":1,"10":[1,{}]}}}`;
    expect((await service.call('POST', '/api/v1/orders/create-order-payment', { body })).status).toBe(200);
    const [sent] = hostApp.at('/create');
    expect(sent!.body.toString()).toBe(expected.replace('"A"', `"${pair.appId}"`));
    expect(isSignedFor(host, sent!, { url: `${hostApp.url}/create`, key: undefined })).toBe(true);
  });

  it('is the path alone where that was agreed on, with its query', async () => {
    const host = SigningPartner.withSecret(secret);
    const pair = await pairOf({
      host,
      more: { url_form: 'path' },
      hostSettings: { create_order_payment_url: `${hostApp.url}/create?a=1&b=%C3%A4` },
    });
    expect((await post(pair, 'orders/create-order-payment', { order: { currency: 'USD', amount: '1' } })).status).toBe(200);
    expect(isSignedFor(host, hostApp.at('/create')[0]!, { url: '/create?a=1&b=%C3%A4', key: undefined })).toBe(true);
  });

  it('holds no private key, anywhere that is shown', async () => {
    const pair = await pairOf({ host: SigningPartner.withRsaKey() });
    const shown = [
      await service.manage('GET', `host-apps/${pair.clientId}`),
      await service.manage('GET', 'host-apps'),
      await service.manage('GET', 'audit'),
    ];
    for (const { text } of shown) expect(text).not.toMatch(/PRIVATE/);
    expect(shown[0]!.text).toMatch(/BEGIN PUBLIC KEY/);
    expect(service.logText()).not.toMatch(/PRIVATE/);
  });
});

describe('settings that are not complete', () => {
  it.each([
    ['algorithm', {}, 'signature.algorithm'],
    ['the secret', { algorithm: 'HMAC' }, 'signature.hmac_secret'],
    ['the client id', { algorithm: 'HMAC', hmac_secret: secret }, 'signature.api_client_id'],
    [
      'the merchant id',
      { algorithm: 'HMAC', hmac_secret: secret, payload_template: '{request_method}.{url}.{merchant_id}.{timestamp}.{payload}' },
      'merchant_id',
    ],
  ])('lack %s: the call is refused, and no partner is called', async (_what, signature, setting) => {
    const pair = await pairOf({ hostSettings: { signature: { enabled: true, ...signature } }, integration: { merchant_id: null } });
    const reply = await post(pair, 'orders/create-order-payment', { order: { currency: 'USD', amount: '1' } });
    expect([reply.status, reply.body.error_code]).toEqual([400, 'MISSING_REQUEST_SIGNATURE_SETTINGS']);
    expect(reply.body.custom_attributes).toMatchObject({ side: 'hostapp', step: 'create', setting });
    expect(hostApp.store).toEqual([]);
  });
});

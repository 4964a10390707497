import { generateKeyPairSync } from 'node:crypto';
import { ApiRefused, HostAppCalls, MiniappCalls, sealPayload, type AgreedSignature } from '../../../src/kit/kit';
import { aPair, hostAppSecret, type Pair } from '../../support/signatures/a-pair';
import { KitHostApp, KitMiniapp } from '../../support/partners/kit-partners';
import { startTestService, until, type TestService } from '../../support/service/service';

const publicBase = 'https://platform.example';
const secret = 'CANARY-a-shared-secret-of-more-than-32-bytes';
let service: TestService;
let hostApp: KitHostApp;
let miniapp: KitMiniapp;

beforeAll(async () => {
  service = await startTestService({ env: { PUBLIC_BASE_URL: publicBase } });
});
afterAll(() => service.close());
beforeEach(async () => {
  hostApp = await KitHostApp.start();
  miniapp = await KitMiniapp.start();
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
});

type Keyless = Omit<AgreedSignature, 'algorithm'> & { readonly algorithm: AgreedSignature['algorithm'] };

/** One side's agreement, as the platform and the kit get it. */
function agreementOf(shape: Keyless): { stored: object; own: AgreedSignature } {
  const { merchant_id: _merchant, ...stored } = { api_client_id: 'cid_1', ...shape };
  const own = { api_client_id: 'cid_1', ...shape };
  if (shape.algorithm === 'HMAC')
    return { stored: { enabled: true, ...stored, hmac_secret: secret }, own: { ...own, hmac_secret: secret } };
  const pair =
    shape.algorithm === 'RSA2' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const partner_public_key = pair.publicKey.export({ type: 'spki', format: 'pem' });
  const private_key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { stored: { enabled: true, ...stored, partner_public_key }, own: { ...own, private_key } };
}

/** Registers both back ends; what they share with the platform afterwards is what the manage API shows. */
async function agree(shape: Keyless | undefined) {
  const [host, mini] = [shape && agreementOf(shape), shape && agreementOf(shape)];
  const pair = await aPair(service, {
    ...{ hostAppUrl: hostApp.url, miniappUrl: miniapp.url },
    hostApp: {
      ...{ create_order_payment_url: `${hostApp.url}/create?from=pierhead`, get_order_payment_status_url: `${hostApp.url}/status` },
      ...{ events_bridge_url: `${hostApp.url}/events`, signature: host?.stored },
    },
    miniapp: {
      ...{ webhook_url: `${miniapp.url}/webhook`, events_bridge_url: `${miniapp.url}/events`, signature: mini?.stored },
      ...(shape ? {} : { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8', '::1'] } }),
    },
    integration: { merchant_id: 'shop 7' },
  });
  const hostSigns = host && (await withPlatformKey(host.own, `host-apps/${pair.clientId}`));
  const miniSigns = mini && (await withPlatformKey(mini.own, `miniapps/${pair.appId}`));
  const platform = { id: 'platform-at-host', secret: hostAppSecret };
  hostApp.agree(pair.clientId, { platform, ...(hostSigns && { signature: hostSigns }) });
  miniapp.agree({ appId: pair.appId, secretKey: pair.miniSecret }, miniSigns);
  const api = { baseUrl: service.url, signedBaseUrl: publicBase };
  return {
    pair,
    miniSigns,
    host: new HostAppCalls({ ...api, clientId: pair.clientId, secretKey: pair.hostSecret, ...(hostSigns && { signature: hostSigns }) }),
    mini: new MiniappCalls({ ...api, appId: pair.appId, secretKey: pair.miniSecret, ...(miniSigns && { signature: miniSigns }) }),
  };
}

async function withPlatformKey(own: AgreedSignature, path: string): Promise<AgreedSignature> {
  const { platform_public_key } = (await service.manage('GET', path)).body.signature;
  return own.algorithm === 'HMAC' ? own : { ...own, platform_public_key };
}

const everything: Keyless = {
  ...{ algorithm: 'HMAC', hash: 'SHA-512', encoding: 'hex', timestamp_precision: 'nanoseconds', nonce_length: 24, identity: 'who' },
  ...{ url_form: 'path', signature_template: 'v1={signature};', merchant_id: 'shop 7' },
  payload_template: '{payload}\n{merchant_id}\n{identity}\n{nonce}\n{timestamp}\n{client_id}\n{url}\n{request_method}',
  header_names: { signature: 'X-Sig', timestamp: 'X-Ts', client_id: 'X-Cid', nonce: 'X-N', identity: 'X-Who', merchant_id: 'X-Shop' },
};

describe.each<[string, Keyless | undefined]>([
  ['Basic', undefined],
  ['HMAC', { algorithm: 'HMAC' }],
  ['HMAC with everything set', everything],
  ['RSA2 with nonces', { algorithm: 'RSA2', hash: 'SHA-384', nonce_length: 32 }],
  ['ECDSA in base64url', { algorithm: 'ECDSA', encoding: 'base64url' }],
])('partners made of the kit, with %s', (_name, shape) => {
  it('sign on, pay and complete, both directions proven', async () => {
    const { pair, host, mini } = await agree(shape);
    const user = { reference: 'user-mia', email: 'mia.berg@example.com', custom_attributes: { limit: '12345678901234567890.12' } };
    expect(await host.connect(pair.appId, user)).toEqual({ token: 'session-of-user-mia', refresh_token: '' });
    const login = sealPayload({ reference: 'user-yuki' }, { secretKey: pair.hostSecret, clientId: pair.clientId, appId: pair.appId });
    expect((await host.login(pair.appId, login)).token).toBe('session-of-user-yuki');
    expect((await mini.authorize(pair.clientId, 'code-1', 'user-mia')).auth_token).toBe('session-of-user-mia');
    expect(miniapp.users.map(({ reference }) => reference)).toEqual(['user-mia', 'user-yuki', 'user-mia']);

    const order = { currency: 'USD', amount: '24.90', miniapp_order_id: 'o-1', items: [{ product_name: 'Zoë', quantity: 2 }] };
    const payment = await mini.createOrderPayment(pair.clientId, order, { idempotencyKey: 'o-1' });
    expect(await mini.createOrderPayment(pair.clientId, order, { idempotencyKey: 'o-1' })).toEqual(payment);
    expect(hostApp.opened).toHaveLength(1);
    expect(hostApp.opened[0]).toMatchObject({ order, call: { app_id: pair.appId, idempotencyKey: expect.any(String) } });
    expect(await mini.paymentStatus(pair.clientId, payment.order_payment_id)).toMatchObject({ payment_status: 'in_process' });

    const result = { order_payment_id: payment.order_payment_id, payment_status: 'paid' } as const;
    expect(await host.completeOrder(pair.appId, result)).toEqual(result);
    const [received] = await until(
      async () => miniapp.completions,
      (found) => found.length > 0,
    );
    expect(received).toMatchObject({ completion: { ...result, client_id: pair.clientId }, call: { deliveryId: expect.any(String) } });
  });

  it('exchange events, consent and transactions', async () => {
    const { pair, host, mini, miniSigns } = await agree(shape);
    const event = { event_type: 'cart.changed', payload: { items: 2 } };
    expect(await mini.sendEvent(pair.clientId, event)).toEqual({ taken: true });
    const proof = miniSigns ? { miniappSignature: miniSigns } : {};
    expect(await host.sendEvent(pair.appId, event, proof)).toEqual({ seen: 'cart.changed' });
    expect([hostApp.events, miniapp.events]).toEqual([[expect.objectContaining(event)], [expect.objectContaining(event)]]);
    const query = { user_reference: 'user-mia', fields: ['email'] };
    expect(await host.saveConsent(pair.appId, query)).toEqual({ is_consented: true });
    expect(await host.revokeConsent(pair.appId, 'user-mia')).toEqual({ is_consented: false });
    expect(await host.consent(pair.appId, 'user-mia')).toEqual({ is_consented: false });
    expect((await host.miniappSettings(pair.appId)).app_id).toBe(pair.appId);
    const sold = { transaction_id: 't-1', amount: '1.50', currency: 'EUR' };
    expect(await mini.transactions(pair.clientId, [sold])).toEqual([{ transaction_id: 't-1', status: 'accepted' }]);
    expect(await mini.track(pair.clientId, { page: 'timetable' })).toMatchObject({ status: expect.anything() });
  });
});

describe('a call that does not prove itself to a back end of the kit', () => {
  const ids = ({ clientId, appId }: Pair) => ({
    'X-Hostapp-Client-ID': clientId,
    'X-Miniapp-App-ID': appId,
    'Content-Type': 'application/json',
  });
  const send = async (url: string, headers: Record<string, string>, body = '{"reference":"user-mia"}') => {
    const response = await fetch(url, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { error_code?: string }).error_code];
  };

  it('is refused, and nothing of it is done', async () => {
    const { pair } = await agree({ algorithm: 'HMAC' });
    const basic = `Basic ${Buffer.from(`${pair.appId}:${pair.miniSecret}`).toString('base64')}`;
    // Signatures take the place of Basic.
    expect(await send(`${miniapp.url}/auth`, { ...ids(pair), Authorization: basic })).toEqual([401, 'MISSING_HEADER']);
    const forged = { 'X-Client-Id': 'cid_1', 'X-Timestamp': String(Math.floor(Date.now() / 1000)), 'X-Signature': 'AAAA' };
    expect(await send(`${miniapp.url}/auth`, { ...ids(pair), ...forged })).toEqual([401, 'INVALID_SIGNATURE']);
    expect(
      await send(`${hostApp.url}/create`, { ...ids(pair), Authorization: 'Token access-1', 'X-User-ID': 'user-mia' }, '{"order":{}}'),
    ).toEqual([401, 'MISSING_HEADER']);
    expect([miniapp.users, hostApp.opened]).toEqual([[], []]);
  });

  it('is refused with Basic, too, and with ids that are not its own', async () => {
    const { pair } = await agree(undefined);
    const basic = { Authorization: `Basic ${Buffer.from(`${pair.appId}:${pair.miniSecret}`).toString('base64')}` };
    expect(await send(`${miniapp.url}/auth`, ids(pair))).toEqual([401, 'ACCESS_DENIED']);
    expect(await send(`${miniapp.url}/auth`, { ...ids(pair), ...pair.basic })).toEqual([401, 'ACCESS_DENIED']);
    expect(await send(`${miniapp.url}/auth`, { ...ids(pair), ...basic, 'X-Miniapp-App-ID': 'app_other0' })).toEqual([400, 'INVALID_INPUT']);
    expect(await send(`${miniapp.url}/auth`, { ...ids(pair), ...basic, 'Content-Type': 'text/plain' })).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    const user = { ...ids(pair), Authorization: 'Token access-1' };
    expect(await send(`${hostApp.url}/create`, user, '{"order":{}}')).toEqual([401, 'ACCESS_DENIED']);
    expect(await send(`${hostApp.url}/create`, { ...user, 'X-User-ID': 'user-other' }, '{"order":{}}')).toEqual([
      400,
      'HOSTAPP_USER_NOT_FOUND',
    ]);
    expect(await send(`${hostApp.url}/create`, { ...user, 'X-User-ID': 'user-mia' }, '{"order":{}}')).toEqual([200, undefined]);
    expect(hostApp.opened.map(({ call }) => call.userReference)).toEqual(['user-mia']);
  });
});

describe('payments for a user by their token', () => {
  it('are proven by it, refreshed when it has run out', async () => {
    const { pair, mini } = await agree({ algorithm: 'HMAC' });
    await service.manage('PATCH', `host-apps/${pair.clientId}`, { use_access_token: true });
    await mini.authorize(pair.clientId, 'code-1');
    hostApp.users.clear();
    hostApp.users.set('access-2', 'user-mia');
    await mini.createOrderPayment(pair.clientId, { currency: 'USD', amount: 1, hostapp_user_id: 'user-mia' });
    expect(hostApp.opened.map(({ call }) => call.userReference)).toEqual(['user-mia']);
  });

  it("are refused to the miniapp with the platform's own error", async () => {
    const { pair, mini } = await agree({ algorithm: 'HMAC' });
    const refused = mini.createOrderPayment(pair.clientId, { currency: 'USD', amount: '1.005' });
    await expect(refused).rejects.toBeInstanceOf(ApiRefused);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_ORDER_DATA',
      attributes: { fields: [expect.objectContaining({ path: 'order.amount' })] },
    });
  });
});

describe('a client access token', () => {
  it('is given to the platform, and admits it', async () => {
    const { pair, mini } = await agree(undefined);
    const platform = { id: 'platform-at-host', secret: hostAppSecret };
    hostApp.agree(pair.clientId, { platform, isClientToken: (token) => token === 'client-1' });
    await service.manage('PATCH', `host-apps/${pair.clientId}`, { client_access_token_url: `${hostApp.url}/client-token` });
    expect(await mini.sendEvent(pair.clientId, { event_type: 'a' })).toEqual({ taken: true });
  });
});

import { createHmac } from 'node:crypto';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import type { Pair, PairSettings } from '../../support/signatures/a-pair';
import { basicOf } from '../../support/signatures/a-pair';
import { startTestService, until, type Reply, type TestService } from '../../support/service/service';
import * as stub from '../../support/partners/stub-behaviours';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let calls = 0;

const hmacSecret = 'CANARY-verdicts-hmac-secret-of-32-bytes';

beforeAll(async () => {
  const env = { SSO_TIMEOUT_MS: '700', PAYMENT_TIMEOUT_MS: '700', BODY_LIMIT: '4096', RATE_LIMITS: '{"authorize": 4}' };
  service = await startTestService({ env });
  service.canary(hmacSecret);
  [hostApp, miniapp] = [await new StubPayingHostApp().start(), await new StubMiniapp().start()];
}, 60_000);
afterAll(async () => {
  await service.close();
  await Promise.all([hostApp.stop(), miniapp.stop()]);
});

/** One failure on purpose: who is to blame for it, and what must be said of it. */
interface Scenario {
  readonly name: string;
  readonly side: string;
  readonly sentence: RegExp;
  readonly pair?: () => PairSettings;
  /** Makes the call; resolves to its answer. */
  readonly drive: (pair: Pair, headers: Record<string, string>) => Promise<unknown>;
  /** Instead of the call's own timeline: the payment's, once this holds. */
  readonly ofPayment?: RegExp;
}

const post = (path: string, body: unknown, headers: Record<string, string>): Promise<Reply> =>
  service.call('POST', `/api/v1/${path}/`, { body, headers });

const ids = ({ clientId, appId }: Pair) => ({ client_id: clientId, app_id: appId });
const order = { currency: 'EUR', amount: '1.10' };
const connect = (pair: Pair, headers: Record<string, string>, user: object = { reference: 'user-1' }): Promise<Reply> =>
  post('connect', { ...ids(pair), user }, { ...pair.basic, ...headers });
const create = (pair: Pair, headers: Record<string, string>): Promise<Reply> =>
  post('orders/create-order-payment', { ...ids(pair), order }, headers);
const authorize = (pair: Pair, headers: Record<string, string>, code = `code-${String(++calls)}`): Promise<Reply> => {
  hostApp.knows(code, { reference: 'user-1' });
  return post('authorize', { ...ids(pair), auth_code: code }, headers);
};
const asMiniapp = (behaviour: stub.Behaviour) => (pair: Pair, headers: Record<string, string>) =>
  miniapp.during('/auth', behaviour, () => connect(pair, headers));
const asHostApp = (path: string, behaviour: stub.Behaviour) => (pair: Pair, headers: Record<string, string>) =>
  hostApp.during(path, behaviour, () => (path === '/create' ? create(pair, headers) : authorize(pair, headers)));
const signing = (): PairSettings => ({
  miniapp: {
    ip_whitelist: { enabled: false, addresses: [] },
    signature: { enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: hmacSecret },
  },
});
/** Pays, and tells how it ended; the webhook answers as set. */
const completed = (behaviour: stub.Behaviour) => (pair: Pair, headers: Record<string, string>) => {
  miniapp.on(`/webhook/${pair.appId}`, behaviour);
  return createAndComplete(pair, headers);
};
async function createAndComplete(pair: Pair, headers: Record<string, string>): Promise<Reply> {
  const url = `${miniapp.url}/webhook/${pair.appId}`;
  await service.manage('PATCH', `miniapps/${pair.appId}`, { webhook_url: url });
  const { body } = await create(pair, {});
  return post(
    'orders/complete-order',
    { ...ids(pair), order_payment_id: body.order_payment_id, payment_status: 'paid' },
    { ...pair.basic, ...headers },
  );
}

const scenarios: Scenario[] = [
  { name: 'all is well', side: 'nobody', sentence: /went well/, drive: (pair, h) => connect(pair, h) },
  {
    name: 'a wrong Basic secret',
    side: 'hostapp',
    sentence: /host app did not prove itself/,
    drive: (pair, h) => connect({ ...pair, basic: basicOf(pair.clientId, 'wrong') }, h),
  },
  {
    name: 'no credentials at all',
    side: 'hostapp',
    sentence: /did not prove itself/,
    drive: (pair, h) => post('connect', { ...ids(pair), user: {} }, h),
  },
  {
    name: 'a wrong signature',
    side: 'miniapp',
    sentence: /miniapp did not sign its call as agreed/,
    pair: signing,
    drive: (pair, h) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', hmacSecret).update('something else').digest('base64');
      return create(pair, { ...h, 'X-Client-Id': 'cid_1', 'X-Timestamp': timestamp, 'X-Signature': signature });
    },
  },
  {
    name: 'signing that is half set up',
    side: 'operator',
    sentence: /settings are not complete/,
    pair: () => ({ miniapp: { signature: { enabled: true, algorithm: 'HMAC', hmac_secret: hmacSecret } } }),
    drive: create,
  },
  {
    name: 'a required user field that the host app does not send',
    side: 'hostapp',
    sentence: /user data/,
    pair: () => ({ miniapp: { required_user_fields: ['email'] } }),
    drive: (pair, h) => connect(pair, h),
  },
  { name: 'a signature that is missing', side: 'miniapp', sentence: /left out a header/, pair: signing, drive: create },
  {
    name: 'an address that is not listed',
    side: 'miniapp',
    sentence: /miniapp called from an address/,
    pair: () => ({ miniapp: { ip_whitelist: { enabled: true, addresses: ['203.0.113.7'] } } }),
    drive: create,
  },
  {
    name: 'a feature that is off',
    side: 'operator',
    sentence: /switched off in the host app/,
    pair: () => ({ hostApp: { ...hostApp.paymentUrls, features: { sso: true, payments: false } } }),
    drive: create,
  },
  {
    name: 'an integration that was not accepted',
    side: 'operator',
    sentence: /no accepted integration/,
    pair: () => ({ integration: { status: 'proposed' } }),
    drive: create,
  },
  {
    name: 'a URL that was never stored',
    side: 'operator',
    sentence: /no URL stored/,
    pair: () => ({ hostApp: { create_order_payment_url: null } }),
    drive: create,
  },
  {
    name: 'a host app that is down',
    side: 'hostapp',
    sentence: /could not be reached/,
    pair: () => ({ hostApp: { create_order_payment_url: 'http://127.0.0.1:9/create' } }),
    drive: create,
  },
  {
    name: 'a host app that hangs',
    side: 'hostapp',
    sentence: /did not answer in time/,
    drive: asHostApp('/create', stub.hangBeforeHeaders),
  },
  {
    name: 'a host app that answers 500',
    side: 'hostapp',
    sentence: /answered 500/,
    drive: asHostApp('/create', stub.json({}, { status: 500 })),
  },
  { name: 'a host app with broken JSON', side: 'hostapp', sentence: /not valid JSON/, drive: asHostApp('/token', stub.invalidJson) },
  { name: 'a host app with a page', side: 'hostapp', sentence: /did not answer with JSON/, drive: asHostApp('/user', stub.html) },
  {
    name: 'a host app that refuses its own token twice',
    side: 'hostapp',
    sentence: /401/,
    drive: asHostApp('/user', stub.json({}, { status: 401 })),
  },
  {
    name: 'a host app that declines in its own words',
    side: 'hostapp',
    sentence: /its own code CARD_DECLINED/,
    drive: asHostApp('/create', stub.refusalOf('CARD_DECLINED')),
  },
  {
    name: 'a code that has expired',
    side: 'hostapp',
    sentence: /EXPIRED_AUTH_CODE/,
    drive: asHostApp('/token', stub.refusalOf('EXPIRED_AUTH_CODE')),
  },
  {
    name: 'a miniapp that is down',
    side: 'miniapp',
    sentence: /could not be reached/,
    pair: () => ({ miniapp: { get_auth_token_url: 'http://127.0.0.1:9/auth' } }),
    drive: (pair, h) => connect(pair, h),
  },
  { name: 'a miniapp that answers 401', side: 'miniapp', sentence: /answered 401/, drive: asMiniapp(stub.json({}, { status: 401 })) },
  { name: 'a miniapp that answers 500', side: 'miniapp', sentence: /answered 500/, drive: asMiniapp(stub.json({}, { status: 500 })) },
  {
    name: 'a miniapp that denies the platform',
    side: 'miniapp',
    sentence: /ACCESS_DENIED/,
    drive: asMiniapp(stub.refusalOf('ACCESS_DENIED')),
  },
  {
    name: 'a miniapp that gives no token',
    side: 'miniapp',
    sentence: /without a field/,
    drive: asMiniapp(stub.json({ refresh_token: 'x' })),
  },
  { name: 'a miniapp that redirects', side: 'miniapp', sentence: /redirect|302/, drive: asMiniapp(stub.redirect('http://127.0.0.1:9/')) },
  {
    name: 'TLS that is plain',
    side: 'miniapp',
    sentence: /TLS|broke the connection off/,
    pair: () => ({ miniapp: { get_auth_token_url: `https://127.0.0.1:${String(miniapp.port)}/auth` } }),
    drive: (pair, h) => connect(pair, h),
  },
  {
    name: 'a name without an address',
    side: 'miniapp',
    sentence: /name in its URL has no address/,
    pair: () => ({ miniapp: { get_auth_token_url: 'http://no-such-host.invalid/auth' } }),
    drive: (pair, h) => connect(pair, h),
  },
  {
    name: 'user data without a reference',
    side: 'hostapp',
    sentence: /field that is missing/,
    drive: (pair, h) => connect(pair, h, { email: 'a@b.example' }),
  },
  {
    name: 'a body that is not JSON',
    side: 'hostapp',
    sentence: /not a JSON object/,
    drive: (pair, h) => post('connect', '{"client_id":', { ...pair.basic, ...h }),
  },
  {
    name: 'a body that is too large',
    side: 'miniapp',
    sentence: /too large/,
    drive: (pair, h) => post('orders/create-order-payment', { ...ids(pair), order, padding: 'x'.repeat(5000) }, h),
  },
  {
    name: 'an order without an amount',
    side: 'miniapp',
    sentence: /order with a field/,
    drive: (pair, h) => post('orders/create-order-payment', { ...ids(pair), order: { currency: 'EUR' } }, h),
  },
  {
    name: 'a payment that nobody knows',
    side: 'miniapp',
    sentence: /No such order payment/,
    drive: (pair, h) => post('orders/get-payment-status', { ...ids(pair), order_payment_id: 'nobody' }, h),
  },
  {
    name: 'too many calls',
    side: 'hostapp',
    sentence: /more often than it may/,
    drive: async (pair, h) => {
      for (let i = 0; i < 4; i++) await authorize(pair, {});
      return authorize(pair, h);
    },
  },
  {
    name: 'a webhook that fails',
    side: 'miniapp',
    sentence: /was not received by the miniapp: it answered 500/,
    drive: completed(stub.json({}, { status: 500 })),
    ofPayment: /answered/,
  },
  {
    name: 'a webhook that redirects',
    side: 'miniapp',
    sentence: /it answered 302/,
    drive: completed(stub.redirect('http://127.0.0.1:9/')),
    ofPayment: /answered/,
  },
  {
    name: 'a webhook that takes it',
    side: 'nobody',
    sentence: /was received by the miniapp/,
    drive: completed(stub.bytes('text/plain', 'ok')),
    ofPayment: /received by/,
  },
];

it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  '%s',
  async (_name, { side, sentence, pair: settings, drive, ofPayment }) => {
    const pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url, ...settings?.() });
    const requestId = `verdict-${String(++calls)}`;
    await drive(pair, { 'X-Request-Id': requestId });
    const [exchange] = (await service.exchanges(requestId)) as unknown as { id: string; part_of?: string }[];
    const path = ofPayment ? `timelines/payment/${exchange!.part_of!}` : `timelines/exchange/${exchange!.id}`;
    const { body } = await until(
      () => service.manage('GET', path),
      ({ body: seen }) => !ofPayment || ofPayment.test(seen.verdict.sentence),
    );
    expect(body.verdict).toMatchObject({ side, sentence: expect.stringMatching(sentence) });
    if (side === 'nobody') expect(body.verdict.next).toBeUndefined();
    else expect(body.verdict.next).toMatch(/^[A-Z].*\.$/);
  },
);

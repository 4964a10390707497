import { createHmac, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { T } from '../../../src/composition/tokens/tokens';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import type { Pair } from '../../support/signatures/a-pair';
import { ManualClock } from '../../support/manual-clock';
import { startTestService, until, type Reply, type TestService } from '../../support/service/service';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let pair: Pair;
const clock = new ManualClock(Date.now());
const hmacSecret = 'CANARY-evidence-hmac-secret-of-32-bytes';
/** Everything of a user's and of an order's that a request brought. */
const personal = [
  'CANARY-user-7',
  'canary.person@mail.example',
  '+4917600000017',
  'Canarina',
  'Canary Street 9',
  'CANARY-order-1',
  '77123.45',
];

beforeAll(async () => {
  service = await startTestService({
    env: { RATE_LIMITS: '{"evidence": 100}' },
    change: (container) => void container.rebind(T.clock).toConstantValue(clock),
  });
  [hostApp, miniapp] = [await new StubPayingHostApp().start(), await new StubMiniapp().start()];
  service.canary(hmacSecret);
  pair = await aPayingPair(service, hostApp, {
    miniappUrl: miniapp.url,
    miniapp: {
      signature: { enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: hmacSecret },
      ip_whitelist: { enabled: false, addresses: [] },
    },
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  await Promise.all([hostApp.stop(), miniapp.stop()]);
});

const orderBody = () => {
  const [user, email, phone, name, street, order, amount] = personal;
  const address = { first_name: name, email, phone, address_1: street };
  return JSON.stringify({
    ...{ app_id: pair.appId, client_id: pair.clientId },
    order: {
      currency: 'EUR',
      amount: Number(amount),
      miniapp_order_id: order,
      hostapp_user_id: user,
      shipping_address: address,
      custom_attributes: { [`${name!} key`]: phone },
    },
  });
};

/** A call whose signature covers the path instead of the URL. */
async function refused(): Promise<{ id: string; signature: string }> {
  const [timestamp, path, body] = [String(Math.floor(clock.now() / 1000)), '/api/v1/orders/create-order-payment/', orderBody()];
  const signature = createHmac('sha256', hmacSecret).update(`POST.${path}.cid_1.${timestamp}.${body}`).digest('base64');
  const requestId = `evidence-${String(Math.random()).slice(2)}`;
  const headers = {
    'X-Client-Id': 'cid_1',
    'X-Timestamp': timestamp,
    'X-Signature': signature,
    'X-Request-Id': requestId,
    'X-Note': personal[1]!,
  };
  expect((await service.call('POST', path, { headers, body })).status).toBe(401);
  const [exchange] = await service.exchanges(requestId);
  await until(
    () => service.manage('GET', `exchanges/${exchange!.id}`),
    ({ body: seen }) => seen.explainable === true,
  );
  return { id: exchange!.id, signature };
}

const share = (id: string, body?: object): Promise<Reply> => service.manage('POST', `exchanges/${id}/evidence`, body);
const open = (url: string, accept = 'application/json') => service.call('GET', new URL(url).pathname, { headers: { Accept: accept } });

/** As anybody would, with the published key and no library: the signed document, or `undefined`. */
async function verified(jws: string): Promise<Record<string, unknown> | undefined> {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string; kid: string };
  const { keys } = (await service.call('GET', '/.well-known/jwks.json')).body as { keys: (JsonWebKey & { kid: string })[] };
  const jwk = keys.find((key) => key.kid === kid);
  if (alg !== 'ES256' || !jwk) return undefined;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isRight = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isRight ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : undefined;
}

it('shows a refused call to anybody with the link, signed by the platform', async () => {
  const { id, signature } = await refused();
  const { status, body: link } = await share(id);
  expect([status, link.exchange_id, link.state, link.opened]).toEqual([201, id, 'open', 0]);
  const { body: shown, headers } = await open(link.url);
  expect(await verified(shown.jws)).toEqual(shown.evidence);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(shown.evidence).toMatchObject({
    format: 'pierhead-evidence/1',
    exchange: {
      id,
      call: 'create_order_payment',
      status: 401,
      error_code: 'INVALID_SIGNATURE',
      client_id: pair.clientId,
      app_id: pair.appId,
    },
    verdict: { side: 'miniapp' },
    checks: { basic: 'not-checked', signature: 'refused', address: 'not-checked' },
    signature: { verdict: 'explained', causes: ['url-form'], differs_at: 5 },
    curl: expect.stringContaining('/api/v1/orders/create-order-payment/'),
  });
  expect(shown.evidence.signature.signed_string).toMatch(/^POST\.\/api\/v1\/orders\/create-order-payment\/\./);
  expect(shown.evidence.signature.signed_string).toContain('"hostapp_user_id":"xxxxxx-xxxx-0"');
  const page = await open(link.url, 'text/html');
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.text).toContain('The miniapp did not sign its call as agreed.');
  const payload = Buffer.from(String(shown.jws).split('.')[1]!, 'base64url').toString();
  const secrets = [hmacSecret, pair.hostSecret, pair.miniSecret, signature, ...personal];
  for (const text of [payload, page.text, JSON.stringify(shown), link.url])
    for (const secret of secrets) expect(text).not.toContain(secret);
});

it('proves nothing once a byte of it is changed', async () => {
  const { body: link } = await share((await refused()).id);
  const { jws } = (await open(link.url)).body as { jws: string };
  const [header, payload, signature] = jws.split('.') as [string, string, string];
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"miniapp"', '"hostapp"')).toString('base64url');
  expect(await verified([header, forged, signature].join('.'))).toBeUndefined();
  expect(await verified(jws)).toBeDefined();
});

it('counts and audits each opening, and a glance is none', async () => {
  const { id } = await refused();
  const { body: link } = await share(id);
  await open(link.url);
  await service.call('HEAD', new URL(link.url).pathname);
  await open(link.url, 'text/html');
  const { body: list } = await service.manage('GET', `evidence?exchange_id=${id}`);
  expect(list.data).toMatchObject([{ id: link.id, opened: 2, state: 'open' }]);
  expect(JSON.stringify(list)).not.toContain(link.url.slice(-43));
  const { body: audit } = await service.manage('GET', `audit?subject=integration:${pair.clientId}/${pair.appId}&limit=3`);
  expect(audit.data.map(({ action, after }: { action: string; after: { opened?: number } }) => [action, after.opened])).toEqual([
    ['evidence.opened', 2],
    ['evidence.opened', 1],
    ['evidence.shared', undefined],
  ]);
});

it('ends when it expires or is revoked, and then answers like an unknown token', async () => {
  const { id } = await refused();
  const [{ body: short }, { body: long }] = [await share(id, { expires_in_s: 60 }), await share(id)];
  clock.advance(60_000);
  const gone = await open(short.url);
  expect([gone.status, (await open(long.url)).status]).toEqual([404, 200]);
  expect((await service.manage('DELETE', `evidence/${long.id as string}`)).body).toMatchObject({ state: 'revoked', opened: 1 });
  expect((await open(long.url)).text).toBe(gone.text);
  expect((await open(`${service.url}/evidence/${'x'.repeat(43)}`)).text).toBe(gone.text);
  expect((await open(`${service.url}/evidence/nothing`, 'text/html')).status).toBe(404);
  const { body: list } = await service.manage('GET', `evidence?exchange_id=${id}`);
  expect(list.data.map(({ state }: { state: string }) => state).sort()).toEqual(['expired', 'revoked']);
});

it('needs an existing exchange, and lasts thirty days at most', async () => {
  const { id } = await refused();
  expect((await share('nobody')).status).toBe(404);
  expect((await share(id, { expires_in_s: 30 * 86_400 + 1 })).status).toBe(400);
  expect((await share(id, { for_ever: true })).status).toBe(400);
  expect((await service.manage('DELETE', 'evidence/nobody')).status).toBe(404);
  expect((await service.call('POST', `/manage/v1/exchanges/${id}/evidence`)).status).toBe(401);
});

it('shows the request to the operator on demand, and audits that', async () => {
  const { id } = await refused();
  const { body } = await service.manage('POST', `exchanges/${id}/raw`);
  expect([body.method, body.target]).toEqual(['POST', '/api/v1/orders/create-order-payment/']);
  expect(Buffer.from(body.body_base64, 'base64').toString()).toBe(orderBody());
  const { body: audit } = await service.manage('GET', `audit?subject=miniapp:${pair.appId}&limit=1`);
  expect(audit.data).toMatchObject([{ action: 'exchange.request-shown', after: { exchange_id: id } }]);
  expect((await service.manage('POST', 'exchanges/nobody/raw')).status).toBe(404);
});

it('shows a call that went well without what it carried', async () => {
  const requestId = `fine-${String(Math.random()).slice(2)}`;
  const user = { reference: personal[0], email: personal[1], phone: personal[2] };
  const body = { client_id: pair.clientId, app_id: pair.appId, user };
  expect((await service.call('POST', '/api/v1/connect/', { body, headers: { ...pair.basic, 'X-Request-Id': requestId } })).status).toBe(
    200,
  );
  const [exchange] = await service.exchanges(requestId);
  const { body: link } = await share(exchange!.id);
  const { text, body: shown } = await open(link.url);
  expect(shown.evidence).toMatchObject({ verdict: { side: 'nobody' }, steps: [{ kind: 'call' }, { kind: 'leg', to: 'miniapp' }] });
  for (const secret of [pair.hostSecret, ...personal])
    expect(text + Buffer.from(String(shown.jws).split('.')[1]!, 'base64url').toString()).not.toContain(secret);
});

import { createHmac, randomBytes } from 'node:crypto';
import { basicOf, type Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import type { Received } from '../../support/partners/stub-partner';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

const base = 'https://platform.example';
let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
beforeAll(async () => {
  service = await startTestService({ env: { PUBLIC_BASE_URL: base } });
  hostApp = await new StubPayingHostApp().start();
});
afterAll(async () => {
  await hostApp.stop();
  await service.close();
});
beforeEach(async () => {
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({ ok: true }));
});
afterEach(() => miniapp.stop());

const secretOf = (fill: number) =>
  service.canary(`whsec_${Buffer.from(Array.from({ length: 32 }, (_, i) => i + fill)).toString('base64')}`);
const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
const hmac = (key: Uint8Array | string, ...parts: readonly (string | Buffer)[]) =>
  createHmac('sha256', key)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest('base64');

const aSigningPair = (signature: object) =>
  aPayingPair(service, hostApp, { miniapp: { webhook_url: `${miniapp.url}/webhook`, ip_whitelist: null, signature } });
const order = ({ clientId, appId }: Pair) =>
  JSON.stringify({ client_id: clientId, app_id: appId, order: { currency: 'USD', amount: '1.10', hostapp_user_id: 'u1' } });
const create = '/api/v1/orders/create-order-payment/';
const call = (body: string, headers: Record<string, string>) => service.call('POST', create, { body, headers });

/** A payment is opened and reported as paid; resolves to what the miniapp is sent of it. */
async function delivered(pair: Pair, headers: Record<string, string>, body = order(pair)): Promise<Received> {
  const opened = await call(body, headers);
  expect([opened.status, opened.body]).toEqual([200, { order_payment_id: expect.any(String) as string }]);
  const report = { client_id: pair.clientId, app_id: pair.appId, order_payment_id: opened.body.order_payment_id, payment_status: 'paid' };
  const reply = await service.call('POST', '/api/v1/orders/complete-order/', { body: report, headers: pair.basic });
  expect(reply.status).toBe(200);
  return (
    await until(
      async () => miniapp.at('/webhook'),
      (all) => all.length > 0,
    )
  )[0]!;
}

describe('the list of presets', () => {
  it('names three, each with a sentence and what it stands for', async () => {
    const { status, body } = await service.manage('GET', 'signatures/presets');
    expect([status, body.next_cursor]).toEqual([200, null]);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['platform', 'method-path-lines', 'standard-webhooks']);
    for (const { description } of body.data) expect(description).toMatch(/^[A-Z].*\.$/);
    expect((await service.manage('POST', 'signatures/presets', {})).status).toBe(405);
  });

  it.each(['host-apps', 'miniapps'])('can be taken one by one, for %s, and leaves no word behind', async (collection) => {
    const { data } = (await service.manage('GET', 'signatures/presets')).body;
    const { body } = await service.manage('POST', collection, { name: 'Any' });
    const one = `${collection}/${String(body.client_id ?? body.app_id)}`;
    for (const { name, signature } of [...data, ...data]) {
      const changed = await service.manage('PATCH', one, { signature: { preset: name } });
      expect(changed.status).toBe(200);
      expect(changed.body.signature).toMatchObject(signature);
      expect(changed.body.signature).not.toHaveProperty('preset');
    }
    const created = await service.manage('POST', collection, { name: 'Any', signature: { preset: 'method-path-lines' } });
    expect(created.body.signature).toMatchObject(data[1].signature);
  });

  it('gives way to what the same body says', async () => {
    const signature = { preset: 'standard-webhooks', algorithm: 'RSA2', nonce_length: 16, header_names: { nonce: 'X-Id' } };
    const { body } = await service.manage('POST', 'miniapps', { name: 'Any', signature });
    expect(body.signature).toMatchObject({ algorithm: 'RSA2', nonce_length: 16, signature_template: 'v1,{signature}' });
    expect(body.signature.header_names).toMatchObject({ nonce: 'X-Id', timestamp: 'webhook-timestamp', client_id: 'X-Client-Id' });
    const patch = { signature: { preset: 'standard-webhooks', header_names: null, nonce_length: null, payload_template: null } };
    const reset = await service.manage('PATCH', `miniapps/${String(body.app_id)}`, patch);
    expect(reset.body.signature).toMatchObject({ algorithm: 'HMAC', nonce_length: 0, header_names: { nonce: 'X-Nonce' } });
    const refused = await service.manage('POST', 'miniapps', { name: 'Any', signature: { ...signature, acknowledge_weak: false } });
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['signature.payload_template']);
  });
});

describe('by method-path-lines', () => {
  it('a call is signed line by line, and passes once', async () => {
    const hmac_secret = secretOf(1);
    const pair = await aSigningPair({ preset: 'method-path-lines', enabled: true, algorithm: 'HMAC', hmac_secret, api_client_id: 'cid' });
    const [seconds, nonce, body] = [String(Math.floor(Date.now() / 1000)), randomBytes(16).toString('hex'), order(pair)];
    const signature = hmac(keyOf(hmac_secret), `POST\n${create}\n${seconds}\n${nonce}\n${body}`);
    const headers = { 'X-Client-Id': 'cid', 'X-Timestamp': seconds, 'X-Nonce': nonce, 'X-Signature': signature };
    const sent = await delivered(pair, headers, body);
    expect(await call(body, headers)).toMatchObject({ status: 401, body: { error_code: 'INVALID_SIGNATURE' } });
    const { 'x-timestamp': at, 'x-nonce': id } = sent.headers;
    expect(sent.headers['x-signature']).toBe(hmac(keyOf(hmac_secret), `POST\n/webhook\n${String(at)}\n${String(id)}\n`, sent.body));
    expect(id).toHaveLength(32);
  });
});

describe('by standard-webhooks', () => {
  it('calls and deliveries are signed in its three headers', async () => {
    const hmac_secret = secretOf(2);
    const pair = await aSigningPair({ preset: 'standard-webhooks', enabled: true, hmac_secret });
    const [seconds, body] = [String(Math.floor(Date.now() / 1000)), order(pair)];
    const headers = (id: string, key: Uint8Array | string) => ({
      ...{ 'webhook-id': id, 'webhook-timestamp': seconds },
      'webhook-signature': `v1,${hmac(key, `${id}.${seconds}.${body}`)}`,
    });
    const asText = await call(body, headers('msg_as_text_0000000000', hmac_secret));
    expect(asText).toMatchObject({ status: 401, body: { error_code: 'INVALID_SIGNATURE' } });
    const sent = await delivered(pair, headers('msg_2KWPBgLlAfxdpx2AI54pPJ85f4W', keyOf(hmac_secret)), body);
    const { 'webhook-id': id, 'webhook-timestamp': at } = sent.headers;
    expect(sent.headers['webhook-signature']).toBe(`v1,${hmac(keyOf(hmac_secret), `${String(id)}.${String(at)}.`, sent.body)}`);
    const { data } = (await service.manage('GET', `deliveries?app_id=${pair.appId}`)).body;
    expect(data.map((one: { id: string }) => one.id)).toEqual([id]);
  });
});

describe('webhook_signature', () => {
  const whitelist = { enabled: true, addresses: ['127.0.0.0/8', '::1'] };
  const aPairWith = (signature: object) =>
    aPayingPair(service, hostApp, { miniapp: { webhook_url: `${miniapp.url}/webhook`, ip_whitelist: whitelist, signature } });

  it('signs deliveries beside Basic, also with the previous secret while that is valid', async () => {
    const [before, after] = [secretOf(3), secretOf(4)];
    const pair = await aPairWith({ webhook_signature: true, hmac_secret: before });
    const rotation = { credential: 'hmac_secret', value: after };
    expect((await service.manage('POST', `miniapps/${pair.appId}/rotate`, rotation)).status).toBe(200);
    const sent = await delivered(pair, {});
    const { 'webhook-id': id, 'webhook-timestamp': at, authorization } = sent.headers;
    expect(authorization).toBe(basicOf(pair.appId, pair.miniSecret).Authorization);
    const signed = (secret: string) => `v1,${hmac(keyOf(secret), `${String(id)}.${String(at)}.`, sent.body)}`;
    expect(sent.headers['webhook-signature']).toBe(`${signed(after)} ${signed(before)}`);
  });

  it('is off unless asked for', async () => {
    const pair = await aPairWith({ hmac_secret: secretOf(5) });
    const sent = await delivered(pair, {});
    expect([sent.headers['webhook-id'], sent.headers['webhook-signature']]).toEqual([expect.any(String), undefined]);
    expect((await service.manage('GET', `miniapps/${pair.appId}`)).body.signature.webhook_signature).toBe(false);
  });

  it.each([
    ['needs-hmac-secret', { webhook_signature: true }],
    [
      'webhook-signature-twice',
      { webhook_signature: true, preset: 'standard-webhooks', hmac_secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX' },
    ],
  ])('is refused by the name %s', async (cause, signature) => {
    const { status, body } = await service.manage('POST', 'miniapps', { name: 'Any', signature });
    expect([status, body.errors]).toEqual([400, [{ path: 'signature.webhook_signature', rule: expect.any(String) as string, cause }]]);
  });

  it('holds a delivery that it cannot sign, and warns its app', async () => {
    const pair = await aPairWith({ webhook_signature: true, hmac_secret: secretOf(6) });
    const revoked = await service.manage('POST', `miniapps/${pair.appId}/revoke`, { credential: 'hmac_secret', which: 'current' });
    expect(revoked.body.warnings.map(({ path }: { path: string }) => path)).toContain('signature.webhook_signature');
    const opened = await call(order(pair), {});
    const report = { client_id: pair.clientId, app_id: pair.appId, order_payment_id: opened.body.order_payment_id, payment_status: 'paid' };
    await service.call('POST', '/api/v1/orders/complete-order/', { body: report, headers: pair.basic });
    const [delivery] = await until(
      async () =>
        (await service.manage('GET', `deliveries?app_id=${pair.appId}`)).body.data as {
          id: string;
          state: string;
          attempt_count: number;
        }[],
      ([one]) => (one?.attempt_count ?? 0) > 0,
    );
    const { attempts } = (await service.manage('GET', `deliveries/${delivery!.id}`)).body;
    expect([delivery!.state, attempts[0].error_code, miniapp.at('/webhook')]).toEqual(['ready', 'MISSING_REQUEST_SIGNATURE_SETTINGS', []]);
  });
});

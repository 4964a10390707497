import type { OpenServer } from '../../../src/sandbox/open-server';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { basic, call } from './call';

const platform = {
  'X-Hostapp-Client-ID': 'host_abc123def456',
  'X-Miniapp-App-ID': 'app_abc123',
  Authorization: basic('app_abc123', 's3cret'),
};

describe('the sandbox miniapp', () => {
  let miniapp: SandboxMiniapp;
  let server: OpenServer;

  beforeEach(async () => {
    miniapp = new SandboxMiniapp();
    miniapp.trust({ user: 'app_abc123', secret: 's3cret', ownId: 'app_abc123' });
    server = await miniapp.start({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  const signOn = (headers: Record<string, string | undefined> = platform, body: string | object = { reference: 'user-mia-0001' }) =>
    call(`${server.url}/auth`, { headers, body });

  it('makes a session for a user, another one each time', async () => {
    const [first, second] = [await signOn(), await signOn()];
    expect(first.status).toBe(200);
    expect(first.json.refresh_token).toMatch(/^renew_/);
    expect(second.json.auth_token).not.toBe(first.json.auth_token);
  });

  it.each<[string, Record<string, string | undefined>, number, string]>([
    ['no credentials', { Authorization: undefined }, 401, 'ACCESS_DENIED'],
    ['a wrong secret', { Authorization: basic('app_abc123', 'wrong') }, 401, 'ACCESS_DENIED'],
    ['credentials that are not Basic', { Authorization: 'Bearer s3cret' }, 401, 'ACCESS_DENIED'],
    ['no X-Hostapp-Client-ID', { 'X-Hostapp-Client-ID': undefined }, 400, 'MISSING_HEADER'],
    ['no X-Miniapp-App-ID', { 'X-Miniapp-App-ID': undefined }, 400, 'MISSING_HEADER'],
    ["another miniapp's id", { 'X-Miniapp-App-ID': 'app_000000' }, 400, 'INVALID_INPUT'],
    ['another content type', { 'Content-Type': 'application/jsonp' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses %s', async (_what, headers, status, code) => {
    expect(await signOn({ ...platform, ...headers })).toMatchObject({ status, json: { error_code: code } });
  });

  it('serves several miniapps, each with credentials of its own', async () => {
    miniapp.trust({ user: 'app_other1', secret: 'another', ownId: 'app_other1' });
    const other = { ...platform, 'X-Miniapp-App-ID': 'app_other1' };
    expect((await signOn()).status).toBe(200);
    expect((await signOn({ ...other, Authorization: basic('app_other1', 'another') })).status).toBe(200);
    expect((await signOn(other)).status).toBe(401);
  });

  it('takes a user by reference or e-mail address, and refuses one without a name', async () => {
    expect((await signOn(platform, { name: 'Bob', email: 'user@example.com' })).status).toBe(200);
    expect(await signOn(platform, { name: 'Bob' })).toMatchObject({ status: 400, json: { error_message: 'reference: required' } });
  });

  it('refuses every caller until it is configured', async () => {
    const opened = await new SandboxMiniapp().start({ host: '127.0.0.1', port: 0 });
    try {
      expect((await call(`${opened.url}/auth`, { headers: platform, body: { reference: 'r' } })).status).toBe(401);
    } finally {
      await opened.close();
    }
  });

  it('stores each completion that it receives, byte for byte', async () => {
    const body = '{"order_payment_id":"pay_1","payment_status":"paid","custom_attributes":{"fee":12345678901234567.10}}';
    const headers = { ...platform, 'webhook-id': 'msg_1' };
    for (let i = 0; i < 2; i++) expect((await call(`${server.url}/webhook`, { headers, body })).status).toBe(200);
    expect(miniapp.webhooks().map(({ webhookId, body: kept }) => [webhookId, kept.get('payment_status')])).toEqual([
      ['msg_1', 'paid'],
      ['msg_1', 'paid'],
    ]);
    const { json, text } = await call(`${server.url}/sandbox/webhooks`);
    expect(json).toMatchObject({ data: [{ at: expect.any(Number) as number, webhook_id: 'msg_1' }, { webhook_id: 'msg_1' }] });
    expect(text).toContain(`"body":${body}}`);
  });

  it('applies a delivery once and keeps the first final result', async () => {
    const complete = (id: string, status: string) =>
      call(`${server.url}/webhook`, {
        headers: { ...platform, 'webhook-id': id },
        body: { order_payment_id: 'pay_1', payment_status: status },
      });
    for (const [id, status] of [
      ['msg_1', 'paid'],
      ['msg_1', 'paid'],
      ['msg_2', 'failed'],
      ['msg_2', 'failed'],
    ] as const)
      expect(await complete(id, status)).toMatchObject({ status: 200, json: {} });
    expect((await call(`${server.url}/sandbox/orders/pay_1`)).json).toEqual({
      order_payment_id: 'pay_1',
      payment_status: 'paid',
      conflicts: 1,
    });
    expect(await complete('msg_3', 'in_process')).toMatchObject({ status: 200, json: { error_code: 'INVALID_PAYMENT_STATUS' } });
    expect((await call(`${server.url}/sandbox/orders/pay_2`)).status).toBe(404);
  });

  it('refuses a user whose reference is no text, and an event for another miniapp', async () => {
    expect((await signOn(platform, { reference: { $ne: '' }, email: 'user@example.com' })).status).toBe(400);
    const event = { app_id: 'app_000000', event_type: 'cart.changed', payload: {} };
    expect(await call(`${server.url}/events`, { headers: platform, body: event })).toMatchObject({
      status: 400,
      json: { error_code: 'INVALID_INPUT' },
    });
  });

  it('keeps no completion that comes with wrong credentials', async () => {
    const headers = { ...platform, Authorization: basic('app_abc123', 'wrong') };
    expect(await call(`${server.url}/webhook`, { headers, body: {} })).toMatchObject({
      status: 401,
      json: { error_code: 'ACCESS_DENIED' },
    });
    expect(miniapp.webhooks()).toEqual([]);
  });

  it('takes and keeps events', async () => {
    const event = { event_type: 'cart.changed', payload: {} };
    expect((await call(`${server.url}/events`, { headers: platform, body: event })).json).toEqual({ received: 'cart.changed' });
    expect(await call(`${server.url}/events`, { headers: platform, body: {} })).toMatchObject({ status: 400 });
    expect(miniapp.events().map(({ body }) => body.get('event_type'))).toEqual(['cart.changed']);
    expect((await call(`${server.url}/sandbox/events`)).json).toMatchObject({ data: [{ body: event }] });
  });

  it('has a page, and a log of its calls without a secret', async () => {
    expect((await call(`${server.url}/`)).status).toBe(200);
    await signOn();
    const { text } = await call(`${server.url}/sandbox/calls`);
    expect(JSON.parse(text)).toMatchObject({ data: [{ method: 'POST', path: '/auth', status: 200 }] });
    expect(miniapp.calls()).toHaveLength(1);
    expect(text).not.toContain('s3cret');
  });
});

import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import type { OpenServer } from '../../../src/sandbox/open-server';
import { sandboxUsers } from '../../../src/sandbox/partners/sandbox-users';
import { basic, call } from './call';
import { ManualTime } from './manual-time';

const ids = { 'X-Hostapp-Client-ID': 'host_abc123def456', 'X-Miniapp-App-ID': 'app_abc123' };
const platform = { ...ids, Authorization: basic('platform', 's3cret') };
const mia = sandboxUsers[0]?.reference;

describe('the sandbox host app', () => {
  let time: ManualTime;
  let hostApp: SandboxHostApp;
  let server: OpenServer;

  beforeEach(async () => {
    time = new ManualTime();
    hostApp = new SandboxHostApp(time);
    hostApp.trust({ user: 'platform', secret: 's3cret', ownId: 'host_abc123def456' });
    server = await hostApp.start({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  const exchange = (code: string, headers: Record<string, string | undefined> = platform) =>
    call(`${server.url}/oauth/token`, { headers, body: { auth_code: code } });
  const tokens = async () => (await exchange(hostApp.issueCode(mia))).json as { access_token: string; refresh_token: string };
  const user = (token: string) => call(`${server.url}/user`, { headers: { ...ids, Authorization: `Token ${token}` } });

  it('exchanges an auth code for the tokens of its user', async () => {
    const { access_token: access, refresh_token: refresh } = await tokens();
    expect(refresh).not.toBe('');
    const answer = await user(access);
    expect(answer).toMatchObject({ status: 200, json: { user_data: sandboxUsers[0] } });
  });

  it('takes an auth code once', async () => {
    const code = hostApp.issueCode(mia);
    expect((await exchange(code)).status).toBe(200);
    expect(await exchange(code)).toMatchObject({ status: 400, json: { error_code: 'INVALID_AUTH_CODE' } });
  });

  it('refuses an auth code that is five minutes old', async () => {
    const code = hostApp.issueCode(mia);
    time.wind(300_000);
    expect(await exchange(code)).toMatchObject({ status: 400, json: { error_code: 'EXPIRED_AUTH_CODE' } });
  });

  it('refuses an access token that is unknown or an hour old', async () => {
    const { access_token: access } = await tokens();
    expect(await user('made-up')).toMatchObject({ status: 401, json: { error_code: 'INVALID_ACCESS_TOKEN' } });
    time.wind(3_600_000);
    expect(await user(access)).toMatchObject({ status: 401, json: { error_code: 'EXPIRED_ACCESS_TOKEN' } });
  });

  it('gives a new pair for a refresh token, which works once', async () => {
    const { refresh_token: refresh } = await tokens();
    const again = () => call(`${server.url}/oauth/refresh`, { headers: platform, body: { refresh_token: refresh } });
    const renewed = await again();
    expect(renewed.json.refresh_token).not.toBe(refresh);
    expect((await user(String(renewed.json.access_token))).status).toBe(200);
    expect(await again()).toMatchObject({ status: 400, json: { error_code: 'EXPIRED_ACCESS_TOKEN' } });
  });

  it.each<[string, Record<string, string | undefined>, number, string]>([
    ['no credentials', { Authorization: undefined }, 401, 'ACCESS_DENIED'],
    ['a wrong secret', { Authorization: basic('platform', 'wrong') }, 401, 'ACCESS_DENIED'],
    ['a wrong user name', { Authorization: basic('someone', 's3cret') }, 401, 'ACCESS_DENIED'],
    ['a made-up client access token', { Authorization: 'Bearer made-up' }, 401, 'ACCESS_DENIED'],
    ['no X-Hostapp-Client-ID', { 'X-Hostapp-Client-ID': undefined }, 400, 'MISSING_HEADER'],
    ['no X-Miniapp-App-ID', { 'X-Miniapp-App-ID': undefined }, 400, 'MISSING_HEADER'],
    ["another host app's id", { 'X-Hostapp-Client-ID': 'host_000000000000' }, 400, 'INVALID_INPUT'],
    ['another content type', { 'Content-Type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses %s, and the auth code stays good', async (_what, headers, status, code) => {
    const authCode = hostApp.issueCode(mia);
    expect(await exchange(authCode, { ...platform, ...headers })).toMatchObject({ status, json: { error_code: code } });
    expect((await exchange(authCode)).status).toBe(200);
  });

  it('refuses every caller until it is configured', async () => {
    const fresh = new SandboxHostApp();
    const opened = await fresh.start({ host: '127.0.0.1', port: 0 });
    try {
      const answer = await call(`${opened.url}/oauth/token`, { headers: platform, body: { auth_code: fresh.issueCode(mia) } });
      expect(answer).toMatchObject({ status: 401, json: { error_code: 'ACCESS_DENIED' } });
    } finally {
      await opened.close();
    }
  });

  it('refuses a body without the field or that is no JSON', async () => {
    const send = (body: string) => call(`${server.url}/oauth/token`, { headers: platform, body });
    expect(await send('{}')).toMatchObject({ status: 400, json: { error_code: 'INVALID_INPUT', error_message: 'auth_code: required' } });
    expect(await send('{"auth_code":')).toMatchObject({ status: 400, json: { error_code: 'INVALID_INPUT' } });
    for (const body of ['[]', '']) expect(await send(body)).toMatchObject({ status: 400, json: { error_code: 'INVALID_INPUT' } });
  });

  it('gives a client access token for Basic, and takes it in its place', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const requestToken = (authorization: string, body = 'grant_type=client_credentials') =>
      call(`${server.url}/oauth/client-token`, { headers: { ...form, Authorization: authorization }, body });
    expect(await requestToken(basic('platform', 'wrong'))).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
    expect(await requestToken(basic('platform', 's3cret'), 'grant_type=password')).toMatchObject({
      json: { error: 'unsupported_grant_type' },
    });
    const { json } = await requestToken(basic('platform', 's3cret'));
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 600 });
    const bearer = { ...ids, Authorization: `Bearer ${String(json.access_token)}` };
    expect((await exchange(hostApp.issueCode(mia), bearer)).status).toBe(200);
    time.wind(600_000);
    expect((await exchange(hostApp.issueCode(mia), bearer)).status).toBe(401);
  });

  it('opens payments and answers status polls, for the service and for a signed-on user', async () => {
    const { access_token: access } = await tokens();
    const asUser = { ...ids, Authorization: `Token ${access}`, 'X-User-ID': mia };
    for (const headers of [platform, asUser]) {
      const create = (order: object) =>
        call(`${server.url}/payments`, { headers, body: { app_id: 'app_abc123', order: { ...order, hostapp_user_id: mia } } });
      const { json } = await create({ amount: '1.10', currency: 'USD' });
      const named = { app_id: 'app_abc123', client_id: 'host_abc123def456', order_payment_id: json.order_payment_id };
      const status = await call(`${server.url}/payments/status`, { headers, body: named });
      expect(status).toMatchObject({ status: 200, json: { ...named, payment_status: 'in_process' } });
      expect(await create({ currency: 'USD' })).toMatchObject({ status: 400, json: { error_code: 'INVALID_ORDER_DATA' } });
    }
    const unknown = { app_id: 'app_abc123', client_id: 'host_abc123def456', order_payment_id: 'pay_unknown' };
    const answer = await call(`${server.url}/payments/status`, { headers: platform, body: unknown });
    expect(answer).toMatchObject({ status: 400, json: { error_code: 'ORDER_NOT_FOUND' } });
  });

  it('refuses a payment in the name of another user', async () => {
    const { access_token: access } = await tokens();
    const asUser = (userId: string, named?: string) =>
      call(`${server.url}/payments`, {
        headers: { ...ids, Authorization: `Token ${access}`, 'X-User-ID': userId },
        body: { app_id: 'app_abc123', order: { amount: '1', currency: 'USD', hostapp_user_id: named } },
      });
    expect(await asUser('user-omar-0002', 'user-omar-0002')).toMatchObject({ status: 400, json: { error_code: 'HOSTAPP_USER_NOT_FOUND' } });
    expect(await asUser('user-mia-0001', 'user-omar-0002')).toMatchObject({ status: 400, json: { error_code: 'INVALID_ORDER_DATA' } });
    expect(await asUser('user-mia-0001')).toMatchObject({ status: 400, json: { error_code: 'INVALID_ORDER_DATA' } });
    expect((await asUser('user-mia-0001', 'user-mia-0001')).status).toBe(200);
  });

  it('takes events from the service alone', async () => {
    const body = { app_id: 'app_abc123', client_id: 'host_abc123def456', event_type: 'cart.changed', payload: {} };
    expect(await call(`${server.url}/events`, { headers: platform, body })).toMatchObject({
      status: 200,
      json: { received: 'cart.changed' },
    });
    expect((await call(`${server.url}/events`, { headers: ids, body })).status).toBe(401);
    expect(hostApp.events().map((event) => event.body.get('event_type'))).toEqual(['cart.changed']);
    expect((await call(`${server.url}/sandbox/events`)).json).toMatchObject({ data: [{ body }] });
  });

  it('gives an auth code to a shell, as JSON or bare', async () => {
    const requestCode = (headers: Record<string, string>, reference = mia) =>
      call(`${server.url}/sandbox/codes`, { headers, body: { reference } });
    const { text } = await requestCode({ Accept: 'text/plain' });
    expect((await exchange(text)).status).toBe(200);
    const { json } = await requestCode({});
    expect((await exchange(String(json.auth_code))).status).toBe(200);
    expect(await requestCode({}, 'nobody')).toMatchObject({ status: 400, json: { error_code: 'INVALID_INPUT' } });
  });

  it('keeps a log of the calls it received, without a secret', async () => {
    const code = hostApp.issueCode(mia);
    await exchange(code, { ...platform, 'X-Request-Id': 'req-1' });
    await user('made-up-token');
    const [first, second] = hostApp.calls();
    expect(first).toMatchObject({ method: 'POST', path: '/oauth/token', status: 200, requestId: 'req-1' });
    expect(second).toMatchObject({ method: 'GET', path: '/user', status: 401 });
    const { text } = await call(`${server.url}/sandbox/calls`);
    expect(JSON.parse(text)).toMatchObject({ data: [{ path: '/oauth/token', request_id: 'req-1' }, { path: '/user' }] });
    for (const secret of ['s3cret', code, 'made-up-token', platform.Authorization]) expect(text).not.toContain(secret);
  });

  it('answers an unknown path with the Error body', async () => {
    expect(await call(`${server.url}/nowhere`)).toMatchObject({ status: 404, json: { error_code: 'NOT_FOUND' } });
  });

  it('says so when its port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await expect(new SandboxHostApp().start({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
  });
});

import { aPair, basicOf, hostAppSecret, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { drip, html, json, redirect, refusalOf } from '../../support/partners/stub-behaviours';
import type { Received } from '../../support/partners/stub-partner';
import { StubHostApp, StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let hostApp: StubHostApp;
let miniapp: StubMiniapp;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  hostApp = await new StubHostApp().start();
  miniapp = await new StubMiniapp().start();
});
afterEach(async () => {
  await hostApp.stop();
  await miniapp.stop();
});

const pairAt = (settings: PairSettings = {}) => aPair(service, { hostAppUrl: hostApp.url, miniappUrl: miniapp.url, ...settings });
const canaryUser = () => ({
  reference: service.canary('CANARY-reference-0001'),
  email: service.canary('canary.mail@example.com'),
  phone: '+6591234567',
  first_name: service.canary('Canary-Mia'),
  last_name: 'Berg',
});
const connect = (pair: Pair, members: object = {}, headers: Record<string, string> = pair.basic) =>
  service.call('POST', '/api/v1/connect/', { body: { client_id: pair.clientId, app_id: pair.appId, ...members }, headers });
const authorize = (pair: Pair, members: object) =>
  service.call('POST', '/api/v1/authorize/', { body: { client_id: pair.clientId, app_id: pair.appId, ...members } });
const consent = async (pair: Pair, reference: string): Promise<boolean> => {
  const query = new URLSearchParams({ client_id: pair.clientId, app_id: pair.appId, user_reference: reference });
  return (await service.call('GET', `/api/v1/accounts/consent/get_consent/?${query.toString()}`)).body.is_consented;
};
const failure = ({ status, body }: Reply) => {
  const { side, step, retryable, cause } = body.custom_attributes;
  return { status, code: body.error_code, side, step, retryable, cause };
};
/** The body as JSON text, to the byte. */
const sentTo = ({ body }: Received) => body.toString('utf8');

describe('connect', () => {
  it('relays the user as the miniapp expects it, and answers with its session', async () => {
    const pair = await pairAt();
    const reply = await connect(
      pair,
      { user_data: canaryUser() },
      { ...pair.basic, 'X-Request-Id': 'connect-1', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    );
    expect(reply.status).toBe(200);
    const [incoming] = miniapp.at('/auth');
    expect(reply.body).toEqual({ token: expect.any(String), refresh_token: expect.any(String) });
    expect(Object.keys(reply.body)).toEqual(['token', 'refresh_token']);
    expect(incoming).toMatchObject({
      method: 'POST',
      headers: {
        authorization: basicOf(pair.appId, pair.miniSecret).Authorization,
        'x-hostapp-client-id': pair.clientId,
        'x-miniapp-app-id': pair.appId,
        'x-request-id': 'connect-1',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
      },
    });
    expect(JSON.parse(sentTo(incoming!))).toEqual(canaryUser());
    for (const secret of [reply.body.token, reply.body.refresh_token]) service.canary(secret);
  });

  it('reads a reference that is a JSON integer as text, and refuses other numbers', async () => {
    const pair = await pairAt();
    expect((await connect(pair, { user_data: { reference: 42 }, user: { reference: '42' } })).status).toBe(200);
    expect(sentTo(miniapp.at('/auth')[0]!)).toBe('{"reference":"42"}');
    expect(await consent(pair, '42')).toBe(true);
    for (const reference of [-1, 1.5, true]) expect((await connect(pair, { user_data: { reference } })).status).toBe(400);
  });

  it('relays custom attributes byte for byte', async () => {
    const pair = await pairAt();
    const attributes =
      '{"z":1.10,"2":1e400,"1":-0,"big":12345678901234567890.123,"text":"\u00e4\u2028\ud83d\ude00","nil":null,"deep":[{"b":[],"a":{}}]}';
    const body = `{"client_id":"${pair.clientId}","app_id":"${pair.appId}","extra":1,"user_data":{"reference":"u-1","unknown":2,"email":null,"custom_attributes":${attributes}}}`;
    const reply = await service.call('POST', '/api/v1/connect', { body, headers: { ...pair.basic, 'Content-Type': 'application/json' } });
    expect(reply.status).toBe(200);
    expect(sentTo(miniapp.at('/auth')[0]!)).toBe(`{"reference":"u-1","custom_attributes":${attributes}}`);
  });

  it('accepts the user under either name, and under both if they are equal', async () => {
    const pair = await pairAt();
    const user = { reference: 'u-1', custom_attributes: { a: 1, b: 2 } };
    expect((await connect(pair, { user })).status).toBe(200);
    expect((await connect(pair, { user, user_data: { custom_attributes: { b: 2, a: 1 }, reference: 'u-1' } })).status).toBe(200);
  });

  it('accepts `token` for `auth_token`, and gives an empty refresh token if there is none', async () => {
    const pair = await pairAt();
    miniapp.on('/auth', json({ token: 't-1' }));
    expect((await connect(pair, { user: { reference: 'u' } })).body).toEqual({ token: 't-1', refresh_token: '' });
  });

  it('names what the miniapp needs and the user lacks', async () => {
    const needy = await pairAt({ miniapp: { required_user_fields: ['email', 'first_name'] } });
    const lacking = await connect(needy, { user: { reference: 'u', first_name: '' } });
    expect([lacking.status, lacking.body.error_code]).toEqual([400, 'INVALID_USER_DATA']);
    expect(lacking.body.custom_attributes.fields.map((field: { path: string }) => field.path)).toEqual([
      'user_data.email',
      'user_data.first_name',
    ]);
    const shop = await pairAt({ miniapp: { kind: 'commerce' } });
    expect((await connect(shop, { user: { reference: 'u' } })).body.error_code).toBe('INVALID_USER_DATA');
    expect((await connect(shop, { user: { reference: 'u', phone: '+6591234567' } })).status).toBe(200);
    expect(miniapp.store).toHaveLength(1);
  });

  it('works again with the new secret, and with the previous one for its grace time', async () => {
    const pair = await pairAt();
    const rotated = await service.manage('POST', `host-apps/${pair.clientId}/rotate`, { credential: 'secret_key' });
    const secret = service.canary(rotated.body.secret_key);
    const user = { user: { reference: 'u' } };
    expect((await connect(pair, user, basicOf(pair.clientId, secret))).status).toBe(200);
    expect((await connect(pair, user)).status).toBe(200);
    await service.manage('POST', `host-apps/${pair.clientId}/revoke`, { credential: 'secret_key', which: 'previous' });
    expect((await connect(pair, user)).status).toBe(401);
    expect((await connect(pair, user, basicOf(pair.clientId, secret))).status).toBe(200);
  });

  it('requires the checks that the host app enables: Basic, address, both, neither', async () => {
    const user = { user: { reference: 'u' } };
    const open = await pairAt({ hostApp: { basic_auth_validation: false } });
    expect((await connect(open, user, {})).status).toBe(200);
    const listed = await pairAt({ hostApp: { basic_auth_validation: false, ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } } });
    expect((await connect(listed, user, {})).status).toBe(200);
    const elsewhere = await pairAt({ hostApp: { ip_whitelist: { enabled: true, addresses: ['203.0.113.0/24'] } } });
    const refused = await connect(elsewhere, user, { ...elsewhere.basic, 'X-Forwarded-For': '203.0.113.7' });
    expect([refused.status, refused.body.error_code]).toEqual([403, 'NOT_A_WHITELISTED_IP']);
    expect((await connect(elsewhere, user, {})).status).toBe(401);
    const nobody = await pairAt({ hostApp: { ip_whitelist: { enabled: true, addresses: [] } } });
    expect((await connect(nobody, user)).status).toBe(403);
  });

  it('refuses if signing is enabled but not set up, for the caller or the receiver', async () => {
    const signature = { enabled: true, algorithm: 'HMAC', hmac_secret: service.canary('CANARY-hmac-secret-0123456789abcdef') };
    const caller = await connect(await pairAt({ hostApp: { signature } }), { user: { reference: 'u' } });
    expect([caller.status, caller.body.error_code]).toEqual([400, 'MISSING_REQUEST_SIGNATURE_SETTINGS']);
    const receiver = await connect(await pairAt({ miniapp: { signature } }), { user: { reference: 'u' } });
    expect(failure(receiver)).toMatchObject({ status: 400, code: 'MISSING_REQUEST_SIGNATURE_SETTINGS', side: 'miniapp' });
    expect(miniapp.store).toHaveLength(0);
  });

  it('says which setting is missing where the miniapp has no URL', async () => {
    const reply = await connect(await pairAt({ miniapp: { get_auth_token_url: null } }), { user: { reference: 'u' } });
    expect([reply.status, reply.body.error_code, reply.body.custom_attributes.setting]).toEqual([
      400,
      'ENDPOINT_URL_NOT_SET',
      'get_auth_token_url',
    ]);
  });

  it.each([
    ['NO_INTEGRATION', { integration: { status: 'suspended' } }],
    ['FEATURE_DISABLED_IN_HOSTAPP', { hostApp: { features: { sso: false } } }],
    ['HOSTAPP_INTEGRATION_NOT_SET', { hostApp: { features: {} } }],
    ['FEATURE_DISABLED_IN_MINIAPP', { miniapp: { features: { sso: false } } }],
    ['MINIAPP_INTEGRATION_NOT_SET', { miniapp: { features: {} } }],
    ['FEATURE_DISABLED_IN_INTEGRATION', { integration: { features: {} } }],
  ])('%s', async (code, settings) => {
    const reply = await connect(await pairAt(settings), { user: { reference: 'u' } });
    expect([reply.status, reply.body.error_code]).toEqual([400, code]);
    expect(miniapp.store).toHaveLength(0);
  });
});

describe('partners that refuse or fail', () => {
  it('passes the code of a refusal on, with no more than the Error body', async () => {
    const pair = await pairAt();
    const whole = {
      error_code: 'MINI_SAYS_NO',
      error_message: 'No room',
      secret: service.canary('CANARY-partner-internal'),
      custom_attributes: { hint: 'x', request_id: 'theirs' },
    };
    miniapp.on('/auth', json(whole, { status: 422 }));
    const reply = await connect(pair, { user: { reference: 'u' } });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body)).toEqual(['error_code', 'error_message', 'custom_attributes']);
    expect(reply.body).toMatchObject({
      error_code: 'MINI_SAYS_NO',
      error_message: 'No room',
      custom_attributes: { hint: 'x', request_id: 'theirs', side: 'miniapp', step: 'miniapp_token', retryable: false },
    });
  });

  it('takes 200 with an error_code for a refusal', async () => {
    const pair = await pairAt();
    miniapp.on('/auth', refusalOf('MINI_SAYS_NO'));
    expect(failure(await connect(pair, { user: { reference: 'u' } }))).toMatchObject({ status: 400, code: 'MINI_SAYS_NO' });
  });

  it.each([
    ['a page', html, 'INVALID_RESPONSE_CONTENT_TYPE'],
    ['a redirect', redirect('http://127.0.0.1:9/elsewhere'), 'UNEXPECTED_RESPONSE_ERROR'],
    ['500 without a code', json({}, { status: 500 }), 'UNEXPECTED_RESPONSE_ERROR'],
    ['no token', json({ refresh_token: 'r' }), 'RESPONSE_ATTRIBUTE_MISSING'],
    ['a token that is a number', json({ auth_token: 7 }), 'UNEXPECTED_RESPONSE_ERROR'],
    ['a token of 8193', json({ auth_token: 'x'.repeat(8193) }), 'UNEXPECTED_RESPONSE_ERROR'],
    ['a list', json([]), 'UNEXPECTED_RESPONSE_ERROR'],
    ['broken JSON', json('{'), 'FAILED_TO_PARSE_RESPONSE'],
  ])('%s', async (_what, behaviour, code) => {
    const pair = await pairAt();
    miniapp.on('/auth', behaviour);
    const reply = await connect(pair, { user: { reference: 'u' } });
    expect(failure(reply)).toMatchObject({ status: 400, code, side: 'miniapp', step: 'miniapp_token' });
  });

  it("relays a refusal's exception, without control characters", async () => {
    const pair = await pairAt();
    miniapp.on('/auth', json({ error_code: 'BLOCKED', error_message: 'No', exception: 'UserBlocked\u0007' }));
    const { status, body } = await connect(pair, { user: { reference: 'u' } });
    expect([status, body.error_code, body.exception]).toEqual([400, 'BLOCKED', 'UserBlocked']);
  });

  it('gives up at the deadline, also on an answer that drips', async () => {
    const impatient = await startTestService({ database: service.database, env: { SSO_TIMEOUT_MS: '700' } });
    const pair = await pairAt();
    miniapp.on('/auth', drip);
    const began = performance.now();
    const body = { client_id: pair.clientId, app_id: pair.appId, user: { reference: 'u' } };
    const reply = await impatient.call('POST', '/api/v1/connect/', { body, headers: pair.basic });
    expect(failure(reply)).toEqual({
      status: 400,
      code: 'UNEXPECTED_RESPONSE_ERROR',
      side: 'miniapp',
      step: 'miniapp_token',
      retryable: true,
      cause: 'timeout',
    });
    expect(performance.now() - began).toBeLessThan(5000);
    await impatient.close();
  });
});

describe('authorize', () => {
  const mia = { reference: 'user-mia-1', email: 'mia@example.com' };

  it('exchanges the code, reads the user, and answers with the session of the miniapp', async () => {
    const pair = await pairAt();
    hostApp.knows(service.canary('CANARY-code-1'), mia);
    const reply = await authorize(pair, { auth_code: 'CANARY-code-1' });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual(['auth_token', 'token', 'refresh_token']);
    expect(reply.body.auth_token).toBe(reply.body.token);
    const [token] = hostApp.at('/token');
    expect(token!.headers.authorization).toBe(basicOf('platform-at-host', hostAppSecret).Authorization);
    expect(sentTo(token!)).toBe('{"auth_code":"CANARY-code-1"}');
    const [user] = hostApp.at('/user');
    expect(user!.method).toBe('GET');
    expect(user!.headers.authorization).toMatch(/^Token .+/);
    expect(JSON.parse(sentTo(miniapp.at('/auth')[0]!))).toEqual(mia);
    expect(await consent(pair, mia.reference)).toBe(true);
    const [stored] = await service.database.db.query('select count(*)::int as n from user_tokens where client_id = $1', [pair.clientId]);
    expect(stored.n).toBe(1);
  });

  it('uses the header words and tokens that the host app expects', async () => {
    hostApp.on('/client-token', json({ access_token: service.canary('CANARY-client-token'), token_type: 'bearer', expires_in: 3600 }));
    const pair = await pairAt({
      hostApp: {
        access_token_prefix: 'JWT',
        credential_scheme: 'Token',
        client_access_token_url: `${hostApp.url}/client-token`,
        client_access_token_scope: 'sso',
      },
    });
    for (const code of ['a', 'b']) hostApp.knows(code, mia);
    for (const code of ['a', 'b']) expect((await authorize(pair, { auth_code: code })).status).toBe(200);
    expect(hostApp.at('/client-token')).toHaveLength(1);
    const [incoming] = hostApp.at('/client-token');
    expect(sentTo(incoming!)).toBe('grant_type=client_credentials&scope=sso');
    expect(incoming!.headers.authorization).toBe(basicOf('platform-at-host', hostAppSecret).Authorization);
    expect(incoming!.headers['x-hostapp-client-id']).toBeUndefined();
    expect(hostApp.at('/token').map(({ headers }) => headers.authorization)).toEqual([
      'Bearer CANARY-client-token',
      'Bearer CANARY-client-token',
    ]);
    expect(hostApp.at('/user')[0]!.headers.authorization).toMatch(/^JWT /);
  });

  it('sends Token before the Basic value if the host app expects that', async () => {
    const pair = await pairAt({ hostApp: { credential_scheme: 'Token' } });
    hostApp.knows('a', mia);
    await authorize(pair, { auth_code: 'a' });
    expect(hostApp.at('/token')[0]!.headers.authorization).toBe(
      basicOf('platform-at-host', hostAppSecret).Authorization.replace('Basic', 'Token'),
    );
  });

  it('checks no credential of anybody, whatever the apps have on', async () => {
    const pair = await pairAt({
      hostApp: { ip_whitelist: { enabled: true, addresses: [] } },
      miniapp: { ip_whitelist: { enabled: true, addresses: [] } },
    });
    hostApp.knows('a', mia);
    expect((await authorize(pair, { auth_code: 'a' })).status).toBe(200);
  });

  it('refreshes once when the user token is not taken', async () => {
    const pair = await pairAt();
    hostApp.knows('a', mia);
    hostApp.rejectTokens(1);
    expect((await authorize(pair, { auth_code: 'a' })).status).toBe(200);
    expect([hostApp.at('/user').length, hostApp.at('/refresh').length]).toEqual([2, 1]);
    hostApp.knows('b', mia);
    hostApp.rejectTokens(2);
    expect(failure(await authorize(pair, { auth_code: 'b' }))).toMatchObject({
      code: 'EXPIRED_ACCESS_TOKEN',
      side: 'hostapp',
      step: 'user_data',
    });
    expect([hostApp.at('/user').length, hostApp.at('/refresh').length]).toEqual([4, 2]);
  });

  it.each([
    ['a refused code', '/token', refusalOf('EXPIRED_AUTH_CODE'), { code: 'EXPIRED_AUTH_CODE', step: 'exchange' }],
    ['no access token', '/token', json({}), { code: 'RESPONSE_ATTRIBUTE_MISSING', step: 'exchange' }],
    [
      'user data without reference',
      '/user',
      json({ user_data: { email: 'a@example.com' } }),
      { code: 'RESPONSE_ATTRIBUTE_MISSING', step: 'user_data' },
    ],
    ['user data that breaks a rule', '/user', json({ reference: 'u', phone: 'x' }), { code: 'INVALID_USER_DATA', step: 'user_data' }],
  ])('%s', async (_what, path, behaviour, expected) => {
    const pair = await pairAt();
    hostApp.knows('a', mia);
    hostApp.on(path, behaviour);
    expect(failure(await authorize(pair, { auth_code: 'a' }))).toMatchObject({ status: 400, side: 'hostapp', ...expected });
    expect(miniapp.store).toHaveLength(0);
  });

  it('reads user data at the top level, too', async () => {
    const pair = await pairAt();
    hostApp.knows('a', mia);
    hostApp.on('/user', json({ reference: 'flat', first_name: 'Mia' }));
    expect((await authorize(pair, { auth_code: 'a', user_reference: 'flat' })).status).toBe(200);
    hostApp.knows('b', mia);
    const other = await authorize(pair, { auth_code: 'b', user_reference: 'somebody-else' });
    expect([other.status, other.body.error_code]).toEqual([400, 'INVALID_INPUT']);
  });

  it('exchanges a code once for five concurrent calls on two instances', async () => {
    const second = await startTestService({ database: service.database });
    const pair = await pairAt();
    for (let round = 0; round < 10; round++) {
      const code = `code-${String(round)}`;
      hostApp.knows(code, mia);
      const body = { client_id: pair.clientId, app_id: pair.appId, auth_code: code };
      const replies = await Promise.all(
        [service, second, service, second, service].map((one) => one.call('POST', '/api/v1/authorize/', { body })),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    }
    expect(hostApp.at('/token')).toHaveLength(10);
    expect(miniapp.at('/auth')).toHaveLength(10);
    await second.close();
  });

  it('a failure is shared with concurrent callers, but not with later ones', async () => {
    const pair = await pairAt();
    hostApp.on('/token', refusalOf('INVALID_AUTH_CODE'));
    const failed = await Promise.all([1, 2, 3].map(() => authorize(pair, { auth_code: 'c' })));
    expect(failed.map(({ body }) => body.error_code)).toEqual(['INVALID_AUTH_CODE', 'INVALID_AUTH_CODE', 'INVALID_AUTH_CODE']);
    hostApp.on('/token', json({ access_token: 'x' }));
    hostApp.on('/user', json(mia));
    expect((await authorize(pair, { auth_code: 'c' })).status).toBe(200);
  });
});

describe('consent', () => {
  const change = (pair: Pair, call: 'save_consent' | 'revoke', members: object, headers: Record<string, string> = pair.basic) =>
    service.call('POST', `/api/v1/accounts/consent/${call}/`, {
      body: { client_id: pair.clientId, app_id: pair.appId, ...members },
      headers,
    });

  it('is recorded by connect, read by anybody, revoked and saved by the host app', async () => {
    const pair = await pairAt();
    expect(await consent(pair, 'u-1')).toBe(false);
    await connect(pair, { user: { reference: 'u-1' } });
    expect(await consent(pair, 'u-1')).toBe(true);
    const revoked = await change(pair, 'revoke', { user_reference: 'u-1' });
    expect([revoked.status, revoked.body]).toEqual([200, { is_consented: false }]);
    expect(await consent(pair, 'u-1')).toBe(false);
    const saved = await change(pair, 'save_consent', { user_reference: 'u-1', fields: ['email'], text_version: '2' });
    expect([saved.status, saved.body]).toEqual([200, { is_consented: true }]);
    expect(await consent(pair, 'u-1')).toBe(true);
    const rows = await service.database.db.query('select granted, call, text_version from consent_entries order by id desc limit 3');
    expect(rows.reverse()).toEqual([
      { granted: true, call: 'connect', text_version: null },
      { granted: false, call: 'revoke', text_version: null },
      { granted: true, call: 'save_consent', text_version: '2' },
    ]);
  });

  it('belongs to one pair alone', async () => {
    const [one, other] = [await pairAt(), await pairAt()];
    await connect(one, { user: { reference: 'u-1' } });
    expect([await consent(one, 'u-1'), await consent(other, 'u-1')]).toEqual([true, false]);
  });

  it('gates connect and authorize where the host app requires it', async () => {
    const pair = await pairAt({ hostApp: { consent_required: true } });
    hostApp.knows('a', { reference: 'u-1' });
    expect((await connect(pair, { user: { reference: 'u-1' } })).body.error_code).toBe('CONSENT_REQUIRED');
    expect((await authorize(pair, { auth_code: 'a' })).body.error_code).toBe('CONSENT_REQUIRED');
    expect(miniapp.store).toHaveLength(0);
    expect(await consent(pair, 'u-1')).toBe(false);
    await change(pair, 'save_consent', { user_reference: 'u-1' });
    expect((await connect(pair, { user: { reference: 'u-1' } })).status).toBe(200);
    await change(pair, 'revoke', { user_reference: 'u-1' });
    expect((await connect(pair, { user: { reference: 'u-1' } })).body.error_code).toBe('CONSENT_REQUIRED');
  });

  it('revoke takes the ids in the query or in the body, by POST or DELETE', async () => {
    const pair = await pairAt();
    const query = new URLSearchParams({ client_id: pair.clientId, app_id: pair.appId, user_reference: 'u-1' }).toString();
    const body = { client_id: pair.clientId, app_id: pair.appId, user_reference: 'u-1' };
    for (const method of ['POST', 'DELETE']) {
      for (const call of [{ path: `?${query}` }, { path: '', body }]) {
        await connect(pair, { user: { reference: 'u-1' } });
        const reply = await service.call(method, `/api/v1/accounts/consent/revoke/${call.path}`, { body: call.body, headers: pair.basic });
        expect([reply.status, reply.body]).toEqual([200, { is_consented: false }]);
        expect(await consent(pair, 'u-1')).toBe(false);
      }
    }
  });

  it('save_consent and revoke check the host app, and public_revoke waives only revoke', async () => {
    const pair = await pairAt();
    for (const call of ['save_consent', 'revoke'] as const) {
      expect((await change(pair, call, { user_reference: 'u-1' }, {})).status).toBe(401);
    }
    const open = await pairAt({ hostApp: { public_revoke: true } });
    expect((await change(open, 'revoke', { user_reference: 'u-1' }, {})).status).toBe(200);
    expect((await change(open, 'save_consent', { user_reference: 'u-1' }, {})).status).toBe(401);
  });

  it('is asked of no feature', async () => {
    const pair = await pairAt({ hostApp: { features: {} } });
    expect((await change(pair, 'save_consent', { user_reference: 'u-1' })).status).toBe(200);
    expect(await consent(pair, 'u-1')).toBe(true);
  });
});

describe('the exchange record', () => {
  it('has both legs of a relay, and only a masked reference of the user', async () => {
    const pair = await pairAt();
    await connect(pair, { user_data: canaryUser() }, { ...pair.basic, 'X-Request-Id': 'record-1' });
    const [record] = await service.exchanges('record-1');
    expect(record).toMatchObject({
      request_id: 'record-1',
      call: 'connect',
      client_id: pair.clientId,
      app_id: pair.appId,
      reference: 'CA****01',
      status: 200,
      checks: ['basic'],
      legs: [{ to: 'miniapp', step: 'miniapp_token', attempt: 1, status: 200 }],
    });
  });

  it('says who failed, and where', async () => {
    const pair = await pairAt();
    hostApp.knows('a', { reference: 'u-12345678' });
    miniapp.on('/auth', json({}, { status: 503 }));
    await service.call('POST', '/api/v1/authorize/', {
      body: { client_id: pair.clientId, app_id: pair.appId, auth_code: 'a' },
      headers: { 'X-Request-Id': 'record-2' },
    });
    const [record] = await service.exchanges('record-2');
    expect(record).toMatchObject({
      status: 400,
      error_code: 'UNEXPECTED_RESPONSE_ERROR',
      failed_side: 'miniapp',
      failed_step: 'miniapp_token',
      legs: [
        { to: 'hostapp', step: 'exchange', status: 200 },
        { to: 'hostapp', step: 'user_data', status: 200 },
        { to: 'miniapp', step: 'miniapp_token', status: 503, error_code: 'UNEXPECTED_RESPONSE_ERROR' },
      ],
    });
  });

  it('is left by a refusal, too', async () => {
    const pair = await pairAt();
    await connect(pair, { user: { reference: 'u' } }, { ...basicOf(pair.clientId, 'wrong'), 'X-Request-Id': 'record-3' });
    const [record] = await service.exchanges('record-3');
    expect(record).toMatchObject({ status: 401, error_code: 'ACCESS_DENIED', failed_side: 'hostapp', checks: [], legs: [] });
  });
});

describe('at rest', () => {
  it('holds no secret, token, reference or user field in plain', async () => {
    const pair = await pairAt();
    hostApp.knows('a', { reference: 'PLAIN-reference', email: 'plain@example.com', firstName: 'PLAIN-name' });
    await authorize(pair, { auth_code: 'a' });
    const tables: { tablename: string }[] = await service.database.db.query(`select tablename from pg_tables where schemaname = 'public'`);
    let dump = '';
    for (const { tablename } of tables) {
      const rows: { row: string }[] = await service.database.db.query(`select t::text as row from "${tablename}" t`);
      dump += rows.map(({ row }) => row).join('\n');
    }
    const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
    const tokens = [
      hostApp.records.lastAccessToken,
      pair.hostSecret,
      pair.miniSecret,
      hostAppSecret,
      'PLAIN-reference',
      'plain@example.com',
      'PLAIN-name',
    ];
    for (const text of tokens) for (const form of [text, hex(text)]) expect(dump.includes(form)).toBe(false);
    expect(dump).toContain(pair.clientId);
  });
});

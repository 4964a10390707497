import { aPair, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { sealCbc, sealGcm, vectorCbc, vectorGcm, vectorKey, vectorText } from '../../support/signatures/sealed-payload';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let miniapp: StubMiniapp;

beforeAll(async () => {
  // The oracle tests send more than a minute's worth.
  service = await startTestService({ env: { RATE_LIMITS: '{"partner_login":100000,"sign_on_failures":100000}' } });
});
afterAll(() => service.close());
beforeEach(async () => {
  miniapp = await new StubMiniapp().start();
});
afterEach(() => miniapp.stop());

const pairAt = (settings: PairSettings = {}): Promise<Pair> => aPair(service, { miniappUrl: miniapp.url, ...settings });
/** A pair whose host app brought the Secret key of the contract's vectors. */
const vectorPair = (hostApp: Record<string, unknown> = {}): Promise<Pair> => {
  const clientId = `host_${String(made++).padStart(12, '0')}`;
  return pairAt({ hostApp: { client_id: clientId, secret_key: vectorKey, ...hostApp } });
};
let made = 0;
const fixedId = { 'X-Request-Id': 'login-1' };
const login = ({ clientId, appId }: Pair, payload: unknown, headers: Record<string, string> = fixedId, via = service) =>
  via.call('POST', '/api/v1/partner/login/', { body: { client_id: clientId, app_id: appId, payload }, headers });
/** Eight at a time. */
const loginAll = async (pair: Pair, payloads: readonly string[]): Promise<Reply[]> => {
  const replies: Reply[] = [];
  for (let from = 0; from < payloads.length; from += 8) {
    replies.push(...(await Promise.all(payloads.slice(from, from + 8).map((payload) => login(pair, payload)))));
  }
  return replies;
};
const seal = (pair: Pair, json: unknown) => sealCbc(JSON.stringify(json), pair.hostSecret).toString('base64');
/** All of an answer that a caller can tell apart, but for the time of day and the rest of a limit. */
const seen = ({ status, text, headers }: Reply): string => {
  const shownHeaders = [...headers].filter(([name]) => name !== 'date' && !name.startsWith('ratelimit'));
  return JSON.stringify([status, text, shownHeaders]);
};
const sent = (): string[] => miniapp.at('/auth').map(({ body }) => body.toString('utf8'));
const logged = (pair: Pair): string[] =>
  service
    .logText()
    .split('\n')
    .filter((line) => line.includes('partner-login.payload-refused') && line.includes(pair.clientId))
    .map((line) => JSON.parse(line).cause);

const theOneBody = {
  error_code: 'INVALID_USER_DATA',
  error_message: 'The payload cannot be accepted',
  custom_attributes: { request_id: 'login-1', retryable: false, side: 'hostapp' },
};

describe('a valid payload', () => {
  it("opens the contract's CBC payload in all its spellings, and posts it unchanged", async () => {
    const pair = await vectorPair();
    const bytes = Buffer.from(vectorCbc, 'base64');
    for (const payload of [vectorCbc, vectorCbc.replace(/=+$/, ''), bytes.toString('base64url')]) {
      const reply = await login(pair, payload);
      expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['token', 'refresh_token']]);
    }
    expect(sent()).toEqual([vectorText, vectorText, vectorText]);
  });

  it('opens v2 payloads for their own pair alone', async () => {
    const pair = await pairAt();
    const other = await pairAt();
    const payload = sealGcm(vectorText, pair.hostSecret, pair);
    expect((await login(pair, payload)).status).toBe(200);
    expect(sent()).toEqual([vectorText]);
    const elsewhere = sealGcm(vectorText, pair.hostSecret, { clientId: pair.clientId, appId: other.appId });
    expect((await login(pair, elsewhere)).body).toEqual(theOneBody);
    expect((await login(pair, vectorGcm)).body).toEqual(theOneBody);
  });

  it('gives the session of the miniapp, with an empty refresh token if there is none', async () => {
    const pair = await pairAt();
    expect((await login(pair, seal(pair, { a: 1 }))).body).toEqual({ token: 'session-1', refresh_token: 'session-refresh-1' });
    miniapp.givesNoRefreshToken();
    expect((await login(pair, seal(pair, { a: 1 }))).body).toEqual({ token: 'session-2', refresh_token: '' });
  });

  it('treats a reference as that of a user: known fields, stored, consented', async () => {
    const pair = await pairAt();
    const user = { reference: service.canary('CANARY-login-reference'), email: service.canary('canary.login@example.com') };
    const text = `{"custom_attributes":{"z":1.10,"2":1E5},"unknown":1,"exp":4102444800,"reference":"${user.reference}","email":"${user.email}"}`;
    const reply = await login(pair, sealCbc(text, pair.hostSecret).toString('base64'));
    expect(reply.status).toBe(200);
    expect(sent()).toEqual([`{"reference":"${user.reference}","email":"${user.email}","custom_attributes":{"z":1.10,"2":1E5}}`]);
    const query = new URLSearchParams({ client_id: pair.clientId, app_id: pair.appId, user_reference: user.reference });
    const consent = await service.call('GET', `/api/v1/accounts/consent/get_consent/?${query.toString()}`);
    expect(consent.body).toEqual({ is_consented: true });
    const [{ n }] = await service.database.db.query('select count(*)::int as n from users where client_id = $1', [pair.clientId]);
    expect(n).toBe(1);
  });

  it('keeps member order and number text of claims without one, except `exp`', async () => {
    const pair = await pairAt();
    const text = '{"z":1.10,"exp":4102444800,"10":12345678901234567890.10,"2":null}';
    await login(pair, sealCbc(text, pair.hostSecret).toString('base64'));
    expect(sent()).toEqual(['{"z":1.10,"10":12345678901234567890.10,"2":null}']);
  });

  it('accepts the previous Secret key until it expires or is revoked', async () => {
    const pair = await pairAt();
    const rotated = await service.manage('POST', `host-apps/${pair.clientId}/rotate`, { credential: 'secret_key' });
    const renewed = { ...pair, hostSecret: service.canary(rotated.body.secret_key) };
    for (const key of [pair, renewed]) expect((await login(pair, seal(key, { a: 1 }))).status).toBe(200);
    await service.manage('POST', `host-apps/${pair.clientId}/revoke`, { credential: 'secret_key', which: 'previous' });
    expect((await login(pair, seal(pair, { a: 1 }))).body).toEqual(theOneBody);
    expect((await login(pair, seal(renewed, { a: 1 }))).status).toBe(200);
    await service.manage('POST', `host-apps/${pair.clientId}/revoke`, { credential: 'secret_key', which: 'current' });
    expect((await login(pair, seal(renewed, { a: 1 }))).body).toEqual(theOneBody);
  });

  it('needs consent where the host app requires it', async () => {
    const pair = await pairAt({ hostApp: { consent_required: true } });
    const payload = seal(pair, { reference: 'u-1' });
    for (const one of [payload, seal(pair, { name: 'Bob' })]) {
      const refused = await login(pair, one);
      expect([refused.status, refused.body.error_code]).toEqual([400, 'CONSENT_REQUIRED']);
    }
    expect(sent()).toEqual([]);
    const body = { client_id: pair.clientId, app_id: pair.appId, user_reference: 'u-1' };
    await service.call('POST', '/api/v1/accounts/consent/save_consent/', { body, headers: pair.basic });
    expect((await login(pair, payload)).status).toBe(200);
  });

  it('passes on what the miniapp refuses', async () => {
    const pair = await pairAt();
    miniapp.refuse('NO_ROOM');
    const reply = await login(pair, seal(pair, { a: 1 }));
    expect([reply.status, reply.body.error_code, reply.body.custom_attributes.side]).toEqual([400, 'NO_ROOM', 'miniapp']);
  });
});

describe('one answer for every failure', () => {
  it('for every cause, which only the log names', async () => {
    const pair = await vectorPair();
    const shop = await pairAt({ hostApp: { client_id: 'host_loginshop0000', secret_key: vectorKey }, miniapp: { kind: 'commerce' } });
    const strict = await vectorPair({ payload_cipher: 'gcm' });
    const revoked = await pairAt();
    await service.manage('POST', `host-apps/${revoked.clientId}/revoke`, { credential: 'secret_key', which: 'current' });
    const cbc = (json: string) => sealCbc(json, vectorKey).toString('base64');
    const cases: [Pair, unknown, string][] = [
      [pair, '', 'length'],
      [pair, '%%%', 'encoding'],
      [pair, Buffer.alloc(64).toString('base64'), 'padding'],
      [pair, vectorGcm, 'tag'],
      [pair, 'v2.AAAA', 'length'],
      [pair, cbc('{'), 'json'],
      [pair, cbc('"text"'), 'not-an-object'],
      [pair, cbc('{"exp":1}'), 'expired'],
      [pair, cbc('{"exp":"1"}'), 'exp'],
      [pair, cbc('{"reference":""}'), 'user-data'],
      [pair, cbc('{"reference":"u","phone":"1"}'), 'user-data'],
      [shop, cbc('{"reference":"u"}'), 'required-fields'],
      [strict, vectorCbc, 'cipher'],
      [revoked, seal(revoked, { a: 1 }), 'key'],
    ];
    const answers = new Set<string>();
    for (const [at, payload, cause] of cases) {
      const before = logged(at).length;
      const reply = await login(at, payload);
      expect(reply.body).toEqual(theOneBody);
      answers.add(seen(reply));
      expect(logged(at).slice(before)).toEqual([cause]);
    }
    expect(answers.size).toBe(1);
    expect(sent()).toEqual([]);
  });

  it('each of the 256 last bytes of the last two blocks gets the same refusal', async () => {
    const pair = await vectorPair();
    // One byte more of padding than the vector has: one change of the block before makes a padding of one byte that is right.
    const text = vectorText.replace('Bob', 'Al');
    const bytes = sealCbc(text, vectorKey);
    const changed = [bytes.length - 17, bytes.length - 1].flatMap((at) =>
      Array.from({ length: 256 }, (_, value) => Buffer.concat([bytes.subarray(0, at), Buffer.from([value]), bytes.subarray(at + 1)])),
    );
    const replies = await loginAll(
      pair,
      changed.map((one) => one.toString('base64')),
    );
    const refused = replies.filter(({ status }) => status !== 200);
    // The unchanged payload passes, once for each place.
    expect(sent()).toEqual([text, text]);
    expect([refused.length, new Set(refused.map(seen)).size]).toEqual([510, 1]);
    expect([...new Set(logged(pair))].sort()).toEqual(['json', 'padding']);
  }, 60_000);

  it('every truncation, of the text and of the bytes: the same one refusal', async () => {
    const pair = await vectorPair();
    const bytes = Buffer.from(vectorCbc, 'base64');
    const payloads = [
      ...Array.from({ length: vectorCbc.length - 1 }, (_, length) => vectorCbc.slice(0, length)),
      ...Array.from({ length: bytes.length }, (_, length) => bytes.subarray(0, length).toString('base64')),
      ...Array.from({ length: vectorGcm.length }, (_, length) => vectorGcm.slice(0, length)),
    ];
    const replies = await loginAll(pair, payloads);
    expect([replies.length, new Set(replies.map(seen)).size]).toEqual([payloads.length, 1]);
    expect(replies[0]?.body).toEqual(theOneBody);
    expect(sent()).toEqual([]);
  }, 60_000);
});

describe('before the payload is opened', () => {
  it.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', {}],
    ['too long', 'A'.repeat(200_001)],
  ])('a payload that is %s is INVALID_INPUT', async (_what, payload) => {
    const reply = await login(await pairAt(), payload);
    expect([reply.status, reply.body.error_code]).toEqual([400, 'INVALID_INPUT']);
    expect(reply.body.custom_attributes.fields).toMatchObject([{ path: 'payload' }]);
  });

  it('takes as much as fits in a body', async () => {
    const pair = await pairAt();
    const big = { text: 'x'.repeat(140_000) };
    expect((await login(pair, seal(pair, big))).status).toBe(200);
  });

  it.each([
    ['NO_INTEGRATION', { integration: { status: 'proposed' } }],
    ['FEATURE_DISABLED_IN_HOSTAPP', { hostApp: { features: { sso: false } } }],
    ['FEATURE_DISABLED_IN_INTEGRATION', { integration: { features: {} } }],
  ])('%s', async (code, settings: PairSettings) => {
    const pair = await pairAt(settings);
    const reply = await login(pair, seal(pair, { a: 1 }));
    expect([reply.status, reply.body.error_code]).toEqual([400, code]);
  });

  it('checks neither Basic, signature nor allowlist, whatever is on', async () => {
    const elsewhere = { enabled: true, addresses: ['203.0.113.0/24'] };
    const pair = await pairAt({ hostApp: { ip_whitelist: elsewhere, basic_auth_validation: true }, miniapp: { ip_whitelist: elsewhere } });
    expect((await login(pair, seal(pair, { a: 1 }))).status).toBe(200);
  });

  it('is read by pages of any origin, refusals too', async () => {
    const pair = await pairAt();
    const origin = { Origin: 'https://host.example', ...fixedId };
    for (const payload of [seal(pair, { a: 1 }), 'x']) {
      expect((await login(pair, payload, origin)).headers.get('access-control-allow-origin')).toBe('*');
    }
    const preflight = await service.call('OPTIONS', '/api/v1/partner/login/', {
      headers: { ...origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET,POST']);
  });
});

describe('limits', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startTestService({ database: service.database, env: { RATE_LIMITS: '{"partner_login":6,"sign_on_failures":3}' } });
  });
  afterAll(() => limited.close());

  it('so many calls a minute for a pair and an address', async () => {
    const pair = await pairAt();
    const payload = seal(pair, { a: 1 });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await login(pair, payload, {}, limited)).status);
    expect(statuses).toEqual([...Array.from({ length: 6 }, () => 200), 429]);
    const reply = await login(pair, payload, {}, limited);
    expect([reply.body.error_code, Number(reply.headers.get('retry-after')) > 0]).toEqual(['RATE_LIMITED', true]);
  });

  it('stop a pair and address after so many failures a minute, but no valid payload', async () => {
    const pair = await pairAt();
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await login(pair, i % 2 ? 'x' : vectorCbc, {}, limited)).status);
    expect(statuses).toEqual([...Array.from({ length: 3 }, () => 400), 429]);
    const reply = await login(pair, 'x', {}, limited);
    expect([reply.status, reply.body.error_code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await login(pair, seal(pair, { a: 1 }), {}, limited)).status).toBe(200);
  });
});

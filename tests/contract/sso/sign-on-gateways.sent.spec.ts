import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { aMiniapp } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { basicValueOf, failureOf, SignOnOverHttp } from '../../support/sso/sign-on-over-http';
import { json } from '../../support/partners/stub-behaviours';
import type { Received } from '../../support/partners/stub-partner';

let http: SignOnOverHttp;
beforeEach(async () => {
  http = await new SignOnOverHttp().start();
});
afterEach(() => http.stop());

/** The headers as sent, in order, without those that belong to the connection. */
function sentHeaders({ rawHeaders }: Received): string[] {
  const lines = [];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i] ?? ''}: ${rawHeaders[i + 1] ?? ''}`);
  return lines.filter((line) => !/^(Host|Connection|Content-Length):/i.test(line)).sort();
}
const common = ['Accept-Encoding: identity', 'Accept: application/json', 'Content-Type: application/json', 'User-Agent: Pierhead'];
const ids = ['X-Hostapp-Client-ID: host_abc123def456', 'X-Miniapp-App-ID: app_abc123', 'X-Request-Id: req-1'];

describe('a sent request', () => {
  it('the exchange: method, path, headers and body, byte for byte', async () => {
    http.hostApp.on('/token', json({ access_token: 'a' }));
    await http.exchange();
    const [sent] = http.hostApp.store;
    expect([sent!.method, sent!.path]).toEqual(['POST', '/token']);
    expect(sent!.body.toString()).toBe('{"auth_code":"code-1"}');
    const authorization = `Authorization: Basic ${basicValueOf('platform-at-host', 'host-app-secret-key')}`;
    expect(sentHeaders(sent!)).toEqual([...common, ...ids, authorization].sort());
  });

  it('the refresh: its body', async () => {
    http.hostApp.on('/refresh', json({ access_token: 'a' }));
    await http.refresh(http.pair(), 'ref"resh');
    expect(http.hostApp.store[0]!.body.toString()).toBe('{"refresh_token":"ref\\"resh"}');
  });

  it('the user data: a GET without a body, with the user token after its prefix', async () => {
    http.hostApp.on('/user', json({ reference: 'r' }));
    await http.userData(http.pair({ accessTokenPrefix: 'JWT' }));
    const [sent] = http.hostApp.store;
    expect([sent!.method, sent!.path, sent!.body.length]).toEqual(['GET', '/user', 0]);
    expect(sentHeaders(sent!)).toEqual([...common, ...ids, 'Authorization: JWT user-token'].sort());
  });

  it('the user for the miniapp: its credentials and the fields that are present', async () => {
    await http.authToken();
    const [sent] = http.miniapp.store;
    expect([sent!.method, sent!.path]).toEqual(['POST', '/auth']);
    expect(sent!.body.toString()).toBe('{"reference":"r"}');
    expect(sentHeaders(sent!)).toEqual([...common, ...ids, `Authorization: Basic ${basicValueOf('app_abc123', 'mini-secret')}`].sort());
  });

  it('the trace context, where there is one', async () => {
    http.hostApp.on('/token', json({ access_token: 'a' }));
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await http.exchange(http.pair(), { ...aRelay(clock), traceparent });
    expect(http.hostApp.store[0]!.headers.traceparent).toBe(traceparent);
  });

  it('the query of the stored URL', async () => {
    http.hostApp.on('/token', json({ access_token: 'a' }));
    const endpoints = { accessToken: `${http.hostApp.url}/token?tenant=1&x=%20` };
    await http.exchange(http.pair({ endpoints }));
    expect(http.hostApp.at('/token')).toHaveLength(1);
  });

  it("the host app's own scheme before the Basic value, and `Basic` to the miniapp", async () => {
    http.hostApp.on('/token', json({ access_token: 'a' }));
    await http.exchange(http.pair({ credentialScheme: 'Token' }));
    await http.authToken(http.pair({ credentialScheme: 'Token' }));
    expect(http.hostApp.store[0]!.headers.authorization).toBe(`Token ${basicValueOf('platform-at-host', 'host-app-secret-key')}`);
    expect(http.miniapp.store[0]!.headers.authorization).toMatch(/^Basic /);
  });
});

describe('refused before anything is sent', () => {
  it.each([
    ['access_token_url', () => http.exchange(http.pair({ endpoints: {} })), { side: 'hostapp', step: 'exchange' }],
    ['user_data_url', () => http.userData(http.pair({ endpoints: {} })), { side: 'hostapp', step: 'user_data' }],
    ['refresh_token_url', () => http.refresh(http.pair({ endpoints: {} })), { side: 'hostapp', step: 'refresh' }],
    [
      'get_auth_token_url',
      () => http.authToken({ ...http.pair(), miniapp: aMiniapp({ endpoints: {} }) }),
      { side: 'miniapp', step: 'miniapp_token' },
    ],
  ])('a call whose %s was never stored', async (setting, call, leg) => {
    const error = await failureOf(call());
    expect(error).toMatchObject({ kind: 'invalid', code: 'ENDPOINT_URL_NOT_SET', details: { ...leg, setting } });
  });

  it('a receiver that wants signatures, whatever the other credentials', async () => {
    const { signature } = http.pair().hostApp.settings;
    const signed = http.pair({ signature: { ...signature, enabled: true } });
    const miniSigned = {
      ...http.pair(),
      miniapp: aMiniapp({ endpoints: http.miniapp.endpoints, signature: { ...signature, enabled: true } }),
    };
    for (const attempt of [http.exchange(signed), http.userData(signed), http.authToken(miniSigned)]) {
      expect(await failureOf(attempt)).toMatchObject({ kind: 'invalid', code: 'MISSING_REQUEST_SIGNATURE_SETTINGS' });
    }
  });

  it.each([
    ['host_app_secret_key', { credentials: {} }],
    ['host_app_client_id', { settings: { ...reachableHostApp().settings, hostAppClientId: undefined } }],
  ])('a host app without its %s', async (setting, change) => {
    const whole = http.pair();
    const settings = { ...whole.hostApp.settings, ...('settings' in change ? { hostAppClientId: undefined } : {}) };
    const stripped = { ...whole, hostApp: { ...whole.hostApp, ...('credentials' in change ? change : { settings }) } } as Integration;
    expect(await failureOf(http.exchange(stripped))).toMatchObject({
      kind: 'invalid',
      code: 'HOSTAPP_INTEGRATION_NOT_SET',
      details: { setting },
    });
  });

  it.each(['line\nbreak', 'line\rbreak', 'NUL\u0000', 'é', '😀', 'blank '])('a token that no header can carry: %j', async (token) => {
    const error = await failureOf(http.userData(http.pair(), token));
    expect(error).toMatchObject({
      kind: 'partner-garbled',
      code: 'UNEXPECTED_RESPONSE_ERROR',
      details: { step: 'user_data', cause: 'header' },
    });
  });

  it('a URL that may not be called any more', async () => {
    const strict = partnerHttp({ networks: [] });
    const error = await failureOf(strict.hostAppSignOn.exchangeCode(aRelay(clock), http.pair(), new Secret('c')));
    expect(error).toMatchObject({ kind: 'partner-unreachable', details: { cause: 'denied-address', step: 'exchange' } });
    strict.close();
  });

  it('a call whose time is over', async () => {
    const relay = { ...aRelay(clock), deadline: clock.now() - 1 };
    expect(await failureOf(http.exchange(http.pair(), relay))).toMatchObject({
      kind: 'partner-unreachable',
      details: { cause: 'connect-timeout' },
    });
  });

  afterEach(() => {
    expect(http.hostApp.store).toEqual([]);
    expect(http.miniapp.store).toEqual([]);
  });
});

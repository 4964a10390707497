import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { ManualClock } from '../../support/manual-clock';
import { aStore, partnerHttp, clock } from '../../support/partners/partner-http';
import { anIntegration } from '../../support/partners/partners';
import { until } from '../../support/service/service';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { basicValueOf, failureOf } from '../../support/sso/sign-on-over-http';
import { bytes, held, json, refusalOf, type Behaviour } from '../../support/partners/stub-behaviours';
import type { StubHostApp } from '../../support/partners/stub-sign-on';
import { TokenIssuer } from '../../support/service/token-issuer';

const stubs: TokenIssuer[] = [];
const clients: ReturnType<typeof partnerHttp>[] = [];
const open = async (answer: object = {}) => {
  const stub = await new TokenIssuer(answer).start();
  stubs.push(stub);
  return stub;
};
const partners = (options: Parameters<typeof partnerHttp>[0] = {}) => {
  const opened = partnerHttp(options);
  clients.push(opened);
  return opened;
};
afterEach(async () => {
  clients.splice(0).forEach((opened) => opened.close());
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()));
});

const pair = (stub: StubHostApp, settings: Partial<HostAppSettings> = {}, secret = 'host-app-secret-key'): Integration => {
  const endpoints = { ...stub.endpoints, clientAccessToken: `${stub.url}/client-token` };
  return anIntegration({ hostApp: reachableHostApp({ endpoints, ...settings }, secret) });
};
const call = (through: ReturnType<typeof partnerHttp>, integration: Integration, relay = aRelay(clock)) =>
  through.hostAppSignOn.exchangeCode(relay, integration, new Secret('code'));
const authorizations = (stub: StubHostApp) => stub.at('/token').map(({ headers }) => headers.authorization);

it('is requested by RFC 6749 §4.4: a form, Basic, and no names of the integration', async () => {
  const stub = await open();
  await call(partners(), pair(stub, { clientAccessTokenScope: 'miniapps pay&x', credentialScheme: 'Token' }));
  const [tokenRequest] = stub.at('/client-token');
  expect(tokenRequest!.method).toBe('POST');
  expect(tokenRequest!.body.toString()).toBe('grant_type=client_credentials&scope=miniapps+pay%26x');
  expect(tokenRequest!.headers).toMatchObject({
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${basicValueOf('platform-at-host', 'host-app-secret-key')}`,
  });
  expect(Object.keys(tokenRequest!.headers).filter((name) => name.startsWith('x-') || name === 'traceparent')).toEqual([]);
  expect(authorizations(stub)).toEqual(['Bearer token-1']);
});

it('leaves the scope out where there is none', async () => {
  const stub = await open();
  await call(partners(), pair(stub));
  expect(stub.at('/client-token')[0]!.body.toString()).toBe('grant_type=client_credentials');
});

it.each([
  [{ token_type: 'BEARER' }, 'Bearer token-1'],
  [{ token_type: undefined }, 'Bearer token-1'],
  [{ token_type: null }, 'Bearer token-1'],
  [{ token_type: '' }, 'Bearer token-1'],
  [{ token_type: 'MAC-2' }, 'MAC-2 token-1'],
])('is sent with the word of its type: %j', async (answer, authorization) => {
  const stub = await open(answer);
  await call(partners(), pair(stub));
  expect(authorizations(stub)).toEqual([authorization]);
});

it('gives way to a user token', async () => {
  const stub = await open();
  stub.on('/user', json({ reference: 'r' }));
  await partners().hostAppSignOn.userData(aRelay(clock), pair(stub), new Secret('user-token'), 1);
  expect(stub.at('/user')[0]!.headers.authorization).toBe('Token user-token');
  expect(stub.issued).toBe(0);
});

it.each<[string, Behaviour, object]>([
  [
    'without a token',
    json({ token_type: 'bearer' }),
    { code: 'RESPONSE_ATTRIBUTE_MISSING', details: { fields: [{ path: 'access_token' }] } },
  ],
  ['with a type of two words', json({ access_token: 'a', token_type: 'Bearer x' }), { code: 'UNEXPECTED_RESPONSE_ERROR' }],
  ['with a line break in its type', json({ access_token: 'a', token_type: 'Bearer\n' }), { code: 'UNEXPECTED_RESPONSE_ERROR' }],
  ['with a type of 33 letters', json({ access_token: 'a', token_type: 'x'.repeat(33) }), { code: 'UNEXPECTED_RESPONSE_ERROR' }],
  ['with a token that no header carries', json({ access_token: 'a\nb' }), { code: 'UNEXPECTED_RESPONSE_ERROR' }],
  [
    'in the words of OAuth',
    json({ error: 'invalid_client' }, { status: 401 }),
    { code: 'UNEXPECTED_RESPONSE_ERROR', details: { cause: 'http-401' } },
  ],
  ['with an error code', refusalOf('CLIENT_UNKNOWN'), { kind: 'partner-refused', code: 'CLIENT_UNKNOWN' }],
  ['with a page', bytes('text/html', 'x'), { code: 'INVALID_RESPONSE_CONTENT_TYPE' }],
])('is not had %s: the call fails at its step', async (_what, behaviour, expected) => {
  const stub = await open();
  stub.on('/client-token', behaviour);
  const error = await failureOf(call(partners(), pair(stub)));
  expect(error).toMatchObject(expected);
  expect(error.details).toMatchObject({ side: 'hostapp', step: 'client_token' });
  expect(stub.at('/token')).toEqual([]);
});

describe('is kept', () => {
  it.each([
    ['until 30 s before it expires', { expires_in: 100 }, 69, 71],
    ['so, where the seconds are text', { expires_in: '100' }, 69, 71],
    ['300 s where nothing is said', { expires_in: undefined }, 299, 301],
    ['300 s where nothing readable is said', { expires_in: 'soon' }, 299, 301],
    ['300 s where something else is said', { expires_in: { s: 5 } }, 299, 301],
    ['a day at most', { expires_in: 1e12 }, 86_399, 86_401],
  ])('%s', async (_what, answer, stillGoodS, goneS) => {
    const stub = await open(answer);
    const manual = new ManualClock();
    const store = {
      claim: async () => ({ state: 'claimed', lease: 'l' }) as const,
      find: async () => undefined,
      complete: async () => true,
    } as never;
    const through = partners({ clock: manual, store });
    const relay = () => aRelay(manual);
    const integration = pair(stub);
    await call(through, integration, relay());
    manual.advance(stillGoodS * 1000);
    await call(through, integration, relay());
    expect(stub.issued).toBe(1);
    manual.advance((goneS - stillGoodS) * 1000);
    await call(through, integration, relay());
    expect(stub.issued).toBe(2);
  });

  it.each([[-5], [0], [30], ['-1']])('for this call only where it expires in %j s', async (expiresIn) => {
    const stub = await open({ expires_in: expiresIn });
    const through = partners();
    const integration = pair(stub);
    await call(through, integration);
    await call(through, integration);
    expect(stub.issued).toBe(2);
    expect(authorizations(stub)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it.each<[string, (stub: TokenIssuer) => Integration]>([
    ['secret', (stub) => pair(stub, {}, 'another-secret')],
    ['id', (stub) => pair(stub, { hostAppClientId: 'another-id' })],
    ['scope', (stub) => pair(stub, { clientAccessTokenScope: 'another' })],
    ['URL', (stub) => pair(stub, { endpoints: { ...stub.endpoints, clientAccessToken: `${stub.url}/client-token?v=2` } })],
  ])('for one %s: a changed one never meets the token of before', async (_what, changed) => {
    const stub = await open();
    const through = partners();
    await call(through, pair(stub));
    await call(through, changed(stub));
    expect(authorizations(stub)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('over a change of the record that does not concern it', async () => {
    const stub = await open();
    const through = partners();
    await call(through, pair(stub));
    await call(through, pair(stub, { name: 'Renamed' }));
    expect(stub.issued).toBe(1);
  });
});

describe('is fetched once', () => {
  it('for many calls at once over several instances', async () => {
    const stub = await open();
    const store = aStore();
    const through = [partners({ store }), partners({ store }), partners({ store })];
    const integration = pair(stub);
    await Promise.all(Array.from({ length: 60 }, (_, i) => call(through[i % 3]!, integration)));
    expect(stub.issued).toBe(1);
    expect(new Set(authorizations(stub))).toEqual(new Set(['Bearer token-1']));
  });

  it('for callers that share a failed fetch, and again for the next call', async () => {
    const stub = await open();
    const { behaviour, release } = held(refusalOf('TRY_LATER'));
    stub.on('/client-token', behaviour);
    const store = aStore();
    const through = [partners({ store }), partners({ store })];
    const integration = pair(stub);
    const waiting = Array.from({ length: 10 }, (_, i) => failureOf(call(through[i % 2]!, integration)));
    setTimeout(release, 50);
    for (const error of await Promise.all(waiting)) {
      expect(error).toMatchObject({ kind: 'partner-refused', code: 'TRY_LATER', details: { step: 'client_token' } });
    }
    expect(stub.at('/client-token')).toHaveLength(1);
    await failureOf(call(through[0]!, integration));
    expect(stub.at('/client-token')).toHaveLength(2);
  });

  it('no longer than the call may take', async () => {
    const stub = await open();
    stub.hang();
    const relay = { ...aRelay(clock), deadline: clock.now() + 200 };
    const startedAt = performance.now();
    expect(await failureOf(call(partners(), pair(stub), relay))).toMatchObject({
      kind: 'partner-unreachable',
      details: { cause: 'timeout' },
    });
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

describe('that is not taken any more', () => {
  it('is dropped and fetched again, with one retry in the trace', async () => {
    const stub = await open();
    const through = partners();
    const integration = pair(stub);
    await call(through, integration);
    stub.issued++;
    const relay = aRelay(clock);
    await call(through, integration, relay);
    expect(authorizations(stub)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-3']);
    const { legs } = relay.trace.record({ id: 'x', requestId: 'r', call: 'authorize', at: 0, ms: 0 }, { status: 200 });
    expect(legs.map(({ step, attempt, status }) => [step, attempt, status])).toEqual([
      ['exchange', 1, 401],
      ['client_token', 1, 200],
      ['exchange', 2, 200],
    ]);
  });

  it('is not used again after a lookup from before it was dropped', async () => {
    const stub = await open();
    const store = aStore();
    const { behaviour: later, release } = held(json({}, { status: 401 }));
    const usual = stub.usual('/token');
    const dropping = held(() => undefined);
    const drop = store.drop.bind(store);
    store.drop = async (key, value) => {
      await dropping.behaviour({} as never, {} as never);
      await drop(key, value);
    };
    const through = partners({ store });
    const integration = pair(stub);
    await call(through, integration);
    stub.issued++;
    const first = call(through, integration);
    await until(
      async () => authorizations(stub).length,
      (count) => count === 2,
    );
    // One that begins while the token is being dropped finds it still there.
    stub.on('/token', (received, response) => (received.headers['x-request-id'] === 'second' ? later : usual)(received, response));
    const second = call(through, integration, { ...aRelay(clock), requestId: 'second' });
    await until(
      async () => authorizations(stub).length,
      (count) => count === 3,
    );
    dropping.release();
    await first;
    stub.on('/token', usual);
    release();
    await second;
    expect(stub.issued).toBe(3);
  });

  it('is fetched anew once over all instances', async () => {
    const stub = await open();
    const store = aStore();
    const through = [partners({ store }), partners({ store })];
    const integration = pair(stub);
    await Promise.all(through.map((one) => call(one, integration)));
    stub.issued++;
    await Promise.all(Array.from({ length: 20 }, (_, i) => call(through[i % 2]!, integration)));
    expect(stub.issued).toBe(3);
  });

  it('fails the call where the new one is not taken either', async () => {
    const stub = await open();
    stub.on('/token', refusalOf('NOT_YOU', { status: 401 }));
    expect(await failureOf(call(partners(), pair(stub)))).toMatchObject({
      kind: 'partner-refused',
      code: 'NOT_YOU',
      details: { step: 'exchange' },
    });
    expect([stub.issued, stub.at('/token').length]).toEqual([2, 2]);
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { clock } from '../../support/partners/partner-http';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { basicValueOf, failureOf, SignOnOverHttp } from '../../support/sso/sign-on-over-http';
import { bytes, held, json, redirect, refusalOf, type Behaviour } from '../../support/partners/stub-behaviours';

let http: SignOnOverHttp;
beforeEach(async () => {
  http = await new SignOnOverHttp().start();
});
afterEach(() => http.stop());

describe('connections', () => {
  it('are kept and used again', async () => {
    http.hostApp.on('/user', json({ reference: 'r' })).on('/token', json({ access_token: 'a' }));
    for (let i = 0; i < 5; i++) {
      await http.userData();
      await nextTurn();
      await http.exchange();
      await nextTurn();
    }
    expect(new Set(http.hostApp.store.map(({ socket }) => socket)).size).toBe(1);
  });

  const closingSecond = async (path: string, then: Behaviour) => {
    http.hostApp.on(path, then);
    await (path === '/user' ? http.userData() : http.exchange());
    // A connection can be used again a turn after its answer.
    await nextTurn();
    let requests = 0;
    http.hostApp.on(path, (received, response) => {
      if (requests++ === 0) return received.socket.resetAndDestroy() as never;
      return then(received, response);
    });
  };

  it('that turn out to be closed cost a GET no more than a second try', async () => {
    await closingSecond('/user', json({ reference: 'r' }));
    const relay = aRelay(clock);
    await expect(http.userData(http.pair(), 't', relay)).resolves.toEqual({ reference: 'r' });
    expect(http.hostApp.store).toHaveLength(3);
    const { legs } = relay.trace.record({ id: 'x', requestId: 'r', call: 'authorize', at: 0, ms: 0 }, { status: 200 });
    expect(legs.map(({ attempt, status, errorCode, cause }) => ({ attempt, status, errorCode, cause }))).toEqual([
      { attempt: 1, status: undefined, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'reset' },
      { attempt: 2, status: 200, errorCode: undefined, cause: undefined },
    ]);
  });

  it('that turn out to be closed fail a POST, which is never sent twice', async () => {
    await closingSecond('/token', json({ access_token: 'a' }));
    expect(await failureOf(http.exchange())).toMatchObject({ kind: 'partner-unreachable', details: { cause: 'reset' } });
    expect(http.hostApp.store).toHaveLength(2);
  });

  it('that are new and reset fail a GET, too', async () => {
    http.hostApp.vanish();
    expect(await failureOf(http.userData())).toMatchObject({ kind: 'partner-unreachable', details: { cause: 'reset' } });
    expect(http.hostApp.store).toHaveLength(1);
  });

  it('go to the partner, whatever the proxy variables say', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = /no_proxy/i.test(name) ? '' : http.miniapp.url;
    try {
      http.hostApp.on('/token', json({ access_token: 'a' }));
      await http.exchange();
    } finally {
      names.forEach((name, i) => (before[i] === undefined ? delete process.env[name] : (process.env[name] = before[i])));
    }
    expect([http.hostApp.store.length, http.miniapp.store.length]).toEqual([1, 0]);
  });

  it('one partner that hangs does not hold another', async () => {
    http.hostApp.hang();
    const hanging = Array.from({ length: 50 }, () =>
      http.exchange(http.pair(), { ...aRelay(clock), deadline: clock.now() + 400 }).catch(String),
    );
    await expect(http.authToken()).resolves.toBeDefined();
    expect(new Set(await Promise.all(hanging)).size).toBe(1);
  });
});

describe('the trace', () => {
  it('records every leg, its duration and its end', async () => {
    const relay = aRelay(clock);
    const { behaviour, release } = held(json({ access_token: 'a' }));
    http.hostApp.on('/token', behaviour).on('/user', refusalOf('BLOCKED', { status: 403 }));
    const exchanged = http.exchange(http.pair(), relay);
    setTimeout(release, 30);
    await exchanged;
    await failureOf(http.userData(http.pair(), 't', relay));
    const { legs } = relay.trace.record({ id: 'x', requestId: 'r', call: 'authorize', at: 0, ms: 0 }, { status: 200 });
    expect(legs).toMatchObject([
      { to: 'hostapp', step: 'exchange', attempt: 1, status: 200 },
      { to: 'hostapp', step: 'user_data', attempt: 1, status: 403, errorCode: 'BLOCKED' },
    ]);
    expect(legs[0]!.ms).toBeGreaterThanOrEqual(25);
    expect(legs[0]!.errorCode).toBeUndefined();
    expect(legs[0]!.startedAt).toBeLessThanOrEqual(clock.now());
  });
});

it('no failure holds a secret, a URL or what a partner said', async () => {
  const canaries = { code: 'CANARY-code', secret: 'CANARY-secret', token: 'CANARY-token', answer: 'CANARY-answer' };
  const integration = { ...http.pair(), hostApp: reachableHostApp({ endpoints: http.hostApp.endpoints }, canaries.secret) };
  const behaviours = [
    bytes('text/html', canaries.answer),
    json(`{"x":"${canaries.answer}"`),
    json({ access_token: [canaries.answer], reference: [canaries.answer] }),
    json({ error: canaries.answer }, { status: 500, headers: { 'X-Canary': canaries.answer } }),
    redirect(`${http.hostApp.url}/${canaries.answer}`),
  ];
  const failures = [];
  for (const behaviour of behaviours) {
    http.hostApp.always(behaviour);
    failures.push(await failureOf(http.partners.hostAppSignOn.exchangeCode(aRelay(clock), integration, new Secret(canaries.code))));
    failures.push(await failureOf(http.partners.hostAppSignOn.userData(aRelay(clock), integration, new Secret(canaries.token), 1)));
  }
  http.hostApp.vanish();
  failures.push(await failureOf(http.partners.hostAppSignOn.exchangeCode(aRelay(clock), integration, new Secret(canaries.code))));
  for (const error of failures) {
    const shown = [error.message, error.stack, JSON.stringify(error), String(error.cause), Object.values(error).map(String).join()].join(
      '\n',
    );
    expect(shown).not.toContain('CANARY');
    expect(shown).not.toContain(basicValueOf('platform-at-host', canaries.secret));
    expect(shown).not.toContain(http.hostApp.url);
    expect(error.cause).toBeUndefined();
  }
});

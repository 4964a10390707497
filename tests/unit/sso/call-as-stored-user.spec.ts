import { MemoryRefreshRepository } from '../../../src/adapters/out/memory/figures/memory-refresh-repository';
import { MemoryUserTokenStore } from '../../../src/adapters/out/memory/sso/memory-user-token-store';
import { UserTokenRejected } from '../../../src/domain/partners/partner-errors';
import { Unavailable } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import { CallAsStoredUser } from '../../../src/domain/sso/call-as-stored-user';
import type { UserTokenStore } from '../../../src/domain/sso/ports';
import type { UserTokens } from '../../../src/domain/sso/tokens';
import { FakeHostAppSignOnGateway } from '../../fakes/fake-host-app-sign-on-gateway';
import { aRelay } from '../../support/a-relay';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { anIntegration } from '../../support/partners/partners';

const integration = anIntegration();
const key = { clientId: integration.hostApp.id, reference: 'mia' };

/** Two instances over one store, and a host app with reuse detection. Waiting moves the clock and lets others run. */
async function house() {
  const clock = new ManualClock();
  const store = new MemoryUserTokenStore({ clock, ids: new CountingIds() });
  const hostApp = new FakeHostAppSignOnGateway();
  const pause = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  const refreshes = new MemoryRefreshRepository(clock);
  /** Known by connect alone. */
  const users = { find: async (_clientId: string, reference: string) => (reference === 'ben' ? { reference } : undefined) };
  const instance = (tokens: UserTokenStore = store) => new CallAsStoredUser({ tokens, users, hostApp, refreshes, clock, pause });
  const signOn = async (code: string): Promise<UserTokens> => {
    hostApp.knows(code, { reference: 'mia' });
    const tokens = await hostApp.exchangeCode(aRelay(clock), integration, new Secret(code));
    store.signOn(key, tokens);
    return tokens;
  };
  const first = await signOn('code-1');
  const attempts: number[] = [];
  const expired = new Set([first.accessToken.reveal()]);
  /** A call that the host app takes unless the token has expired. */
  const call = async (accessToken: Secret, attempt: number): Promise<string> => {
    attempts.push(attempt);
    await new Promise(setImmediate);
    if (!expired.has(accessToken.reveal())) return accessToken.reveal();
    throw new UserTokenRejected({ side: 'hostapp', step: 'create' }, 'EXPIRED_ACCESS_TOKEN', 'Expired');
  };
  const user = () => ({ relay: aRelay(clock), integration, reference: 'mia' });
  return { clock, store, hostApp, refreshes, one: instance(), other: instance(), instance, signOn, first, attempts, expired, call, user };
}

describe('CallAsStoredUser', () => {
  it('calls with the stored token, and refreshes nothing that is taken', async () => {
    const { one, user, call, expired, hostApp, first, attempts } = await house();
    expired.clear();
    expect(await one.execute(user(), call)).toBe(first.accessToken.reveal());
    expect([hostApp.refreshes, attempts]).toEqual([0, [1]]);
  });

  it('treats a user without tokens like one whose token has expired', async () => {
    const { one, user, call } = await house();
    const details = { side: 'hostapp', step: 'refresh', cause: 'no-token', retryable: false };
    await expect(one.execute({ ...user(), reference: 'ben' }, call)).rejects.toMatchObject({ code: 'EXPIRED_ACCESS_TOKEN', details });
  });

  it('refuses a user whom nobody has signed on', async () => {
    const { one, user, call, attempts } = await house();
    const attempt = one.execute({ ...user(), reference: 'nobody' }, call);
    await expect(attempt).rejects.toMatchObject({ kind: 'invalid', code: 'HOSTAPP_USER_NOT_FOUND', details: { side: 'hostapp' } });
    expect(attempts).toEqual([]);
  });

  it('refreshes once for fifty concurrent calls on two instances, and repeats each call once', async () => {
    const { one, other, user, call, hostApp, attempts, refreshes, clock } = await house();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? one : other).execute(user(), call)));
    expect(new Set(answers)).toEqual(new Set([hostApp.lastAccessToken]));
    expect(hostApp.refreshes).toBe(1);
    expect(attempts.filter((attempt) => attempt === 2)).toHaveLength(50);
    expect(attempts).toHaveLength(100);
    const counts = await refreshes.refreshes({ from: 0, to: clock.now() + 60_000, slotS: 86_400 });
    expect(Object.fromEntries(counts.map(({ outcome, count }) => [outcome, count]))).toEqual({ ok: 1, shared: 49 });
  });

  it('stores the new tokens before any call is repeated', async () => {
    const { one, user, call, store } = await house();
    const stored: (string | undefined)[] = [];
    const answer = await one.execute(user(), async (accessToken, attempt) => {
      if (attempt === 2) stored.push((await store.find(key))?.accessToken.reveal());
      return call(accessToken, attempt);
    });
    expect(stored).toEqual([answer]);
  });

  it('repeats the call without a refresh if the tokens were renewed meanwhile', async () => {
    const { one, user, call, signOn, hostApp } = await house();
    const answer = await one.execute(user(), async (accessToken, attempt) => {
      if (attempt === 1) await signOn('code-2');
      return call(accessToken, attempt);
    });
    expect(answer).toBe(hostApp.lastAccessToken);
    expect(hostApp.refreshes).toBe(0);
  });

  it('refreshes if a sign-on brought the same access token again', async () => {
    const { one, user, call, first, store, hostApp } = await house();
    const answer = await one.execute(user(), async (accessToken, attempt) => {
      if (attempt === 1) store.signOn(key, first);
      return call(accessToken, attempt);
    });
    expect(answer).toBe(hostApp.lastAccessToken);
    expect(hostApp.refreshes).toBe(1);
  });

  it('repeats exactly once: a new token that is not taken either is the failure', async () => {
    const { one, user, call, hostApp, attempts, expired } = await house();
    expired.add('access-2');
    await expect(one.execute(user(), call)).rejects.toMatchObject({ code: 'EXPIRED_ACCESS_TOKEN', details: { step: 'create' } });
    expect([hostApp.refreshes, attempts]).toEqual([1, [1, 2]]);
  });

  it('keeps the old refresh token if no new one comes', async () => {
    const { one, user, call, hostApp, store, first } = await house();
    hostApp.givesNoRefreshToken();
    await one.execute(user(), call);
    expect((await store.find(key))?.refreshToken?.reveal()).toBe(first.refreshToken?.reveal());
  });

  it('shares a refused refresh with all calls that began before it', async () => {
    const { one, other, user, call, hostApp } = await house();
    let refreshes = 0;
    const refresh = hostApp.refresh.bind(hostApp);
    hostApp.refresh = (...given) => {
      refreshes++;
      return refresh(...given);
    };
    hostApp.refuse('INVALID_REFRESH_TOKEN');
    const attempts = Array.from({ length: 50 }, async (_, i) => {
      // Some of them hear of their expired token long after the refresh has failed.
      const late = async (accessToken: Secret, attempt: number) => {
        for (let turn = 0; turn < i; turn++) await new Promise(setImmediate);
        return call(accessToken, attempt);
      };
      return (i % 2 ? one : other).execute(user(), late);
    });
    for (const outcome of await Promise.allSettled(attempts)) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
      expect(reason).toMatchObject({
        kind: 'partner-refused',
        code: 'INVALID_REFRESH_TOKEN',
        details: { side: 'hostapp', step: 'refresh' },
      });
    }
    expect(refreshes).toBe(1);
    hostApp.recover();
    expect(await other.execute(user(), call)).toBe(hostApp.lastAccessToken);
    expect(refreshes).toBe(2);
  });

  it.each([
    ['garbles', (h: FakeHostAppSignOnGateway) => h.garble(), 'partner-garbled'],
    ['vanishes', (h: FakeHostAppSignOnGateway) => h.vanish(), 'partner-unreachable'],
  ])('loses no tokens where the host app %s', async (_how, misbehave, kind) => {
    const { one, user, call, hostApp, store, first } = await house();
    misbehave(hostApp);
    await expect(one.execute(user(), call)).rejects.toMatchObject({ kind, details: { step: 'refresh' } });
    expect((await store.find(key))?.refreshToken?.reveal()).toBe(first.refreshToken?.reveal());
  });

  it('asks for a new sign-on if there is no refresh token', async () => {
    const { one, user, call, store, first, hostApp } = await house();
    store.signOn(key, { accessToken: first.accessToken });
    const attempt = one.execute(user(), call);
    await expect(attempt).rejects.toMatchObject({ code: 'EXPIRED_ACCESS_TOKEN', details: { side: 'hostapp', step: 'refresh' } });
    expect(hostApp.refreshes).toBe(0);
  });

  it('takes over a refresh when the lease of the process that began it has expired', async () => {
    const { one, user, call, store, hostApp, clock } = await house();
    const { version } = (await store.find(key))!;
    await store.claimRefresh(key, { version }, 3000);
    const before = clock.now();
    expect(await one.execute(user(), call)).toBe(hostApp.lastAccessToken);
    expect(clock.now() - before).toBeGreaterThanOrEqual(3000);
    expect(hostApp.refreshes).toBe(1);
  });

  it('waits for the refresh of another no longer than its own deadline', async () => {
    const { one, user, call, store, hostApp, clock } = await house();
    const { version } = (await store.find(key))!;
    await store.claimRefresh(key, { version }, 60_000);
    const { deadline } = user().relay;
    const attempt = one.execute(user(), call);
    await expect(attempt).rejects.toMatchObject({
      kind: 'partner-unreachable',
      code: 'UNEXPECTED_RESPONSE_ERROR',
      details: { side: 'hostapp', step: 'refresh', cause: 'timeout', retryable: true },
    });
    expect(clock.now() - deadline).toBeLessThanOrEqual(100);
    expect(hostApp.refreshes).toBe(0);
  });

  it('holds on to new tokens while the store is away', async () => {
    const { instance, user, call, store, hostApp } = await house();
    let away = 3;
    let closed = 2;
    const shaky: UserTokenStore = {
      find: (of) => store.find(of),
      claimRefresh: (of, refused, leaseMs) =>
        closed-- > 0 ? Promise.reject(new Unavailable('database-busy')) : store.claimRefresh(of, refused, leaseMs),
      failRefresh: (of, lease, failure) => store.failRefresh(of, lease, failure),
      renew: (of, run, tokens) => (away-- > 0 ? Promise.reject(new Unavailable('database-away')) : store.renew(of, run, tokens)),
    };
    expect(await instance(shaky).execute(user(), call)).toBe(hostApp.lastAccessToken);
    expect(hostApp.refreshes).toBe(1);
    expect((await store.find(key))?.accessToken.reveal()).toBe(hostApp.lastAccessToken);
  });

  it('gives up new tokens that a sign-on has overtaken', async () => {
    const { one, user, call, hostApp, signOn, store } = await house();
    const refresh = hostApp.refresh.bind(hostApp);
    hostApp.refresh = async (...given) => {
      const renewed = await refresh(...given);
      await signOn('code-2');
      return renewed;
    };
    const answer = await one.execute(user(), call);
    expect(answer).toBe('access-3');
    expect((await store.find(key))?.accessToken.reveal()).toBe('access-3');
  });
});

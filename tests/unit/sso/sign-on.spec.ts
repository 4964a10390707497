import { MemoryRateLimiter } from '../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { SignOnFailures } from '../../../src/domain/sso/sign-on-failures';
import { MemoryRefreshRepository } from '../../../src/adapters/out/memory/figures/memory-refresh-repository';
import { MemoryConsentRepository } from '../../../src/adapters/out/memory/sso/memory-consent-repository';
import { MemorySharedTaskStore } from '../../../src/adapters/out/memory/sso/memory-shared-task-store';
import { MemoryUserRepository } from '../../../src/adapters/out/memory/sso/memory-user-repository';
import { MemoryUserTokenStore } from '../../../src/adapters/out/memory/sso/memory-user-token-store';
import { Unavailable } from '../../../src/domain/shared/errors';
import { JsonNumber, JsonObject } from '../../../src/domain/shared/json';
import { Secret } from '../../../src/domain/shared/secret';
import { SharedTasks } from '../../../src/domain/shared/tasks/share-task';
import { AuthorizeUser } from '../../../src/domain/sso/authorize-user';
import { ConnectUser } from '../../../src/domain/sso/connect-user';
import type { UserData } from '../../../src/domain/sso/user-data';
import { FakeHostAppSignOnGateway } from '../../fakes/fake-host-app-sign-on-gateway';
import { FakeMiniappSignOnGateway } from '../../fakes/fake-miniapp-sign-on-gateway';
import { aRelay } from '../../support/a-relay';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';

const mia: UserData = {
  reference: 'user-mia-1',
  email: 'mia@example.com',
  customAttributes: JsonObject.of({ points: new JsonNumber('1.10') }),
};

function house(failuresAllowed = 60) {
  const clock = new ManualClock();
  const consents = new MemoryConsentRepository();
  const tokens = new MemoryUserTokenStore({ clock, ids: new CountingIds() });
  const users = new MemoryUserRepository(consents, tokens);
  const hostApp = new FakeHostAppSignOnGateway();
  const miniapp = new FakeMiniappSignOnGateway();
  const store = new MemorySharedTaskStore({ clock, ids: new CountingIds() });
  const sharedTasks = new SharedTasks({ store, clock, pause: () => new Promise(setImmediate) });
  const connectUser = new ConnectUser({ users, consents, miniapp, clock });
  const failures = new SignOnFailures({ limiter: new MemoryRateLimiter({ limits: { sign_on_failures: failuresAllowed } }), clock });
  const authorizeUser = new AuthorizeUser({
    users,
    consents,
    hostApp,
    miniapp,
    refreshes: new MemoryRefreshRepository(clock),
    sharedTasks,
    failures,
    clock,
  });
  return { clock, consents, users, tokens, hostApp, miniapp, connectUser, authorizeUser };
}

describe('ConnectUser', () => {
  it('stores the user, records consent and returns the session of the miniapp', async () => {
    const { clock, consents, users, miniapp, connectUser } = house();
    const integration = anIntegration();
    const pair = await connectUser.execute({ relay: aRelay(clock), integration, user: mia });
    expect(pair.token.reveal()).not.toBe('');
    expect(miniapp.receivedUsers).toEqual([mia]);
    expect(await users.find(integration.hostApp.id, mia.reference)).toEqual(mia);
    const key = { clientId: integration.hostApp.id, integrationId: integration.id, reference: mia.reference };
    expect(await consents.isGranted(key)).toBe(true);
    expect(await consents.entries(key)).toMatchObject([{ granted: true, call: 'connect', requestId: 'req-1', at: clock.now() }]);
  });

  /** A repository whose commit comes when the test says so. */
  function slowUsers() {
    const { clock, consents, miniapp } = house();
    const commit = { resolve: (): void => undefined, reject: (_error: Error): void => undefined };
    const store = () => new Promise<void>((resolve, reject) => Object.assign(commit, { resolve, reject }));
    const connectUser = new ConnectUser({ users: { store, find: async () => undefined }, consents, miniapp, clock });
    return { commit, miniapp, connect: () => connectUser.execute({ relay: aRelay(clock), integration: anIntegration(), user: mia }) };
  }

  it('calls the miniapp while the user is stored, and answers after the commit', async () => {
    const { commit, miniapp, connect } = slowUsers();
    let answered = false;
    const attempt = connect().finally(() => (answered = true));
    await new Promise(setImmediate);
    expect(miniapp.receivedUsers).toEqual([mia]);
    expect(answered).toBe(false);
    commit.resolve();
    expect((await attempt).token.reveal()).not.toBe('');
  });

  it.each(['opens a session', 'cannot be reached'])('reports that the user was not stored, also if the miniapp %s', async (what) => {
    const { commit, miniapp, connect } = slowUsers();
    if (what === 'cannot be reached') miniapp.vanish();
    const attempt = connect();
    await new Promise(setImmediate);
    commit.reject(new Unavailable('away'));
    await expect(attempt).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('has stored the user whatever the miniapp says', async () => {
    const { clock, users, miniapp, connectUser } = house();
    miniapp.vanish();
    const integration = anIntegration();
    const attempt = connectUser.execute({ relay: aRelay(clock), integration, user: mia });
    await expect(attempt).rejects.toMatchObject({ kind: 'partner-unreachable', code: 'UNEXPECTED_RESPONSE_ERROR' });
    expect(await users.find(integration.hostApp.id, mia.reference)).toEqual(mia);
  });

  it.each([
    ['required fields', aMiniapp({ requiredUserFields: ['email', 'phone', 'last_name'] }), ['user_data.phone', 'user_data.last_name']],
    ['a commerce miniapp', aMiniapp({ kind: 'commerce' }), []],
  ])('names what the user lacks for %s', async (_what, miniappRecord, missing) => {
    const { clock, connectUser, users, miniapp } = house();
    const integration = anIntegration({ miniapp: miniappRecord });
    const attempt = connectUser.execute({ relay: aRelay(clock), integration, user: mia });
    if (missing.length === 0) {
      await expect(attempt).resolves.toBeDefined();
      return;
    }
    await expect(attempt).rejects.toMatchObject({ code: 'INVALID_USER_DATA', details: { fields: missing.map((path) => ({ path })) } });
    expect(await users.find(integration.hostApp.id, mia.reference)).toBeUndefined();
    expect(miniapp.receivedUsers).toEqual([]);
  });

  it('refuses a user without e-mail and phone for a commerce miniapp', async () => {
    const { clock, connectUser } = house();
    const integration = anIntegration({ miniapp: aMiniapp({ kind: 'commerce' }) });
    const attempt = connectUser.execute({ relay: aRelay(clock), integration, user: { reference: 'user-nobody', email: '' } });
    await expect(attempt).rejects.toMatchObject({ code: 'INVALID_USER_DATA' });
  });

  it('refuses without saved consent if the host app requires it, and records none itself', async () => {
    const { clock, consents, users, connectUser } = house();
    const integration = anIntegration({ hostApp: aHostApp({ consentRequired: true }) });
    const key = { clientId: integration.hostApp.id, integrationId: integration.id, reference: mia.reference };
    const connect = () => connectUser.execute({ relay: aRelay(clock), integration, user: mia });
    await expect(connect()).rejects.toMatchObject({ code: 'CONSENT_REQUIRED' });
    expect(await users.find(integration.hostApp.id, mia.reference)).toBeUndefined();
    await consents.record({ ...key, granted: true, call: 'save_consent', requestId: 'r', at: 0 });
    await expect(connect()).resolves.toBeDefined();
    expect(await consents.entries(key)).toHaveLength(1);
  });

  it('masks the reference in its trace', async () => {
    const { clock, connectUser } = house();
    const relay = aRelay(clock);
    await connectUser.execute({ relay, integration: anIntegration(), user: mia });
    const about = { id: 'x', requestId: 'req-1', call: 'connect', at: 0, ms: 1 };
    expect(relay.trace.record(about, { status: 200 }).reference).toBe('us****-1');
  });
});

describe('AuthorizeUser', () => {
  const code = (text: string) => new Secret(text);
  const from = { address: '203.0.113.7' };

  it('exchanges the code, reads the user, stores user and tokens, and returns the session', async () => {
    const { clock, users, tokens, hostApp, consents, authorizeUser } = house();
    const integration = anIntegration();
    hostApp.knows('code-1', mia);
    const pair = await authorizeUser.execute({ relay: aRelay(clock), integration, authCode: code('code-1'), ...from });
    expect(pair.token.reveal()).not.toBe('');
    expect(await users.find(integration.hostApp.id, mia.reference)).toEqual(mia);
    expect((await tokens.find({ clientId: integration.hostApp.id, reference: mia.reference }))?.accessToken.reveal()).toBeDefined();
    expect(await consents.isGranted({ clientId: integration.hostApp.id, integrationId: integration.id, reference: mia.reference })).toBe(
      true,
    );
  });

  it('exchanges a code once for many equal calls, and again from another address', async () => {
    const { clock, hostApp, authorizeUser } = house();
    hostApp.knows('code-1', mia);
    const integration = anIntegration();
    const call = (address: string) => authorizeUser.execute({ relay: aRelay(clock), integration, authCode: code('code-1'), address });
    const pairs = await Promise.all(Array.from({ length: 5 }, () => call('203.0.113.7')));
    expect(new Set(pairs.map(({ token }) => token.reveal())).size).toBe(1);
    clock.advance(59_000);
    expect((await call('203.0.113.7')).token.reveal()).toBe(pairs[0]!.token.reveal());
    expect(hostApp.exchanged).toEqual(['code-1']);
    await expect(call('203.0.113.8')).rejects.toMatchObject({ code: 'INVALID_AUTH_CODE' });
    expect(hostApp.exchanged).toEqual(['code-1', 'code-1']);
  });

  it('refuses calls from an address after too many refused codes from it', async () => {
    const { clock, hostApp, authorizeUser } = house(2);
    const integration = anIntegration();
    hostApp.knows('right', mia);
    const call = (text: string, address: string) =>
      authorizeUser.execute({ relay: aRelay(clock), integration, authCode: code(text), address });
    for (const text of ['wrong-1', 'wrong-2']) await expect(call(text, '203.0.113.7')).rejects.toMatchObject({ code: 'INVALID_AUTH_CODE' });
    await expect(call('right', '203.0.113.7')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { rate: { limit: 2 } } });
    expect(hostApp.exchanged).toEqual(['wrong-1', 'wrong-2']);
    await expect(call('right', '203.0.113.8')).resolves.toBeDefined();
  });

  it("refuses another user's reference and stores nothing", async () => {
    const { clock, users, hostApp, authorizeUser } = house();
    hostApp.knows('code-1', mia);
    const integration = anIntegration();
    const command = { relay: aRelay(clock), integration, authCode: code('code-1'), userReference: 'user-omar', ...from };
    await expect(authorizeUser.execute(command)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ path: 'user_reference' }] },
    });
    expect(await users.find(integration.hostApp.id, mia.reference)).toBeUndefined();
  });

  it('refreshes once when the token is not taken, and stores the new tokens', async () => {
    const { clock, tokens, hostApp, authorizeUser } = house();
    hostApp.knows('code-1', mia);
    hostApp.rejectTokens(1);
    const integration = anIntegration();
    await authorizeUser.execute({ relay: aRelay(clock), integration, authCode: code('code-1'), ...from });
    expect(hostApp.refreshes).toBe(1);
    const stored = await tokens.find({ clientId: integration.hostApp.id, reference: mia.reference });
    expect(stored?.accessToken.reveal()).toBe(hostApp.lastAccessToken);
  });

  it('does not refresh a second time', async () => {
    const { clock, hostApp, authorizeUser } = house();
    hostApp.knows('code-1', mia);
    hostApp.rejectTokens(2);
    const attempt = authorizeUser.execute({ relay: aRelay(clock), integration: anIntegration(), authCode: code('code-1'), ...from });
    await expect(attempt).rejects.toMatchObject({ code: 'EXPIRED_ACCESS_TOKEN', details: { side: 'hostapp', step: 'user_data' } });
    expect(hostApp.refreshes).toBe(1);
  });

  it('asks for a new sign-on if there is no refresh token', async () => {
    const { clock, hostApp, authorizeUser } = house();
    hostApp.knows('code-1', mia);
    hostApp.givesNoRefreshToken();
    hostApp.rejectTokens(1);
    const attempt = authorizeUser.execute({ relay: aRelay(clock), integration: anIntegration(), authCode: code('code-1'), ...from });
    await expect(attempt).rejects.toMatchObject({ code: 'EXPIRED_ACCESS_TOKEN', details: { step: 'refresh' } });
    expect(hostApp.refreshes).toBe(0);
  });

  it('tries a failed sign-on again from the start', async () => {
    const { clock, hostApp, miniapp, authorizeUser } = house();
    hostApp.knows('code-1', mia);
    hostApp.knows('code-2', mia);
    miniapp.refuse('PROCESS_FAIL');
    const call = (text: string) =>
      authorizeUser.execute({ relay: aRelay(clock), integration: anIntegration(), authCode: code(text), ...from });
    await expect(call('code-1')).rejects.toMatchObject({ code: 'PROCESS_FAIL' });
    miniapp.recover();
    await expect(call('code-1')).rejects.toMatchObject({ code: 'INVALID_AUTH_CODE' });
    await expect(call('code-2')).resolves.toBeDefined();
  });
});

import { MemoryRefreshRepository } from '../../src/adapters/out/memory/figures/memory-refresh-repository';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExchangeTrace } from 'pierhead/domain/exchanges/exchange';
import type { Integration } from 'pierhead/domain/partners/integrations/integration';
import type { JsonObject } from 'pierhead/domain/shared/json';
import { readJson } from 'pierhead/domain/shared/read-json';
import { Secret } from 'pierhead/domain/shared/secret';
import { SharedTasks } from 'pierhead/domain/shared/tasks/share-task';
import { AuthorizeUser } from 'pierhead/domain/sso/authorize-user';
import { ConnectUser } from 'pierhead/domain/sso/connect-user';
import { SignOnFailures } from 'pierhead/domain/sso/sign-on-failures';
import { MemoryConsentRepository } from 'pierhead/memory/sso/memory-consent-repository';
import { MemorySharedTaskStore } from 'pierhead/memory/sso/memory-shared-task-store';
import { MemoryRateLimiter } from 'pierhead/memory/credentials/memory-rate-limiter';
import { MemoryUserRepository } from 'pierhead/memory/sso/memory-user-repository';
import { MemoryUserTokenStore } from 'pierhead/memory/sso/memory-user-token-store';
import { anIntegration } from '../support/partners/partners';

// Another host for the domain: no express, no inversify, no typeorm; its partners are two functions. Begin: forty lines.
function plainHost(integration: Integration): Server {
  const clock = { now: () => Date.now() };
  let made = 0;
  const ids = { next: () => `id-${String(++made)}` };
  const consents = new MemoryConsentRepository();
  const users = new MemoryUserRepository(consents, new MemoryUserTokenStore({ clock, ids }));
  const store = new MemorySharedTaskStore({ clock, ids });
  const sharedTasks = new SharedTasks({ store, clock, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) });
  const tokens = { accessToken: new Secret('access') };
  const hostApp = {
    exchangeCode: () => Promise.resolve(tokens),
    refresh: () => Promise.resolve(tokens),
    userData: () => Promise.resolve({ reference: 'user-from-code' }),
  };
  const miniapp = {
    authToken: (_relay: unknown, _integration: unknown, user: { reference: string }) =>
      Promise.resolve({ token: new Secret(`session of ${user.reference}`), refreshToken: new Secret('') }),
  };
  const connect = new ConnectUser({ users, consents, miniapp, clock });
  const failures = new SignOnFailures({ limiter: new MemoryRateLimiter({ limits: { sign_on_failures: 60 } }), clock });
  const authorize = new AuthorizeUser({
    users,
    consents,
    hostApp,
    miniapp,
    refreshes: new MemoryRefreshRepository(clock),
    sharedTasks,
    failures,
    clock,
  });

  const server = createServer((req, res) => {
    void (async () => {
      const relay = { requestId: ids.next(), deadline: clock.now() + 10_000, trace: new ExchangeTrace() };
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const body = readJson(Buffer.concat(chunks)) as JsonObject;
      const text = (name: string) => body.get(name) as string;
      const pair =
        req.url === '/connect'
          ? await connect.execute({ relay, integration, user: { reference: text('reference') } })
          : await authorize.execute({ relay, integration, authCode: new Secret(text('auth_code')), address: '' });
      res.end(JSON.stringify({ token: pair.token.reveal() }));
    })();
  });
  return server;
}
// End of the forty lines.

describe('a plain node:http host', () => {
  const server = plainHost(anIntegration());
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const post = async (path: string, body: object): Promise<unknown> => {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`;
    return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
  };

  it('signs users on through connect and authorize with the published package', async () => {
    expect(await post('/connect', { reference: 'mia' })).toEqual({ token: 'session of mia' });
    expect(await post('/authorize', { auth_code: 'c' })).toEqual({ token: 'session of user-from-code' });
  });
});

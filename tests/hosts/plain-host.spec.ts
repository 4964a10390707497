import { MemoryRefreshBook } from '../../src/adapters/out/memory/memory-refresh-book';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExchangeTrace } from 'pierhead/domain/exchanges/exchange';
import type { Integration } from 'pierhead/domain/partners/integration';
import { type JsonObject, readJson } from 'pierhead/domain/shared/json';
import { Secret } from 'pierhead/domain/shared/secret';
import { SharedFlights } from 'pierhead/domain/shared/share-flight';
import { AuthorizeUser } from 'pierhead/domain/sso/authorize-user';
import { ConnectUser } from 'pierhead/domain/sso/connect-user';
import { SignOnFailures } from 'pierhead/domain/sso/sign-on-failures';
import { MemoryConsentLedger } from 'pierhead/memory/memory-consent-ledger';
import { MemoryFlightBoard } from 'pierhead/memory/memory-flight-board';
import { MemoryRateLimiter } from 'pierhead/memory/memory-rate-limiter';
import { MemoryUserRepository } from 'pierhead/memory/memory-user-repository';
import { MemoryUserTokenStore } from 'pierhead/memory/memory-user-token-store';
import { anIntegration } from '../support/partners';

// Another host for the domain: no express, no inversify, no typeorm; its partners are two functions. Begin: forty lines.
function plainHost(integration: Integration): Server {
  const clock = { now: () => Date.now() };
  let made = 0;
  const ids = { next: () => `id-${String(++made)}` };
  const consents = new MemoryConsentLedger();
  const users = new MemoryUserRepository(consents, new MemoryUserTokenStore({ clock, ids }));
  const board = new MemoryFlightBoard({ clock, ids });
  const flights = new SharedFlights({ board, clock, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) });
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
    refreshes: new MemoryRefreshBook(clock),
    flights,
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

  it('signs users on through connect and authorize, out of the published package', async () => {
    expect(await post('/connect', { reference: 'mia' })).toEqual({ token: 'session of mia' });
    expect(await post('/authorize', { auth_code: 'c' })).toEqual({ token: 'session of user-from-code' });
  });
});

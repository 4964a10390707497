import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import type { AccountRole } from '../../../src/domain/accounts/account';
import type { Pair } from '../../support/signatures/a-pair';
import { anAccountOf, headersOf } from '../../support/service/signed-in';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

const user = { reference: 'CANARY-user-77', email: 'canary.77@mail.example', phone: '+4917600000077' };
const perMinute = 30;

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let pair: Pair;
let other: Pair;

beforeAll(async () => {
  service = await startTestService({ env: { RATE_LIMITS: JSON.stringify({ evidence: perMinute }) } });
  [hostApp, miniapp] = [await new StubPayingHostApp().start(), await new StubMiniapp().start()];
  pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url });
  other = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url });
}, 60_000);
afterAll(async () => {
  await service.close();
  await Promise.all([hostApp.stop(), miniapp.stop()]);
});

/** Calls of the manage API by an account of a partner, in a session of a browser. */
async function signedIn(role: AccountRole) {
  const { container } = service.composed;
  const records = { accounts: resolve(container, T.postgresAccounts), sessions: resolve(container, T.postgresSessions) };
  const account = await anAccountOf(records, role);
  const headers = await headersOf(records, account.id, resolve(container, T.settings).publicBaseUrl);
  return (method: string, path: string, body?: unknown): Promise<Reply> =>
    service.call(method, `/manage/v1/${path}`, { headers, ...(body !== undefined && { body }) });
}

const bothSides = async ({ clientId, appId }: Pair) =>
  [await signedIn({ role: 'host-app', clientId }), await signedIn({ role: 'miniapp', appId })] as const;

/** A sign-on that went well, as its exchange. */
async function anExchangeOf({ clientId, appId, basic }: Pair): Promise<string> {
  const requestId = `shared-${String(Math.random()).slice(2)}`;
  const body = { client_id: clientId, app_id: appId, user };
  expect((await service.call('POST', '/api/v1/connect/', { body, headers: { ...basic, 'X-Request-Id': requestId } })).status).toBe(200);
  return (await service.exchanges(requestId))[0]!.id;
}

const opened = (url: string, accept = 'application/json'): Promise<Reply> =>
  service.call('GET', new URL(url).pathname, { headers: { Accept: accept } });

it('can be shared by either side, without secrets or data of the user', async () => {
  const id = await anExchangeOf(pair);
  for (const call of await bothSides(pair)) {
    const { status, body: link } = await call('POST', `exchanges/${id}/evidence`);
    expect([status, link.exchange_id, link.state]).toEqual([201, id, 'open']);
    const [json, page] = [await opened(link.url), await opened(link.url, 'text/html')];
    expect([json.status, page.status]).toEqual([200, 200]);
    const signed = Buffer.from(String(json.body.jws).split('.')[1]!, 'base64url').toString();
    const secrets = [pair.hostSecret, pair.miniSecret, pair.basic.Authorization, ...Object.values(user)];
    for (const text of [json.text, page.text, signed, JSON.stringify(link)]) {
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  }
});

it('is visible to both sides, and revocable by both', async () => {
  const id = await anExchangeOf(pair);
  const [asHost, asMini] = await bothSides(pair);
  const { body: link } = await asHost('POST', `exchanges/${id}/evidence`, { expires_in_s: 60 });
  const { body: list } = await asMini('GET', `evidence?exchange_id=${id}`);
  expect(list.data).toMatchObject([{ id: link.id, state: 'open' }]);
  expect(JSON.stringify(list)).not.toContain(link.url.slice(-43));
  expect((await asMini('DELETE', `evidence/${link.id as string}`)).body).toMatchObject({ state: 'revoked' });
  expect((await opened(link.url)).status).toBe(404);
});

it('is not there for the partners of another integration', async () => {
  const id = await anExchangeOf(pair);
  const [asHost] = await bothSides(pair);
  const { body: link } = await asHost('POST', `exchanges/${id}/evidence`);
  for (const call of await bothSides(other)) {
    expect((await call('POST', `exchanges/${id}/evidence`)).status).toBe(404);
    expect((await call('DELETE', `evidence/${link.id as string}`)).status).toBe(404);
    expect((await call('GET', `evidence?exchange_id=${id}`)).body.data).toEqual([]);
    for (const whose of [`client_id=${pair.clientId}&app_id=${pair.appId}`]) {
      const { status, body } = await call('GET', `evidence?${whose}`);
      expect(status === 404 || body.data.length === 0).toBe(true);
    }
  }
});

it('limits how long a link lasts, and how often one address opens links', async () => {
  const id = await anExchangeOf(pair);
  const [asHost] = await bothSides(pair);
  for (const seconds of [59, 30 * 86_400 + 1]) {
    expect((await asHost('POST', `exchanges/${id}/evidence`, { expires_in_s: seconds })).status).toBe(400);
  }
  const { body: link } = await asHost('POST', `exchanges/${id}/evidence`, { expires_in_s: 30 * 86_400 });
  const answers: Reply[] = [];
  for (let i = 0; i <= perMinute; i++) answers.push(await opened(link.url));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status !== 429 && status !== 200)).toEqual([]);
});

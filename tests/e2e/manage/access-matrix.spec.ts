import type { Router } from 'express';
import { T } from '../../../src/composition/tokens/tokens';
import { accountRules, type AccountRole } from '../../../src/domain/accounts/account';
import { walkManage, type Walked } from '../../support/service/manage-routes';
import { anOutboxEvent } from '../../support/outbox-events';
import { operatorToken, startTestService, until, type TestService } from '../../support/service/service';
import { anAccountOf, headersOf } from '../../support/service/signed-in';
import { describedFetch } from '../../support/described/hold-to-documents';

const own = { clientId: 'host_own', appId: 'app_own' };
const other = { clientId: 'host_other', appId: 'app_other' };

let service: TestService;
let routes: Walked[];
let roles: Record<string, { readonly role: AccountRole['role'] | undefined; readonly headers: () => Promise<Record<string, string>> }>;

beforeAll(async () => {
  service = await startTestService({ env: { SANDBOX: 'on' } });
  const { container } = service.composed;
  routes = walkManage(container.get<Router>(T.manage));
  for (const pair of [own, other]) await seed(pair);
  const records = { accounts: container.get(T.postgresAccounts), sessions: container.get(T.postgresSessions) };
  const signedIn = async (role: AccountRole, at?: number) => {
    const { id } = await anAccountOf(records, role);
    return { role: role.role, headers: () => headersOf(records, id, service.url, at) };
  };
  const disabled = await anAccountOf(records, { role: 'operator' });
  const headersOfDisabled = await headersOf(records, disabled.id, service.url);
  await records.accounts.update(disabled.id, () => ({
    change: { isDisabled: true },
    audit: { actor: 'operator', action: 'x', subject: 'x', requestId: 'x', at: 0 },
  }));
  const expired = await signedIn({ role: 'operator' }, Date.now() - accountRules.sessionMs);
  const idle = await signedIn({ role: 'operator' }, Date.now() - accountRules.idleMs);
  roles = {
    anonymous: { role: undefined, headers: async () => ({}) },
    'expired session': { ...expired, role: undefined },
    'idle session': { ...idle, role: undefined },
    'disabled account': { role: undefined, headers: async () => headersOfDisabled },
    'unknown cookie': { role: undefined, headers: async () => ({ cookie: `pierhead=${'x'.repeat(43)}` }) },
    'operator token': { role: 'operator', headers: async () => ({ authorization: `Bearer ${operatorToken}` }) },
    'operator session': await signedIn({ role: 'operator' }),
    'own host app': await signedIn({ role: 'host-app', clientId: own.clientId }),
    'other host app': await signedIn({ role: 'host-app', clientId: other.clientId }),
    'own miniapp': await signedIn({ role: 'miniapp', appId: own.appId }),
    'other miniapp': await signedIn({ role: 'miniapp', appId: other.appId }),
  };
}, 60_000);
afterAll(() => service.close());

it('finds every route declared', () => {
  expect(routes.length).toBeGreaterThan(45);
  expect(routes.filter(({ audience }) => audience === undefined).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

it('refuses every call without a session, except the sign-in', async () => {
  for (const name of ['anonymous', 'expired session', 'idle session', 'disabled account', 'unknown cookie']) {
    const open = await statuses(name, (status) => status !== 401);
    expect([name, open.map(({ route }) => route)]).toEqual([name, ['post /session']]);
  }
});

it.each(['operator token', 'operator session'])('lets the %s use everything', async (name) => {
  const refused = await statuses(name, (_status, kind) => ['not-allowed', 'unauthenticated', 'cross-site'].includes(kind));
  // What one does with one's own session takes a session.
  expect(refused.map(({ route }) => route).filter((route) => !/ \/sessions?(?:\/|$)/.test(route))).toEqual([]);
});

it.each(['own host app', 'other host app', 'own miniapp', 'other miniapp'])(
  'lets the %s use what its role may, and nothing else',
  async (name) => {
    const { role } = roles[name]!;
    const refused = await statuses(name, (_status, kind) => kind === 'not-allowed');
    const expected = routes.filter(({ audience }) => !audience!.roles.includes(role!)).map(({ method, path }) => `${method} ${path}`);
    const refusedRoutes = refused.map(({ route }) => route);
    expect(refusedRoutes).toEqual(expect.arrayContaining(expected));
    // Beyond that: looking as somebody else, and having a say in what the other side receives.
    expect(refusedRoutes.filter((route) => !expected.includes(route) && !/view-as|deliveries\/:id/.test(route))).toEqual([]);
  },
);

it.each(['other host app', 'other miniapp'])('shows and changes nothing of the one pair to the %s of another', async (name) => {
  const answers = await statuses(name, () => true);
  for (const { route, status, text } of answers) {
    expect([route, text.includes('host_own') || text.includes('app_own') || text.includes('Canary-own')]).toEqual([route, false]);
    if (/:(id|client_id|app_id|queue)/.test(route)) expect([route, status < 400]).toEqual([route, false]);
  }
});

it.each([
  ['own host app', 'miniapps/app_own', { app_id: 'app_own', name: 'Canary-own' }],
  ['own miniapp', 'host-apps/host_own', { client_id: 'host_own', name: 'Canary-own' }],
])('shows the %s of the other side what people see of it', async (name, path, shown) => {
  const answer = await as(name, 'GET', path);
  expect([answer.status, answer.body]).toEqual([200, shown]);
  const listed = await as(name, 'GET', path.split('/')[0]!);
  expect(listed.body).toEqual({ data: [shown], next_cursor: null });
});

it.each([
  ['own host app', 'host-apps/host_own', 'client_id'],
  ['own miniapp', 'miniapps/app_own', 'app_id'],
])('shows the %s all of itself, and what happened to it', async (name, path, id) => {
  expect((await as(name, 'GET', path)).body.credentials.secret_key.current.fingerprint).toMatch(/^sha256:/);
  expect((await as(name, 'GET', path.split('/')[0]!)).body.data).toHaveLength(1);
  for (const list of ['integrations', 'exchanges', 'deliveries']) {
    const { data } = (await as(name, 'GET', list)).body as { data: Record<string, string>[] };
    expect([list, data.length, data.every((row) => `${row['client_id']}/${row['app_id']}` === 'host_own/app_own')]).toEqual([
      list,
      1,
      true,
    ]);
  }
  const audit = (await as(name, 'GET', 'audit')).body as { data: { subject: string }[] };
  expect(new Set(audit.data.map(({ subject }) => subject))).toEqual(new Set([path.replace('s/', ':'), 'integration:host_own/app_own']));
  expect((await as(name, 'GET', `exchanges?${id}=${id === 'client_id' ? 'host_other' : 'app_other'}`)).status).toBe(404);
});

it('lets a partner change itself, and names its account in the audit trail', async () => {
  const changed = await as('own host app', 'PATCH', 'host-apps/host_own', { consent_text: 'Ours' });
  expect([changed.status, changed.body.consent_text]).toEqual([200, 'Ours']);
  const [entry] = (await service.manage('GET', 'audit?subject=host-app:host_own')).body.data as { actor: string }[];
  expect(entry?.actor).toMatch(/^host-app:acc_/);
  expect((await as('own miniapp', 'PATCH', 'host-apps/host_own', { consent_text: 'Mine' })).status).toBe(403);
  expect((await as('other host app', 'PATCH', 'host-apps/host_own', { consent_text: 'Mine' })).status).toBe(404);
  const rotated = await as('own miniapp', 'POST', 'miniapps/app_own/rotate', { credential: 'secret_key' });
  expect([rotated.status, typeof rotated.body.secret_key]).toEqual([200, 'string']);
  service.canary(rotated.body.secret_key as string);
});

it('lets a partner resend what it receives itself, but not what the other side receives', async () => {
  expect((await as('own host app', 'POST', 'deliveries/ev_own/resend')).status).toBe(200);
  expect((await as('own miniapp', 'POST', 'deliveries/ev_own/resend')).status).toBe(403);
  expect((await as('other host app', 'POST', 'deliveries/ev_own/resend')).status).toBe(404);
});

interface RouteAnswer {
  readonly route: string;
  readonly status: number;
  /** The kind of problem; empty for none. */
  readonly kind: string;
  readonly text: string;
}

/** Answers for each role, in the order of the routes. Two tests look at those of one role. */
const walks = new Map<string, Promise<RouteAnswer[]>>();

/** What each route answers to somebody, of those that are looked for. */
async function statuses(name: string, wanted: (status: number, kind: string) => boolean): Promise<RouteAnswer[]> {
  const asked = walks.get(name) ?? walk(name);
  walks.set(name, asked);
  return (await asked).filter(({ status, kind }) => wanted(status, kind));
}

/** Calls each route once. */
async function walk(name: string): Promise<RouteAnswer[]> {
  const found: RouteAnswer[] = [];
  for (const { method, path } of routes) {
    // What the operator may remove for good is not there for it.
    const isOperator = roles[name]!.role === 'operator';
    const filled = isOperator && method === 'delete' ? path.replaceAll(/:\w+/g, 'nobody') : fill(path);
    const body = ['post', 'put', 'patch'].includes(method) ? {} : undefined;
    const answer = await as(name, method.toUpperCase(), filled.slice(1), body);
    const kind = String(answer.body?.type ?? '').replace('urn:pierhead:problem:', '');
    found.push({ route: `${method} ${path}`, status: answer.status, kind, text: answer.text });
  }
  return found;
}

/** A path to what belongs to the one pair. */
const fill = (path: string): string =>
  path
    .replace('/deliveries/:id', '/deliveries/ev_own')
    .replace('/exchanges/:id', '/exchanges/ex_own')
    .replace(':client_id', own.clientId)
    .replace(':app_id', own.appId)
    .replace(':queue', 'hostapp:host_own:event')
    .replaceAll(/:\w+/g, 'nobody');

/** Each call with a session of its own: some of them end it. A stream that does not end is not read. */
async function as(name: string, method: string, path: string, body?: unknown) {
  const headers = { ...(await roles[name]!.headers()), ...(body !== undefined && { 'content-type': 'application/json' }) };
  const stop = new AbortController();
  const sent = { method, headers, redirect: 'manual' as const, signal: stop.signal };
  const url = `${service.url}/manage/v1/${path}`;
  const { status, text } = await describedFetch(url, { ...sent, ...(body !== undefined && { body: JSON.stringify(body) }) });
  stop.abort();
  return { status, text, body: /^[{[]/.test(text) ? JSON.parse(text) : undefined };
}

async function seed({ clientId, appId }: typeof own): Promise<void> {
  const which = clientId.replace('host_', '');
  const name = `Canary-${which}`;
  await service.manage('POST', 'host-apps', { client_id: clientId, name });
  await service.manage('POST', 'miniapps', { app_id: appId, name });
  const integration = await service.manage('PUT', `integrations/${clientId}/${appId}`, { status: 'accepted' });
  const { container } = service.composed;
  const at = Date.now();
  container.get(T.exchangeLog).append({
    ...{ id: `ex_${which}`, requestId: `req-${which}`, call: 'connect', clientId, appId, at, ms: 5, status: 200, checks: [], legs: [] },
  });
  const event = { integrationId: integration.body.id as string, receiver: 'hostapp', queue: `hostapp:${clientId}:event`, at } as const;
  await container.get(T.eventOutbox).add(anOutboxEvent(`ev_${which}`, event));
  await until(
    () => service.manage('GET', `exchanges/ex_${which}`),
    ({ status }) => status === 200,
  );
}

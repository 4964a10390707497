import { accountRules } from '../../../src/domain/accounts/account';
import { testManageApi } from '../../support/service/manage-api';
import { anAccountOf, cookieName, headersOf } from '../../support/service/signed-in';
import { describedFetch } from '../../support/described/hold-to-documents';

const base = 'https://platform.example';
const password = 'a quiet harbour at dawn';

const api = testManageApi();
let records: Parameters<typeof headersOf>[0];
beforeAll(async () => {
  records = api.people;
}, 60_000);
beforeEach(() => api.wipe());

/** A call without the operator token. */
async function call(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = { method, headers: { ...json, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const { text, ...answer } = await describedFetch(`${api.base}/manage/v1/${path}`, sent);
  return { ...answer, body: text === '' ? undefined : JSON.parse(text) };
}

const tokenIn = (url: string): string => new URL(url).hash.slice(1);

async function invited(email = 'mara@example.com') {
  const made = await api.post('accounts', { email, name: 'Mara', role: 'operator' });
  return { id: String(made.body.id), token: tokenIn(String(made.body.link.url)) };
}

it('accepts an invitation once, and the password after that', async () => {
  const { token } = await invited();
  expect((await call('POST', 'session', {}, { token })).body.errors).toEqual([{ path: 'new_password', rule: 'is required' }]);
  expect((await call('POST', 'session', {}, { token, new_password: 'short' })).status).toBe(400);
  const begun = await call('POST', 'session', {}, { token, new_password: password });
  expect([begun.status, begun.body.role]).toEqual([201, 'operator']);
  expect(begun.headers.get('set-cookie')).toMatch(
    /^__Host-pierhead=[\w-]{43}; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect((await call('POST', 'session', {}, { token, new_password: password })).status).toBe(401);
  expect((await call('POST', 'session', {}, { email: ' MARA@example.com', password })).status).toBe(201);
});

it('answers an unknown account like a wrong password, and delays both after five', async () => {
  const { token } = await invited();
  await call('POST', 'session', {}, { token, new_password: password });
  for (const email of ['mara@example.com', 'nobody@example.com']) {
    const tries = [];
    for (let i = 0; i < 6; i++) tries.push(await call('POST', 'session', {}, { email, password: 'wrong' }));
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(tries[0]!.body.detail).toBe('The email or the password is wrong');
    expect(tries[5]!.headers.get('retry-after')).toBe('30');
  }
  expect((await call('POST', 'session', {}, { email: 'mara@example.com', password })).status).toBe(429);
  const link = await api.post('operator-links');
  expect((await call('POST', 'session', {}, { token: tokenIn(String(link.body.url)) })).status).toBe(201);
  await api.passDelays(30_000);
  expect((await call('POST', 'session', {}, { email: 'mara@example.com', password })).status).toBe(201);
});

it('takes changes by a cookie from its own pages alone', async () => {
  const { id } = await anAccountOf(records, { role: 'operator' });
  const headers = await headersOf(records, id, base, api.clock.now());
  const { cookie = '', origin = '', 'x-csrf-token': csrf = '' } = headers;
  expect(cookie).toMatch(new RegExp(`^${cookieName(base)}=`));
  const change = (given: Record<string, string>) => call('POST', 'host-apps', given, { name: 'x' });
  const hostile: Record<string, string>[] = [
    { cookie },
    { cookie, origin },
    { cookie, 'x-csrf-token': csrf },
    { cookie, origin, 'x-csrf-token': `${csrf.slice(0, -1)}_` },
    { cookie, origin: 'https://evil.example', 'x-csrf-token': csrf },
    { cookie, origin: 'null', 'x-csrf-token': csrf },
    { cookie, origin, 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' },
    { cookie, origin, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-site' },
  ];
  for (const given of hostile) expect([given, (await change(given)).status]).toEqual([given, 403]);
  expect((await change(headers)).status).toBe(201);
  expect((await call('GET', 'host-apps', { cookie, 'x-http-method-override': 'POST' })).status).toBe(200);
  expect((await call('POST', 'session', { origin: 'https://evil.example' }, { email: 'a@b.example', password })).status).toBe(403);
  expect((await call('GET', 'host-apps', { cookie: `${cookie}; ${cookie}` })).status).toBe(401);
});

it('lets the operator look as a partner, and change nothing meanwhile', async () => {
  await api.post('host-apps', { client_id: 'host_1', name: 'One' });
  await api.post('host-apps', { client_id: 'host_2', name: 'Two' });
  const { id } = await anAccountOf(records, { role: 'operator' });
  const headers = await headersOf(records, id, base, api.clock.now());
  const viewing = await call('PUT', 'session/view-as', headers, { role: 'host-app', client_id: 'host_1' });
  expect(viewing.body).toMatchObject({ role: 'host-app', app: 'host_1', view_as: { role: 'host-app', app: 'host_1' } });
  expect((await call('GET', 'host-apps', headers)).body.data).toHaveLength(1);
  expect((await call('GET', 'accounts', headers)).status).toBe(403);
  expect((await call('PATCH', 'host-apps/host_1', headers, { name: 'x' })).status).toBe(403);
  expect((await call('DELETE', 'session/view-as', headers)).body.role).toBe('operator');
  expect((await call('PATCH', 'host-apps/host_1', headers, { name: 'x' })).status).toBe(200);
});

it('ends the live updates of a session when the session ends', async () => {
  const { id } = await anAccountOf(records, { role: 'operator' });
  const listening = async () => {
    const headers = await headersOf(records, id, base, api.clock.now());
    const response = await fetch(`${api.base}/manage/v1/live`, { headers });
    expect(response.status).toBe(200);
    return { headers, received: response.text() };
  };
  const [one, two] = [await listening(), await listening()];
  await call('DELETE', 'session', one.headers);
  await api.deps.eventStreamHub.poll();
  const stream = ': listening\n\nevent: session-over\ndata: {}\n\n';
  expect(await one.received).toBe(stream);
  await api.patch(`accounts/${id}`, { disabled: true });
  await api.deps.eventStreamHub.poll();
  expect(await two.received).toBe(stream);
  await api.patch(`accounts/${id}`, { disabled: false });
  const three = await listening();
  api.clock.advance(accountRules.idleMs);
  await api.deps.eventStreamHub.poll();
  expect(await three.received).toBe(stream);
});

it('ends when nobody uses it: live updates and background calls do not count', async () => {
  const { id } = await anAccountOf(records, { role: 'operator' });
  const begin = () => headersOf(records, id, base, api.clock.now());
  const callWith = async (headers: Record<string, string>, path = 'session') => {
    const stop = new AbortController();
    const { status } = await fetch(`${api.base}/manage/v1/${path}`, { headers, signal: stop.signal });
    stop.abort();
    return status;
  };
  const [used, left] = [await begin(), await begin()];
  api.clock.advance(accountRules.idleMs - 60_000);
  const alone = { ...left, 'x-unattended': '1' };
  expect([await callWith(used), await callWith(alone), await callWith(left, 'live'), await callWith(left, 'live/')]).toEqual([
    200, 200, 200, 200,
  ]);
  api.clock.advance(60_000);
  expect([await callWith(used), await callWith(left)]).toEqual([200, 401]);
});

it('ends sessions one by one, by sign-out, by a new password or by disabling the account', async () => {
  const { id } = await anAccountOf(records, { role: 'operator' });
  const begin = () => headersOf(records, id, base, api.clock.now());
  const alive = async (headers: Record<string, string>) => (await call('GET', 'session', headers)).status === 200;
  const [one, two, three] = [await begin(), await begin(), await begin()];
  const listed = (await call('GET', 'sessions', one)).body.data as { id: string; current: boolean }[];
  expect(listed.filter(({ current }) => current)).toHaveLength(1);
  expect((await call('DELETE', 'session', two)).status).toBe(204);
  expect([await alive(one), await alive(two), await alive(three)]).toEqual([true, false, true]);
  expect((await call('POST', 'session/password', one, { new_password: password })).status).toBe(201);
  expect([await alive(one), await alive(three)]).toEqual([false, false]);
  const [four, five] = [await begin(), await begin()];
  const others = (await call('GET', 'sessions', four)).body.data as typeof listed;
  const ended = await Promise.all(others.filter(({ current }) => !current).map((other) => call('DELETE', `sessions/${other.id}`, four)));
  expect(ended.map(({ status }) => status)).toContain(204);
  expect([await alive(four), await alive(five)]).toEqual([true, false]);
  expect((await api.patch(`accounts/${id}`, { disabled: true })).status).toBe(200);
  expect(await alive(four)).toBe(false);
});

it('reads an account, makes its owner a new link, and removes it', async () => {
  const { id } = await invited();
  expect((await api.get(`accounts/${id}`)).body).toMatchObject({ id, email: 'mara@example.com', has_password: false });
  const made = await api.post(`accounts/${id}/link`);
  expect([made.status, made.body.purpose]).toEqual([201, 'invite']);
  expect((await api.delete(`accounts/${id}`)).status).toBe(204);
  expect((await api.get(`accounts/${id}`)).status).toBe(404);
  expect((await call('POST', 'session', {}, { token: tokenIn(String(made.body.url)), new_password: password })).status).toBe(401);
});

import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';
import { anAccountOf, headersOf } from '../../support/service/signed-in';
import { describedFetch } from '../../support/described/hold-to-documents';

type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<ManageAnswer>;

const api = testManageApi();
let host: Caller;
let mini: Caller;
let stranger: Caller;
beforeEach(async () => {
  await api.wipe();
  api.clock.advance(60_000);
  await api.post('host-apps', { client_id: 'h1', name: 'Harbour', features: { sso: true }, access_token_url: 'https://a.example/t' });
  await api.post('host-apps', { client_id: 'h2', name: 'Other' });
  await api.post('miniapps', { app_id: 'm1', name: 'Ferries', features: { sso: true }, get_auth_token_url: 'https://b.example/t' });
  await api.post('miniapps', { app_id: 'shy', name: 'Shy', takes_proposals: false });
  host = await signedIn({ role: 'host-app', clientId: 'h1' });
  mini = await signedIn({ role: 'miniapp', appId: 'm1' });
  stranger = await signedIn({ role: 'host-app', clientId: 'h2' });
});

/** Somebody with an account of the role; a session of its own for each. */
async function signedIn(role: Parameters<typeof anAccountOf>[1]): Promise<Caller> {
  const { accounts, sessions } = api.people;
  const { id } = await anAccountOf({ accounts, sessions }, role);
  const cookie = await headersOf({ accounts, sessions }, id, 'https://platform.example', api.clock.now());
  return async (method, path, body, headers = {}) => {
    const sent = { ...cookie, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await describedFetch(`${api.base}/manage/v1/${path}`, {
      ...{ method, headers: sent },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { ...answer, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
  };
}

const path = 'integrations/h1/m1';
const causeOf = ({ body }: ManageAnswer) => (body.errors as { cause?: string }[] | undefined)?.[0]?.cause;

it('goes from a proposal over an acceptance into test, visible to both sides', async () => {
  const made = await host('PUT', `${path}/proposal`, { features: { sso: true }, note: 'Ferries for our riders' });
  const proposal = { by: 'host-app', note: 'Ferries for our riders', at: new Date(api.clock.now()).toISOString() };
  expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
  expect(made.body).toMatchObject({ client_id: 'h1', app_id: 'm1', status: 'proposed', features: { sso: true }, proposal });
  for (const caller of [host, mini]) {
    expect((await caller('GET', path)).body).toEqual(made.body);
    const { warnings: _alone, ...listed } = made.body;
    expect((await caller('GET', 'integrations')).body.data).toEqual([listed]);
  }
  expect((await stranger('GET', 'integrations')).body.data).toEqual([]);
  expect((await host('PUT', `${path}/proposal`, { features: { sso: true }, note: 'Ferries for our riders' })).status).toBe(200);

  const accepted = await mini('POST', `${path}/proposal/accept`, undefined, { 'if-match': '"1"' });
  expect([accepted.status, accepted.body.status, accepted.body.proposal]).toEqual([200, 'accepted', undefined]);
  expect((await mini('POST', `${path}/proposal/accept`, undefined, { 'if-match': '"1"' })).body).toEqual(accepted.body);
  expect((await host('GET', `${path}/readiness`)).body).toMatchObject({ status: 'accepted', mode: 'test' });
  const trail = (await mini('GET', `audit?subject=integration:h1/m1`)).body.data as { action: string; actor: string }[];
  expect(trail.map(({ action, actor }) => [action, actor.split(':')[0]])).toEqual([
    ['integration.accepted', 'miniapp'],
    ['integration.proposed', 'host-app'],
  ]);
});

it('is declined, and then rests; withdrawn, and is gone', async () => {
  await mini('PUT', `${path}/proposal`, {});
  const declined = await host('POST', `${path}/proposal/decline`);
  expect(declined.body).toMatchObject({ status: 'proposed', proposal: { by: 'miniapp', declined_at: expect.any(String) as string } });
  expect((await host('POST', `${path}/proposal/decline`)).body).toEqual(declined.body);
  for (const late of [await mini('PUT', `${path}/proposal`, { note: 'Again' }), await mini('DELETE', `${path}/proposal`)])
    expect([late.status, causeOf(late)]).toEqual([409, 'declined']);
  expect((await api.delete(`${path}/proposal`)).status).toBe(204);
  await mini('PUT', `${path}/proposal`, {});
  expect((await mini('DELETE', `${path}/proposal`)).status).toBe(204);
  for (const caller of [host, mini]) expect((await caller('GET', path)).status).toBe(404);
});

it('hides whether a partner exists that takes no proposals', async () => {
  const before = await api.kept();
  const answers = [await host('PUT', 'integrations/h1/shy/proposal', {}), await host('PUT', 'integrations/h1/none/proposal', {})];
  const shown = answers.map(({ status, body: { request_id: _id, ...body } }) => ({ status, body: body as object }));
  expect(shown[0]).toMatchObject({ status: 404, body: { detail: 'No miniapp with this app_id takes proposals' } });
  expect(shown[1]).toEqual(shown[0]);
  for (const action of ['accept', 'decline']) {
    const [one, other] = [
      await host('POST', `integrations/h1/shy/proposal/${action}`),
      await host('POST', `integrations/h1/none/proposal/${action}`),
    ];
    expect([one.status, one.body.detail]).toEqual([404, other.body.detail]);
  }
  expect(await api.kept()).toBe(before);
});

it("hides the other side's record from the proposer until the proposal is accepted", async () => {
  await host('PUT', `${path}/proposal`, {});
  expect((await host('GET', 'miniapps')).body.data).toEqual([]);
  expect((await host('GET', 'miniapps/m1')).status).toBe(404);
  expect((await mini('GET', 'host-apps')).body.data).toEqual([{ client_id: 'h1', name: 'Harbour' }]);
  for (const caller of [host, mini]) {
    const checked = await caller('POST', `${path}/readiness/check`);
    expect(checked.body).toMatchObject({ percent: 0, to_do: 1, items: [{ id: 'accepted', state: 'missing' }] });
    expect((await caller('GET', 'integrations/readiness')).body.data).toMatchObject([{ percent: 0, next: { id: 'accepted' } }]);
  }
  expect(await api.deps.probes.list([{ clientId: 'h1', appId: 'm1' }])).toEqual([]);
  await mini('POST', `${path}/proposal/accept`);
  expect((await host('GET', 'miniapps')).body.data).toEqual([{ app_id: 'm1', name: 'Ferries' }]);
});

it('pages over those that it is not shown', async () => {
  for (const n of [2, 3, 4, 5]) await api.post('miniapps', { app_id: `m${String(n)}`, name: `Mini ${String(n)}` });
  for (const id of ['m1', 'm2', 'm4']) await host('PUT', `integrations/h1/${id}/proposal`, {});
  for (const id of ['m3', 'm5']) await api.put(`integrations/h1/${id}`, { status: 'accepted' });
  const first = (await host('GET', 'miniapps?limit=1')).body;
  expect(first).toMatchObject({ data: [{ app_id: 'm3' }], next_cursor: 'm3' });
  expect((await host('GET', 'miniapps?limit=1&cursor=m3')).body).toMatchObject({ data: [{ app_id: 'm5' }], next_cursor: null });
});

it('takes each side for what it is', async () => {
  await host('PUT', `${path}/proposal`, {});
  for (const [caller, method, action] of [
    [host, 'POST', '/accept'],
    [host, 'POST', '/decline'],
    [mini, 'DELETE', ''],
  ] as const) {
    const answer = await caller(method, `${path}/proposal${action}`);
    expect([answer.status, answer.body.type]).toEqual([403, 'urn:pierhead:problem:not-allowed']);
  }
  const back = await mini('PUT', `${path}/proposal`, {});
  expect([back.status, causeOf(back)]).toEqual([409, 'proposed-by-other-side']);
  for (const [method, action] of [
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/accept'],
    ['POST', '/decline'],
  ] as const) {
    expect((await stranger(method, `${path}/proposal${action}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
  }
});

it('is proposed by the operator for either side, and decided by it', async () => {
  const unnamed = await api.put(`${path}/proposal`, {});
  expect([unnamed.status, unnamed.body.errors]).toEqual([400, [{ path: 'by', rule: 'is required of the operator' }]]);
  expect((await host('PUT', `${path}/proposal`, { by: 'miniapp' })).status).toBe(400);
  expect((await api.put(`${path}/proposal`, { by: 'miniapp' })).body).toMatchObject({ proposal: { by: 'miniapp' } });
  const shown = (await api.get(path)).body as object;
  const changed = await api.put(path, { ...shown, merchant_id: 'shop' });
  expect(changed.body).toMatchObject({ version: 2, merchant_id: 'shop', proposal: { by: 'miniapp' } });
  expect((await api.post(`${path}/proposal/accept`)).body).toMatchObject({ status: 'accepted', merchant_id: 'shop' });
  const late = await api.post(`${path}/proposal/decline`);
  expect([late.status, causeOf(late)]).toEqual([409, 'integrated']);
});

it.each([
  [{ note: 5 }, 'note'],
  [{ note: '' }, 'note'],
  [{ note: 'x'.repeat(501) }, 'note'],
  [{ features: 'all' }, 'features'],
  [{ features: { sso: 'on' } }, 'features.sso'],
  [{ by: 'operator' }, 'by'],
  [{ status: 'accepted' }, 'status'],
  [{ merchant_id: 'mine' }, 'merchant_id'],
])('refuses to propose %j', async (body, wrong) => {
  const before = await api.kept();
  const answer = await host('PUT', `${path}/proposal`, body);
  expect([answer.status, (answer.body.errors as { path: string }[]).map((error) => error.path)]).toEqual([400, [wrong]]);
  expect(await api.kept()).toBe(before);
});

it('ends one way where both sides and the operator act at once', async () => {
  for (let round = 0; round < 5; round++) {
    await host('PUT', `${path}/proposal`, {});
    const acts = [
      mini('POST', `${path}/proposal/accept`),
      mini('POST', `${path}/proposal/decline`),
      host('DELETE', `${path}/proposal`),
      api.post(`${path}/proposal/accept`),
    ];
    const statuses = (await Promise.all(acts)).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
    const actions = (await api.auditRows()).filter(({ subject }) => subject === 'integration:h1/m1').map(({ action }) => action);
    const last = actions.slice(actions.lastIndexOf('integration.proposed') + 1);
    const { status: found, body } = await api.get(path);
    // Declined may come first: it can still be accepted. What ends it happens once, and the record says the same.
    const [ending, ...more] = last.filter((action) => action !== 'integration.declined');
    const expected = { 'integration.accepted': 'accepted', 'integration.withdrawn': 'none' }[ending ?? ''] ?? 'proposed';
    expect([more, found === 404 ? 'none' : (body.status as string)]).toEqual([[], expected]);
    await api.delete(path);
  }
});

it('shows its switch to its own partner alone', async () => {
  const own = await host('PATCH', 'host-apps/h1', { takes_proposals: false });
  expect([own.status, own.body.takes_proposals]).toEqual([200, false]);
  expect((await mini('PUT', `${path}/proposal`, {})).status).toBe(404);
  expect((await mini('GET', 'miniapps/m1')).body.takes_proposals).toBe(true);
});

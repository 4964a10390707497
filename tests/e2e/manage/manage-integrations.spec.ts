import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';

const api = testManageApi();
beforeEach(async () => {
  await api.wipe();
  for (const id of ['h1', 'h2']) await api.post('host-apps', { name: id, client_id: id });
  for (const id of ['m1', 'm2']) await api.post('miniapps', { name: id, app_id: id });
});

const errorsOf = (answer: ManageAnswer) => answer.body.errors as { path: string; rule: string }[];
const whole = {
  status: 'accepted',
  features: { sso: true, payments: false },
  merchant_id: 'shop 1',
  event_delivery: 'durable',
  host_app_events_checked_by: 'both',
  reconcile: false,
  listed: false,
};
const defaults = {
  status: 'proposed',
  features: {},
  event_delivery: 'relay',
  host_app_events_checked_by: 'miniapp',
  reconcile: true,
  listed: true,
};

it('is made by the first PUT and replaced by the next', async () => {
  const made = await api.put('integrations/h1/m1', whole);
  expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
  expect(made.body).toEqual({ client_id: 'h1', app_id: 'm1', id: expect.any(String) as string, version: 1, ...whole, warnings: [] });
  expect((await api.get('integrations/h1/m1')).body).toEqual(made.body);
  const replaced = await api.put('integrations/h1/m1', {});
  expect([replaced.status, replaced.body]).toEqual([
    200,
    { client_id: 'h1', app_id: 'm1', id: made.body.id, version: 2, ...defaults, warnings: [] },
  ]);
});

it('accepts its own view, and writes nothing if nothing changes', async () => {
  const made = await api.put('integrations/h1/m1', whole);
  const before = await api.kept();
  expect((await api.put('integrations/h1/m1', made.body)).body).toEqual(made.body);
  expect((await api.put('integrations/h1/m1', whole)).status).toBe(200);
  expect(await api.kept()).toBe(before);
  const nulls = Object.fromEntries(Object.keys(whole).map((name) => [name, null]));
  expect((await api.put('integrations/h1/m2', nulls)).body).toMatchObject(defaults);
});

it.each<readonly [object, string]>([
  ...[5, true, [], {}, '', 'Accepted', 'removed'].map((status) => [{ status }, 'status'] as const),
  ...['x', 1, true, [], [{}]].map((features) => [{ features }, 'features'] as const),
  ...['true', 1, []].map((sso) => [{ features: { sso } }, 'features.sso'] as const),
  [{ features: { chat: true } }, 'features.chat'],
  ...[5, [], {}, '', ' a', 'a\n', 'ä', 'x'.repeat(65)].map((merchant_id) => [{ merchant_id }, 'merchant_id'] as const),
  ...[5, '', 'both'].map((event_delivery) => [{ event_delivery }, 'event_delivery'] as const),
  ...['true', 0].map((flag) => [{ check_sender_credentials: flag }, 'check_sender_credentials'] as const),
  ...['hostapp', true, 1].map((by) => [{ host_app_events_checked_by: by }, 'host_app_events_checked_by'] as const),
  [{ check_sender_credentials: true, host_app_events_checked_by: 'both' }, 'check_sender_credentials'],
  ...['true', 0].map((flag) => [{ reconcile: flag }, 'reconcile'] as const),
  ...['h2', 5, null, [], {}, ''].map((client_id) => [{ client_id }, 'client_id'] as const),
  ...['m2', 5, null, [], {}, ''].map((app_id) => [{ app_id }, 'app_id'] as const),
  [{ stats: 1 }, 'stats'],
  [{ stats: null }, 'stats'],
])('refuses %j', async (body, path) => {
  const before = await api.kept();
  const answer = await api.put('integrations/h1/m1', body);
  expect([answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([400, [path]]);
  expect(await api.kept()).toBe(before);
});

it('needs both partners', async () => {
  const before = await api.kept();
  for (const path of ['integrations/none/m1', 'integrations/h1/none', 'integrations/m1/h1', 'integrations/null/undefined']) {
    const answer = await api.put(path, {});
    expect([answer.status, answer.body.type]).toEqual([404, 'urn:pierhead:problem:not-found']);
  }
  expect(await api.kept()).toBe(before);
});

it('honours If-Match', async () => {
  const put = (tag: string, status: string) => api.put('integrations/h1/m1', { status }, { headers: { 'if-match': tag } });
  expect((await put('*', 'accepted')).status).toBe(412);
  expect((await put('"1"', 'accepted')).status).toBe(412);
  await api.put('integrations/h1/m1', {});
  expect((await put('"1"', 'accepted')).status).toBe(200);
  const before = await api.kept();
  expect((await put('"1"', 'suspended')).status).toBe(412);
  expect(await api.kept()).toBe(before);
});

it('honours If-None-Match: *, so that a create does not overwrite an existing one', async () => {
  const onlyNew = { headers: { 'if-none-match': '*' } };
  expect((await api.put('integrations/h1/m1', whole, onlyNew)).status).toBe(201);
  const before = await api.kept();
  const again = await api.put('integrations/h1/m1', {}, onlyNew);
  expect([again.status, again.headers.get('etag')]).toEqual([412, '"1"']);
  expect((await api.put('integrations/h1/m2', {}, { headers: { 'if-none-match': '"1"' } })).status).toBe(400);
  expect(await api.kept()).toBe(before);
});

it('is listed by partner and in pages', async () => {
  for (const pair of ['h1/m1', 'h1/m2', 'h2/m1', 'h2/m2']) await api.put(`integrations/${pair}`, {});
  const pairs = ({ body }: ManageAnswer) =>
    (body.data as { client_id: string; app_id: string }[]).map((row) => `${row.client_id}/${row.app_id}`);
  const first = await api.get('integrations?limit=3');
  expect([pairs(first), first.body.next_cursor]).toEqual([['h1/m1', 'h1/m2', 'h2/m1'], 'h2/m1']);
  const rest = await api.get('integrations?cursor=h2/m1');
  expect([pairs(rest), rest.body.next_cursor]).toEqual([['h2/m2'], null]);
  expect(pairs(await api.get('integrations?client_id=h1'))).toEqual(['h1/m1', 'h1/m2']);
  expect(pairs(await api.get('integrations?app_id=m2'))).toEqual(['h1/m2', 'h2/m2']);
  expect(pairs(await api.get('integrations?app_id=m2&client_id=h2'))).toEqual(['h2/m2']);
  expect(pairs(await api.get('integrations?client_id=none'))).toEqual([]);
  for (const query of ['client_id=', 'client_id=a&client_id=b', 'status=accepted'])
    expect((await api.get(`integrations?${query}`)).status).toBe(400);
});

it('is removed once', async () => {
  await api.put('integrations/h1/m1', {});
  expect((await api.delete('integrations/h1/m1')).status).toBe(204);
  for (const answer of [await api.delete('integrations/h1/m1'), await api.get('integrations/h1/m1')]) {
    expect([answer.status, answer.body.type]).toEqual([404, 'urn:pierhead:problem:not-found']);
  }
});

it('leaves one audit row for each change', async () => {
  const { warnings: _first, ...first } = (await api.put('integrations/h1/m1', {})).body;
  const { warnings: _second, ...second } = (await api.put('integrations/h1/m1', whole)).body;
  await api.delete('integrations/h1/m1');
  const common = { actor: 'operator', subject: 'integration:h1/m1', request_id: expect.any(String) as string };
  expect((await api.auditRows()).filter(({ subject }) => subject.startsWith('integration'))).toEqual([
    { ...common, action: 'integration.created', before: null, after: first },
    { ...common, action: 'integration.changed', before: first, after: second },
    { ...common, action: 'integration.removed', before: second, after: null },
  ]);
});

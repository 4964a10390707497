import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let miniapp: StubMiniapp;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService();
  miniapp = await new StubMiniapp().start();
  pair = await aPair(service, { miniappUrl: miniapp.url });
});
afterAll(async () => {
  await service.close();
  await miniapp.stop();
});

const ids = () => ({ client_id: pair.clientId, app_id: pair.appId });
const signOn = async (reference: string) => {
  const body = { ...ids(), user_data: { reference, email: 'someone@example.com', first_name: 'Ann' } };
  const reply = await service.call('POST', '/api/v1/connect/', { body, headers: pair.basic });
  expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
};
const list = async (query = '') => (await service.manage('GET', `users?client_id=${pair.clientId}${query}`)).body;
const giveTokens = (id: string) =>
  service.database.db.query(
    `insert into user_tokens (client_id, reference_digest, access_token, version, updated_at) values ($1, $2, '\\x00', 1, now())`,
    [pair.clientId, Buffer.from(id, 'hex')],
  );
const actions = async () => {
  const { data } = (await service.manage('GET', 'audit')).body;
  return data.filter(({ subject }: { subject: string }) => subject.startsWith('user:')).map(({ action }: { action: string }) => action);
};

it('lists masked users in pages, by integration and by reference', async () => {
  const references = ['user-aaaa-0001', 'user-bbbb-0002', 'user-cccc-0003'];
  for (const reference of references) await signOn(reference);
  const all = await list();
  expect(all.data).toHaveLength(3);
  expect(all.data[0]).toMatchObject({ client_id: pair.clientId, consents: [{ app_id: pair.appId, granted: true }] });
  expect(JSON.stringify(all)).not.toMatch(/user-[abc]{4}|someone|Ann/);
  for (const query of ['', `&app_id=${pair.appId}`]) {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`${query}&limit=2${cursor}`);
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${String(page.next_cursor)}`;
    }
    expect(seen.sort()).toEqual(all.data.map(({ id }: { id: string }) => id).sort());
  }
  const found = await list('&reference=user-bbbb-0002');
  expect(found.data).toEqual([expect.objectContaining({ reference: 'us****02' })]);
  expect((await service.manage('GET', 'users?reference=user-bbbb-0002')).body.data).toEqual(found.data);
  expect((await list('&reference=nobody-at-all')).data).toEqual([]);
});

it('shows all stored data of one user on request, and audits that', async () => {
  await signOn('user-dddd-0004');
  const [{ id }] = (await list('&reference=user-dddd-0004')).data;
  const exported = await service.manage('POST', 'users/export', { client_id: pair.clientId, user_id: id });
  expect(exported.body).toMatchObject({
    ...{ client_id: pair.clientId, reference: 'user-dddd-0004', user_data: { email: 'someone@example.com', first_name: 'Ann' } },
    ...{
      tokens: { stored: false },
      consent_entries: [{ app_id: pair.appId, granted: true, call: 'connect' }],
      payments: [],
      is_cut: false,
    },
  });
  expect((await actions())[0]).toBe('user.exported');
  const nobody = await service.manage('POST', 'users/export', { client_id: pair.clientId, reference: 'nobody' });
  expect(nobody.status).toBe(404);
  expect((await service.manage('POST', 'users/export', { client_id: pair.clientId })).status).toBe(400);
});

it('forgets the tokens of a user, or the user', async () => {
  await signOn('user-eeee-0005');
  const [{ id }] = (await list('&reference=user-eeee-0005')).data;
  await giveTokens(id);
  expect((await list('&reference=user-eeee-0005')).data[0].tokens).toMatchObject({ refreshable: false });
  const user = { client_id: pair.clientId, user_id: id };
  expect((await service.manage('POST', 'users/revoke-tokens', user)).body).toEqual({ revoked: true });
  expect((await service.manage('POST', 'users/revoke-tokens', user)).status).toBe(404);
  expect((await list('&reference=user-eeee-0005')).data[0].tokens).toBeUndefined();
  expect((await service.manage('POST', 'users/erase', user)).body.removed).toMatchObject({ users: 1 });
  expect((await list('&reference=user-eeee-0005')).data).toEqual([]);
  expect((await service.manage('POST', 'users/erase', user)).status).toBe(404);
  expect(await actions()).toEqual(expect.arrayContaining(['user.erased', 'user.tokens-revoked']));
});

import { checkedByMiniapp } from '../../../src/domain/partners/event-checks';
import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';
import { anAccountOf, headersOf } from '../../support/service/signed-in';

const api = testManageApi();

const path = 'integrations/h1/m1';
const features = { events: true };
const secret = 'a-secret-of-forty-characters-for-signing';
const hmac = { enabled: true, algorithm: 'HMAC', api_client_id: 'c', hmac_secret: secret };
beforeEach(async () => {
  await api.wipe();
  await api.post('host-apps', { client_id: 'h1', name: 'Harbour', features });
  await api.post('miniapps', { app_id: 'm1', name: 'Ferries', features, signature: hmac });
  await api.post('miniapps', { app_id: 'm2', name: 'Other' });
  await api.put(path, { status: 'accepted', features });
});

async function patchAs(role: Parameters<typeof anAccountOf>[1], body: object): Promise<{ status: number; body: ManageAnswer['body'] }> {
  const { accounts, sessions } = api.people;
  const { id } = await anAccountOf({ accounts, sessions }, role);
  const cookie = await headersOf({ accounts, sessions }, id, 'https://platform.example', api.clock.now());
  const headers = { ...cookie, 'content-type': 'application/json' };
  const answer = await fetch(`${api.base}/manage/v1/${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as ManageAnswer['body'] };
}
const miniapp = { role: 'miniapp', appId: 'm1' } as const;
const causes = ({ body }: Pick<ManageAnswer, 'body'>) => (body.warnings as { cause: string }[]).map(({ cause }) => cause);

describe('who checks the events of a host app', () => {
  it('is chosen by the operator, in a patch that leaves the rest as it is', async () => {
    const before = (await api.get(path)).body;
    const changed = await api.patch(path, { host_app_events_checked_by: 'host_app' });
    expect([changed.status, changed.body]).toEqual([200, { ...before, version: 2, host_app_events_checked_by: 'host_app', warnings: [] }]);
    expect((await api.auditRows()).at(-1)).toMatchObject({
      action: 'integration.changed',
      after: { host_app_events_checked_by: 'host_app' },
    });
    const kept = await api.kept();
    expect((await api.patch(path, changed.body)).status).toBe(200);
    expect(await api.kept()).toBe(kept);
  });

  it("is chosen by the miniapp's owner, who changes nothing else", async () => {
    expect(await patchAs(miniapp, { host_app_events_checked_by: 'both' })).toMatchObject({
      status: 200,
      body: { host_app_events_checked_by: 'both' },
    });
    const before = (await api.get(path)).body;
    for (const body of [{ status: 'suspended' }, { features: { sso: true } }, { merchant_id: 'm' }, { reconcile: false }])
      expect((await patchAs(miniapp, body)).status).toBe(403);
    expect((await patchAs({ role: 'miniapp', appId: 'm2' }, { host_app_events_checked_by: 'both' })).status).toBe(404);
    expect((await patchAs({ role: 'host-app', clientId: 'h1' }, { host_app_events_checked_by: 'miniapp' })).status).toBe(403);
    expect((await api.get(path)).body).toEqual(before);
  });

  it('honours If-Match and refuses an unknown choice', async () => {
    const stale = await api.patch(path, { host_app_events_checked_by: 'both' }, { headers: { 'if-match': '"7"' } });
    expect(stale.status).toBe(412);
    expect((await api.patch(path, { host_app_events_checked_by: 'hostapp' })).status).toBe(400);
    expect((await api.patch('integrations/h1/none', {})).status).toBe(404);
  });

  it('is still taken under its old name, with a warning', async () => {
    for (const [old, stored] of [
      [true, 'both'],
      [false, 'miniapp'],
    ] as const) {
      const answer = await api.put(path, { status: 'accepted', check_sender_credentials: old });
      expect(answer.body).toMatchObject({
        host_app_events_checked_by: stored,
        warnings: [{ path: 'check_sender_credentials', cause: 'replaced' }],
      });
      expect(answer.body).not.toHaveProperty('check_sender_credentials');
    }
  });

  it('is refused with both where the two would share a header', async () => {
    await api.patch('host-apps/h1', { signature: hmac });
    const kept = await api.kept();
    for (const answer of [
      await api.patch(path, { host_app_events_checked_by: 'both' }),
      await api.put(path, { status: 'accepted', features, host_app_events_checked_by: 'both' }),
    ]) {
      const [error] = answer.body.errors;
      expect([answer.status, error.path, error.cause]).toEqual([400, 'host_app_events_checked_by', 'shared-header-names']);
      expect(error.rule).toContain('x-signature');
    }
    expect(await api.kept()).toBe(kept);
  });
});

describe('events that the miniapp checks', () => {
  it('warn in every answer that stores settings, and readiness says the same', async () => {
    const put = await api.put(path, { status: 'accepted', features });
    expect(put.body.warnings).toEqual([{ path: 'host_app_events_checked_by', cause: 'checked-by-miniapp', message: checkedByMiniapp }]);
    expect(causes(await api.get(path))).toEqual(['checked-by-miniapp']);
    expect(causes(await api.patch(path, {}))).toEqual(['checked-by-miniapp']);
    expect(await item()).toMatchObject({ state: 'done', detail: checkedByMiniapp });
    expect(causes(await api.patch(path, { host_app_events_checked_by: 'host_app' }))).toEqual([]);
    expect(await item()).toMatchObject({ state: 'done' });
  });

  it('can never pass if the miniapp signs with a key pair: readiness fails', async () => {
    await api.patch('miniapps/m1', { signature: { algorithm: 'ECDSA' } });
    expect(causes(await api.get(path))).toEqual(['never-passes']);
    expect(await item()).toMatchObject({ state: 'failing', detail: checkedByMiniapp });
  });

  it('are not ready with both once the two apps share a header', async () => {
    await api.patch(path, { host_app_events_checked_by: 'both' });
    await api.patch('host-apps/h1', { signature: hmac });
    expect(causes(await api.get(path))).toEqual(['shared-header-names']);
    expect(await item()).toMatchObject({ state: 'failing' });
  });

  const item = async (): Promise<unknown> => {
    const { items } = (await api.get(`${path}/readiness`)).body as { items: { id: string }[] };
    return items.find(({ id }) => id === 'event-checks');
  };
});

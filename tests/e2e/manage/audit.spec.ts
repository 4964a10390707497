import { testManageApi } from '../../support/service/manage-api';

/** What the one who drives the API remembers of a change. */
interface Remembered {
  readonly action: string;
  readonly subject: string;
  readonly request_id: string;
}

const api = testManageApi();
beforeEach(() => api.wipe());

const secret = 'a-secret-of-the-host-app';

it('has exactly one entry for each change', async () => {
  const remembered: Remembered[] = [];
  let calls = 0;
  /** A call that is to leave an entry (or two of them), or none. */
  const drive = async (method: string, path: string, body: unknown, status: number, left: readonly [string, string][] = []) => {
    const requestId = `drive-${String(++calls)}`;
    const answer = await api.call(method, path, body, { headers: { 'x-request-id': requestId } });
    expect([method, path, answer.status]).toEqual([method, path, status]);
    for (const [action, subject] of left) remembered.push({ action, subject, request_id: requestId });
    return answer;
  };
  const entry = (action: string, subject: string): [string, string][] => [[action, subject]];
  const [client_id, app_id] = ['host_abc123def456', 'app_abc123'];
  const [host, mini, pair] = [`host-app:${client_id}`, `miniapp:${app_id}`, `integration:${client_id}/${app_id}`];

  await drive('POST', 'host-apps', { client_id, name: 'H' }, 201, entry('host-app.created', host));
  await drive('POST', 'host-apps', { client_id, name: 'H' }, 409);
  await drive('POST', 'host-apps', { name: 'H', nonsense: 1 }, 400);
  await drive('POST', 'miniapps', { app_id, name: 'M' }, 201, entry('miniapp.created', mini));
  await drive('PUT', `integrations/${client_id}/${app_id}`, { status: 'accepted' }, 201, entry('integration.created', pair));
  await drive('PUT', `integrations/${client_id}/${app_id}`, { status: 'suspended' }, 200, entry('integration.changed', pair));
  await drive('PUT', `integrations/${client_id}/${app_id}`, { status: 'suspended' }, 200);
  for (const [name, changes] of [
    ['H2', true],
    ['H3', true],
    ['H3', false],
  ] as const) {
    await drive('PATCH', `host-apps/${client_id}`, { name }, 200, changes ? entry('host-app.changed', host) : []);
  }
  await drive('POST', `host-apps/${client_id}/rotate`, { credential: 'secret_key' }, 200, entry('host-app.credential-rotated', host));
  const value = { credential: 'host_app_secret_key', value: secret };
  await drive('POST', `host-apps/${client_id}/rotate`, value, 200, entry('host-app.credential-rotated', host));
  await drive('POST', `host-apps/${client_id}/rotate`, { ...value, slot: 'next' }, 400);
  const revoked = { credential: 'secret_key', which: 'previous' };
  await drive('POST', `host-apps/${client_id}/revoke`, revoked, 200, entry('host-app.credential-revoked', host));
  await drive('POST', `host-apps/${client_id}/revoke`, revoked, 404);
  await drive('GET', 'host-apps', undefined, 200);
  await drive('DELETE', `integrations/${client_id}/${app_id}`, undefined, 204, entry('integration.removed', pair));
  await drive('DELETE', `integrations/${client_id}/${app_id}`, undefined, 404);
  await drive('DELETE', `miniapps/${app_id}`, undefined, 204, entry('miniapp.removed', mini));
  // An unknown caller leaves no entry: exchanges and log have it.
  for (const authorization of ['Bearer wrong', '']) {
    expect((await api.call('DELETE', `host-apps/${client_id}`, undefined, { headers: { authorization } })).status).toBe(401);
  }
  const rows = (await api.auditRows()).map(({ action, subject, request_id }) => ({ action, subject, request_id }));
  const missing = remembered.filter((one) => !rows.some((row) => JSON.stringify(row) === JSON.stringify(one)));
  const extra = rows.filter((row) => !remembered.some((one) => JSON.stringify(row) === JSON.stringify(one)));
  process.stdout.write(
    `R35: ${String(calls + 2)} calls, ${String(remembered.length)} changes: missing ${String(missing.length)}, extra ${String(extra.length)}\n`,
  );
  expect({ missing, extra, rows: rows.length }).toEqual({ missing: [], extra: [], rows: remembered.length });
});

it('shows the hash of each entry, and whether the trail is whole or where it breaks', async () => {
  await api.post('host-apps', { client_id: 'host_abc123def456', name: 'H' });
  await api.patch('host-apps/host_abc123def456', { name: 'H2' });
  const [last, first] = (await api.get('audit')).body.data;
  const whole = await api.get('audit/verify');
  expect([whole.status, whole.body]).toEqual([200, { whole: true, entries: 2, last: { id: last.id, hash: last.hash } }]);
  expect(api.logged.at(-1)).toEqual(['audit-verified', { entries: 2, id: last.id, hash: last.hash }]);
  await api.db.transaction(async (manager) => {
    await manager.query('set local session_replication_role = replica');
    await manager.query(`update audit_log set actor = 'nobody' where id = $1`, [last.id]);
  });
  const broken = { id: last.id, cause: 'changed' };
  expect((await api.get('audit/verify')).body).toEqual({ whole: false, entries: 1, last: { id: first.id, hash: first.hash }, broken });
  expect(api.logged.at(-1)).toEqual(['audit-broken', broken]);
  expect((await api.post('audit/verify', {})).status).toBe(405);
});

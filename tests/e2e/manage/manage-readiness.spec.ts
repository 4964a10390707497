import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { anExchange } from '../../contract/exchanges/exchange-log.contract';
import { testManageApi } from '../../support/service/manage-api';

interface Item {
  readonly id: string;
  readonly state: string;
  readonly exchange_id?: string;
}

describe('/manage/v1/integrations/{client_id}/{app_id}/readiness', () => {
  const api = testManageApi();
  const path = 'integrations/host_1/app_1';
  beforeEach(async () => {
    const features = { sso: true, events: true };
    await api.post('host-apps', { client_id: 'host_1', name: 'Harbour', features, access_token_url: 'https://a.example/t' });
    await api.post('miniapps', { app_id: 'app_1', name: 'Ferries', features, get_auth_token_url: 'https://b.example/auth' });
    await api.put(path, { status: 'accepted', features });
  });
  afterEach(() => api.wipe());

  const items = async (): Promise<Record<string, Item>> =>
    Object.fromEntries(((await api.get(`${path}/readiness`)).body.items as Item[]).map((item) => [item.id, item]));
  const states = async () => Object.fromEntries(Object.entries(await items()).map(([id, { state }]) => [id, state]));

  it('says which items are set, are missing or do not apply', async () => {
    expect(await states()).toMatchObject({
      ...{ accepted: 'done', features: 'done', 'host-app-urls': 'missing', 'miniapp-urls': 'done', 'host-app-reachable': 'missing' },
      ...{ tls: 'missing', 'hostapp-proven': 'missing', 'sign-on': 'missing', 'payment-created': 'off', 'event-relayed': 'missing' },
      ...{ 'host-app-allowlist': 'off', credentials: 'done' },
    });
    const { body } = await api.get(`${path}/readiness`);
    expect(body).toMatchObject({ client_id: 'host_1', app_id: 'app_1', status: 'accepted', mode: 'test' });
    const todo = (body.items as Item[]).filter(({ state }) => state === 'missing' || state === 'failing');
    expect([body.to_do, body.next.id]).toEqual([todo.length, 'host-app-urls']);
  });

  it('takes what happened for proof, and names the exchange', async () => {
    const log = new PostgresExchangeLog({ db: api.db, log: api.deps.log });
    log.append(anExchange(1, { at: api.clock.now() - 60_000 }));
    log.append(anExchange(2, { at: api.clock.now() - 30_000, status: 500, errorCode: 'UNKNOWN_ERROR' }));
    await log.close();
    expect(await items()).toMatchObject({
      'sign-on': { state: 'done', exchange_id: 'ex_000001' },
      'hostapp-proven': { state: 'done', exchange_id: 'ex_000001', detail: 'Passed: basic.' },
      'miniapp-accepts': { state: 'done' },
      'hostapp-accepts': { state: 'missing' },
    });
  });

  it('gives the same verdicts for a list as for each integration', async () => {
    await api.post('miniapps', { app_id: 'app_2', name: 'Trams', features: { events: true } });
    await api.put('integrations/host_1/app_2', { status: 'proposed', features: {} });
    const log = new PostgresExchangeLog({ db: api.db, log: api.deps.log });
    log.append(anExchange(1, { at: api.clock.now() - 60_000 }));
    await log.close();
    const { body } = await api.get('integrations/readiness');
    const singles = await Promise.all(['app_1', 'app_2'].map((app) => api.get(`integrations/host_1/${app}/readiness`)));
    expect(body).toEqual({ data: singles.map(({ body: { items: _items, ...summary } }) => summary), next_cursor: null });
    expect(body.data[0].percent).toBeGreaterThan(body.data[1].percent);
    expect(body.data[1]).toMatchObject({ next: { id: 'accepted', state: 'missing', detail: 'The integration is proposed: accept it.' } });
    const page = await api.get('integrations/readiness?limit=1');
    expect(page.body.data).toHaveLength(1);
    const rest = await api.get(`integrations/readiness?limit=1&cursor=${page.body.next_cursor}`);
    expect(rest.body.data).toEqual([body.data[1]]);
  });

  it('looks at the URLs when asked to', async () => {
    const { status, body } = await api.post(`${path}/readiness/check`);
    expect(status).toBe(200);
    const found = Object.fromEntries((body.items as Item[]).map(({ id, state }) => [id, state]));
    expect(found).toMatchObject({ 'host-app-reachable': 'done', 'miniapp-reachable': 'done', tls: 'done' });
  });

  it('refuses to go live with something missing, unless a reason is given', async () => {
    const refused = await api.post(`${path}/go-live`, {});
    expect(refused.status).toBe(409);
    expect(refused.body.type).toBe('urn:pierhead:problem:not-ready');
    expect((refused.body.errors as { path: string }[]).map(({ path: id }) => id)).toContain('sign-on');
    expect((await api.post(`${path}/go-live`, { reason: 'The fair is tomorrow' })).body).toMatchObject({
      ...{ mode: 'live', live: { by: 'operator', reason: 'The fair is tomorrow' } },
    });
    expect((await api.post(`${path}/back-to-test`, {})).status).toBe(400);
    expect((await api.post(`${path}/back-to-test`, { reason: 'The fair is over' })).body.mode).toBe('test');
    expect((await api.post(`${path}/back-to-test`, { reason: 'again' })).status).toBe(409);
    const rows = (await api.auditRows()).filter(({ action }) => /live|test$/.test(action));
    expect(rows.map(({ action, after }) => [action, after?.['reason']])).toEqual([
      ['integration.went-live', 'The fair is tomorrow'],
      ['integration.back-to-test', 'The fair is over'],
    ]);
  });

  it('is not there for partners that have no integration', async () => {
    for (const call of [api.get('integrations/host_1/app_9/readiness'), api.post('integrations/host_1/app_9/readiness/check')]) {
      expect((await call).status).toBe(404);
    }
  });
});

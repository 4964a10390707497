import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import type { Pair } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService();
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', (_received, response) => void response.end());
  pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url, miniapp: { webhook_url: `${miniapp.url}/webhook` } });
});
afterAll(async () => {
  await service.close();
  await Promise.all([hostApp.stop(), miniapp.stop()]);
});

const post = (path: string, members: object) =>
  service.call('POST', `/api/v1/${path}/`, { body: { client_id: pair.clientId, app_id: pair.appId, ...members }, headers: pair.basic });
const create = async (): Promise<string> => {
  const reply = await post('orders/create-order-payment', { order: { currency: 'USD', amount: '1.10' } });
  expect(reply.status).toBe(200);
  return reply.body.order_payment_id as string;
};
const complete = (id: string, status = 'paid') => post('orders/complete-order', { order_payment_id: id, payment_status: status });
const read = async (path: string) => {
  const reply = await service.manage('GET', path);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.body;
};
/** Damages the sealed text of a row, or of all. */
const breakSeal = (table: string, column: string, where = 'true', values: unknown[] = []) =>
  service.database.db.query(`update ${table} set ${column} = '\\x0102' where ${where}`, values);

it('a payment that cannot be opened is shown as unreadable, beside the others', async () => {
  const [whole, broken] = [await create(), await create()];
  await breakSeal('order_payments', 'sealed_summary', 'order_payment_id = $1', [broken]);
  const { data } = await read(`payments?client_id=${pair.clientId}`);
  const byId = new Map<string, Record<string, unknown>>(data.map((row: { order_payment_id: string }) => [row.order_payment_id, row]));
  expect(byId.get(whole)).toMatchObject({ amount: '1.10', currency: 'USD' });
  expect(byId.get(broken)).toMatchObject({ unreadable: true, status: 'in_process' });
  expect(byId.get(broken)).not.toHaveProperty('amount');
  expect(byId.get(whole)).not.toHaveProperty('unreadable');
  expect(await read(`payments/${String(byId.get(broken)?.['id'])}`)).toMatchObject({ unreadable: true });
  expect((await complete(broken)).status).toBe(200);
});

it('a result and a report that cannot be opened are shown as unreadable', async () => {
  const id = await create();
  expect((await complete(id)).status).toBe(200);
  await complete(id, 'failed');
  await breakSeal('payment_conflicts', 'completion');
  await breakSeal('order_payments', 'completion', 'order_payment_id = $1', [id]);
  const { data } = await read(`payments?order_payment_id=${id}`);
  const shown = await read(`payments/${String(data[0].id)}`);
  expect(shown).toMatchObject({ unreadable: true, status: 'paid', disagreements: [{ kind: 'conflict', unreadable: true }] });
  expect(shown).not.toHaveProperty('result');
});

it('a result without a payment that does not open is listed', async () => {
  await service.database.db.query(
    `insert into payment_completions_early (integration_id, order_payment_id, status, completion, at, unmatched_since)
     select id, 'op-lost', 'paid', '\\x0102', now() - interval '25 hours', now() from integrations where client_id = $1`,
    [pair.clientId],
  );
  const { data } = await read(`payments/unmatched?client_id=${pair.clientId}`);
  expect(data).toMatchObject([{ unreadable: true, status: 'paid' }]);
  expect(data[0]).not.toHaveProperty('request_id');
});

it('a user with an unreadable reference is listed, for a host app and an integration', async () => {
  for (const reference of ['user-aaaa-0001', 'user-bbbb-0002']) {
    expect((await post('connect', { user_data: { reference } })).status).toBe(200);
  }
  const { data: before } = await read(`users?client_id=${pair.clientId}`);
  const broken = before.find(({ reference }: { reference: string }) => reference === 'us****02').id as string;
  await breakSeal('users', 'reference', 'reference_digest = $1', [Buffer.from(broken, 'hex')]);
  await breakSeal('consent_entries', 'reference', 'id = (select max(id) from consent_entries)');
  const { data } = await read(`users?client_id=${pair.clientId}`);
  expect(data).toHaveLength(2);
  expect(data.find(({ id }: { id: string }) => id === broken)).toMatchObject({ unreadable: true, reference: '****' });
  const ofIntegration = (await read(`users?client_id=${pair.clientId}&app_id=${pair.appId}`)).data;
  expect(ofIntegration.filter((user: object) => 'unreadable' in user)).toHaveLength(1);
  expect(ofIntegration).toHaveLength(2);
  expect(ofIntegration.every(({ consents }: { consents: unknown[] }) => consents.length === 1)).toBe(true);
});

it('a delivery that does not open stops no other', async () => {
  const [first, second] = [await create(), await create()];
  miniapp.on('/webhook', (_received, response) => void response.writeHead(503).end());
  expect((await complete(first)).status).toBe(200);
  await breakSeal('deliveries', 'body', `state = 'ready'`);
  miniapp.on('/webhook', (_received, response) => void response.end());
  expect((await complete(second)).status).toBe(200);
  expect((await read(`deliveries?client_id=${pair.clientId}`)).data.length).toBeGreaterThan(1);
});

it('a partner whose credential does not open is listed', async () => {
  await breakSeal('partner_credentials', 'sealed', `partner_id = $1 and kind = 'host_app_secret_key'`, [pair.clientId]);
  const { data } = await read('host-apps');
  const shown = data.find(({ client_id: id }: { client_id: string }) => id === pair.clientId);
  expect(shown.credentials.host_app_secret_key.current).toMatchObject({ unreadable: true });
});

it('each is counted, and logged once with its column and row', async () => {
  await read(`payments?client_id=${pair.clientId}`);
  await read(`payments?client_id=${pair.clientId}`);
  const lines = service
    .logText()
    .split('\n')
    .filter((line) => line.includes('"unreadable-value"') && line.includes('order_payments.sealed_summary'));
  expect(lines).toHaveLength(1);
  const samples = await service.composed.scrape({ shared: false });
  expect(JSON.stringify(samples)).toContain('order_payments.sealed_summary');
});

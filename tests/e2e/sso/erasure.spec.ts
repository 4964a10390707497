import { sealedColumns } from '../../../src/adapters/out/postgres/sealing/sealed-columns';
import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import { AesSecretCipher } from '../../../src/adapters/out/secrets/secret-cipher';
import { basicOf, type Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let pair: Pair;

beforeAll(async () => {
  service = await startTestService();
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({ ok: true }));
  pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url, miniapp: { webhook_url: `${miniapp.url}/webhook` } });
}, 30_000);
afterAll(async () => {
  await service.close();
  await hostApp.stop();
  await miniapp.stop();
});

const reference = 'CANARY-reference-0123456789';
/** Of the user alone: every text that may tell of them. */
const canaries = [
  reference,
  'CANARY-email@example.com',
  'CANARY-street',
  'CANARY-note',
  'CANARY-attribute',
  'CANARY-reason',
  'CANARY-item',
];
const customer = { email: 'CANARY-email@example.com' };
const details = { payment_fail_reason: 'CANARY-reason', custom_attributes: { a: 'CANARY-attribute' } };

const ids = () => ({ client_id: pair.clientId, app_id: pair.appId });
const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<{ readonly order_payment_id: string }> => {
  const reply = await service.call('POST', `/api/v1/${path}/`, { body: { ...ids(), ...body }, headers });
  expect([path, reply.status, reply.text]).toEqual([path, 200, expect.anything()]);
  return reply.body;
};

const analyticsHeaders = (): Record<string, string> => ({
  ...basicOf(pair.appId, pair.miniSecret),
  'X-Hostapp-Client-Id': pair.clientId,
  'X-Miniapp-App-Id': pair.appId,
});

/** Everything that the database holds, every sealed value opened, as one text. */
async function dump(): Promise<string> {
  const { db } = service.database;
  const box = new AesSecretCipher([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
  const shown: string[] = [];
  const tables: { name: string }[] = await db.query(`select tablename as name from pg_tables where schemaname = 'public'`);
  for (const { name } of tables) {
    const rows: { row: string }[] = await db.query(`select t::text as row from ${name} t`);
    shown.push(...rows.map(({ row }) => row));
  }
  let opened = 0;
  for (const { table, column, contextOf } of sealedColumns) {
    const rows: Record<string, Buffer>[] = await db.query(`select * from ${table} where ${column} is not null`);
    opened += rows.length;
    shown.push(...rows.map((row) => Buffer.from(box.open(row[column]!, contextOf(row as never))).toString('utf8')));
  }
  expect(opened).toBeGreaterThan(3);
  return shown.join('\n');
}

const found = async (): Promise<string[]> => {
  const text = await dump();
  return canaries.filter((canary) => text.includes(canary));
};

async function pay(): Promise<string> {
  const order = {
    ...{ currency: 'USD', amount: '24.90', miniapp_order_id: 'order-1', hostapp_user_id: reference, note: 'CANARY-note' },
    ...{ items: [{ product_name: 'CANARY-item', quantity: 1, price: '24.90' }], shipping_address: { address1: 'CANARY-street' } },
  };
  return (await post('orders/create-order-payment', { order })).order_payment_id;
}

const complete = (order_payment_id: string, more: object = details) =>
  post('orders/complete-order', { order_payment_id, payment_status: 'paid', ...more }, pair.basic);
const deliveryStates = async () =>
  ((await service.manage('GET', `deliveries?client_id=${pair.clientId}`)).body.data as { state: string }[]).map(({ state }) => state);
const erase = (body: object) => service.manage('POST', 'users/erase', body);

it('erases all stored data of a user, but keeps the payments', async () => {
  await post('connect', { user_data: { reference, email: 'CANARY-email@example.com', first_name: 'Mia' } }, pair.basic);
  const delivered = await pay();
  await complete(delivered);
  await complete(delivered, { ...details, payment_fail_reason: undefined });
  await until(deliveryStates, (states) => states.join() === 'delivered');
  const report = { transaction_id: 'tx-1', amount: '24.90', currency: 'USD', customer };
  await post('analytics/miniapp-transactions', { ...report, user_reference: reference }, analyticsHeaders());
  await post('analytics/miniapp-transactions', { ...report, transaction_id: 'tx-2', order_payment_id: delivered }, analyticsHeaders());
  miniapp.on('/webhook', json({}, { status: 503 }));
  const pending = await pay();
  await complete(pending);
  await until(
    () => miniappCalls(pending),
    (calls) => calls > 0,
  );
  expect(await found()).toEqual(canaries);

  const erased = await erase({ client_id: pair.clientId, reference });
  const removed = { users: 1, tokens: 0, consents: 1, consent_entries: 1, payments: 2, reports: 2, deliveries: 1, pending_deliveries: 1 };
  expect([erased.status, erased.body]).toEqual([200, { removed }]);
  // A pending delivery is as it was: the miniapp gets it whole.
  expect(await found()).toEqual(['CANARY-attribute', 'CANARY-reason']);
  const before = miniapp.at('/webhook').length;
  miniapp.on('/webhook', json({ ok: true }));
  const [{ id }] = (await service.manage('GET', `deliveries?client_id=${pair.clientId}`)).body.data;
  expect((await service.manage('POST', `deliveries/${String(id)}/resend`)).status).toBe(200);
  await until(deliveryStates, (states) => states.join() === 'delivered');
  const sent = JSON.parse(miniapp.at('/webhook').slice(before).at(-1)!.body.toString('utf8'));
  expect(sent).toMatchObject({ order_payment_id: pending, payment_status: 'paid', ...details });
  await resolve(service.composed.container, T.retention).prune();
  expect([await found(), await deliveryStates()]).toEqual([[], []]);

  const { data } = (await service.manage('GET', `payments?client_id=${pair.clientId}`)).body;
  expect(data.map((one: Record<string, unknown>) => [one['status'], one['amount'], one['currency']])).toEqual([
    ['paid', '24.90', 'USD'],
    ['paid', '24.90', 'USD'],
  ]);
  // The host app says again what it said: no second delivery, and nothing is kept of it.
  await complete(delivered);
  expect([await found(), await deliveryStates()]).toEqual([[], []]);
});

const miniappCalls = async (orderPaymentId: string): Promise<number> =>
  miniapp.at('/webhook').filter(({ body }) => body.toString('utf8').includes(orderPaymentId)).length;

it('answers the same for an unknown user each time, and audits it without the reference', async () => {
  const nobody = { client_id: pair.clientId, reference: 'CANARY-nobody-0123456789' };
  const answers = [await erase(nobody), await erase(nobody), await erase({ ...nobody, client_id: 'host_unknown00000' })];
  const nothing = { users: 0, tokens: 0, consents: 0, consent_entries: 0, payments: 0, reports: 0, deliveries: 0, pending_deliveries: 0 };
  for (const { status, body } of answers) expect([status, body]).toEqual([200, { removed: nothing }]);
  const audit = await service.manage('GET', 'audit?action=user.erased&limit=3');
  expect(audit.body.data.map(({ after }: { after: unknown }) => after)).toEqual([nothing, nothing, nothing]);
  const subjects = audit.body.data.map(({ subject }: { subject: string }) => subject);
  expect(subjects[1]).toMatch(new RegExp(`^user:${pair.clientId}/[0-9a-f]{64}$`));
  expect(subjects[1]).toBe(subjects[2]);
  expect(audit.text).not.toContain('CANARY');
  expect(service.logText()).not.toContain('CANARY-nobody');
});

it.each([
  [{}, ['client_id', 'reference']],
  [{ client_id: 'host_x' }, ['reference']],
  [{ client_id: 'host_x', reference: '' }, ['reference']],
  [{ client_id: ['host_x'], reference: 1 }, ['client_id', 'reference']],
  [{ client_id: 'host_x', reference: 'u', all: true }, ['all']],
])('refuses %j and forgets nobody', async (body, paths) => {
  const { status, body: problem } = await erase(body);
  expect([status, problem.type]).toEqual([400, 'urn:pierhead:problem:invalid-content']);
  expect(problem.errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
});

it("is the operator's alone", async () => {
  const body = { client_id: pair.clientId, reference };
  expect((await service.call('POST', '/manage/v1/users/erase', { body })).status).toBe(401);
  expect((await service.manage('GET', 'users/erase')).status).toBe(405);
});

import { T } from '../../../src/composition/tokens/tokens';
import type { UserRecordRepository } from '../../../src/domain/sso/user-record-repository';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import type { Pair } from '../../support/signatures/a-pair';
import { operatorToken, startTestService, type TestService } from '../../support/service/service';

/** More than are read at once. */
const orders = 45;
const reference = 'user-ffff-0006';

let service: TestService;
let hostApp: StubPayingHostApp;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService();
  hostApp = await new StubPayingHostApp().start();
  pair = await aPayingPair(service, hostApp);
  for (let n = 0; n < orders; n++) await create(n);
});
afterAll(async () => {
  await service.close();
  await hostApp.stop();
});

async function create(n: number, user = reference): Promise<void> {
  const order = {
    currency: 'USD',
    amount: '1.10',
    miniapp_order_id: `order-${String(n)}`,
    hostapp_user_id: user,
    note: 'x'.repeat(2_000),
  };
  const body = { client_id: pair.clientId, app_id: pair.appId, order };
  const reply = await service.call('POST', '/api/v1/orders/create-order-payment/', { body, headers: pair.basic });
  expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
}
const exported = () => service.manage('POST', 'users/export', { client_id: pair.clientId, reference });
const sealOf = (orderNumber: number, seal: string) =>
  service.database.db.query(
    `update order_payments set sealed_order = ${seal} where id = (select id from order_payments order by created_at, id offset $1 limit 1)`,
    [orderNumber],
  );

it('an export holds every order once, in the order in which they were made', async () => {
  const { status, headers, body } = await exported();
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const made = body.payments.map(({ order }: { order: { order: { miniapp_order_id: string } } }) => order.order.miniapp_order_id);
  expect(made).toEqual(Array.from({ length: orders }, (_, n) => `order-${String(n)}`));
  expect(body).toMatchObject({ reference, reported_transactions: [], is_cut: false });
});

it('an export that loses orders while it is read says that it is cut', async () => {
  const user = { clientId: pair.clientId, reference: 'user-ffff-0007' };
  for (let n = 0; n < orders; n++) await create(n, user.reference);
  const repository = service.composed.container.get<UserRecordRepository>(T.userRecordRepository);
  const origin = { actor: 'operator', byOperator: true, requestId: 'r', at: Date.now() };
  const pieces = await repository.export(user, (alias) => ({ ...origin, action: 'user.exported', subject: `user:${alias}` }));
  let text = '';
  for await (const piece of pieces ?? []) {
    if (text === '') await service.manage('POST', 'users/erase', { client_id: user.clientId, reference: user.reference });
    text += piece;
  }
  const { payments, is_cut: isCut } = JSON.parse(text) as { payments: unknown[]; is_cut: boolean };
  expect(payments.length).toBeLessThan(orders);
  expect(isCut).toBe(true);
});

it('an export that fails midway is cut off and logged', async () => {
  await sealOf(orders - 1, `'\\x0102'`);
  const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ client_id: pair.clientId, reference });
  const reply = await fetch(`${service.url}/manage/v1/users/export`, { method: 'POST', headers, body });
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow('terminated');
  expect(service.logText()).toContain('manage.fault');
  expect((await service.manage('GET', 'payments')).status).toBe(200);
});

it('an export that fails before is answered as a fault', async () => {
  await sealOf(0, `'\\x0102'`);
  const { status, headers } = await exported();
  expect([status, headers.get('content-type')]).toEqual([500, 'application/problem+json; charset=utf-8']);
});

import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { CompleteOrder } from '../../../src/domain/payments/complete-order';
import { GetPaymentStatus } from '../../../src/domain/payments/get-payment-status';
import type { PaymentStatus, PaymentWord } from '../../../src/domain/payments/order-payment';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { FakeHostAppPaymentGateway } from '../../fakes/fake-host-app-payment-gateway';
import { FakeStoredUsers } from '../../fakes/fake-stored-users';
import { aRelay } from '../../support/a-relay';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, anIntegration } from '../../support/partners/partners';

const relayed = readJsonText('{}') as JsonObject;
const key = { integrationId: 'int_1', orderPaymentId: 'op-1' };
const asUser = anIntegration({ hostApp: aHostApp({ useAccessToken: true }) });

async function house({ user }: { user?: string } = {}) {
  const clock = new ManualClock();
  const payments = new MemoryOrderPaymentRepository(clock);
  const hostApp = new FakeHostAppPaymentGateway();
  const users = new FakeStoredUsers();
  let rings = 0;
  const completeOrder = new CompleteOrder({ payments, notifier: { notify: () => (rings++, undefined) }, clock });
  const getPaymentStatus = new GetPaymentStatus({ payments, hostApp, users, clock });
  const intent = {
    id: 'pay_1',
    integrationId: 'int_1',
    clientId: 'host_1',
    order: { fields: { currency: 'USD', amount: '1', hostappUserId: user }, relayed },
    at: 1,
  };
  await payments.intend(intent);
  await payments.open(intent, 'op-1');
  hostApp.records.settle('op-1', 'in_process');
  const complete = (status: string, more: { failReason?: string; customAttributes?: JsonObject } = {}, integration = anIntegration()) =>
    completeOrder.execute({ relay: aRelay(clock), integration, orderPaymentId: 'op-1', status, ...more });
  const status = (integration: Integration = anIntegration(), orderPaymentId = 'op-1') =>
    getPaymentStatus.execute({ relay: aRelay(clock), integration, orderPaymentId });
  return { clock, payments, hostApp, users, complete, status, rings: () => rings };
}

describe('CompleteOrder', () => {
  it('stores the whole result and queues it for the miniapp', async () => {
    const { clock, payments, complete, rings } = await house();
    const customAttributes = readJsonText('{"z":1.10}') as JsonObject;
    await complete('paid', { failReason: 'none', customAttributes });
    const completion = {
      ...{ clientId: 'host_abc123def456', appId: 'app_abc123', orderPaymentId: 'op-1', word: 'paid', failReason: 'none', customAttributes },
      ...{ requestId: 'req-1', at: clock.now() },
    };
    expect(await payments.find(key)).toMatchObject({ status: 'paid', completion });
    expect(payments.pending).toEqual([{ id: 'pay_1', integrationId: 'int_1', completion }]);
    expect(rings()).toBe(1);
  });

  it('accepts a word that is not final and queues nothing for it', async () => {
    const { payments, complete, rings } = await house();
    for (const word of ['processing', 'in_process']) await complete(word);
    expect([(await payments.find(key))?.status, payments.pending.length, rings()]).toEqual(['in_process', 0, 0]);
  });

  it('accepts a repeated result, queues it once, and records a difference', async () => {
    const { payments, complete, rings } = await house();
    await complete('failed', { failReason: 'first' });
    await complete('failed', { failReason: 'first' });
    await complete('failed', { failReason: 'second' });
    expect([payments.pending.length, rings()]).toEqual([1, 1]);
    expect(payments.pending[0]?.completion.failReason).toBe('first');
    expect(payments.disagreements).toMatchObject([{ kind: 'difference', report: { failReason: 'second' } }]);
  });

  const finals: readonly PaymentStatus[] = ['paid', 'cancelled', 'failed'];
  const others = finals.flatMap((from) =>
    (['in_process', 'processing', ...finals.filter((to) => to !== from)] as PaymentWord[]).map((to) => [from, to] as const),
  );
  it.each(others)('refuses after %s the word %s', async (from, to) => {
    const { payments, complete } = await house();
    await complete(from);
    await expect(complete(to)).rejects.toMatchObject({ kind: 'invalid', code: 'INVALID_PAYMENT_STATUS', details: { side: 'hostapp' } });
    expect((await payments.find(key))?.status).toBe(from);
    expect(payments.pending).toHaveLength(1);
    expect(payments.disagreements).toHaveLength(finals.includes(to as PaymentStatus) ? 1 : 0);
  });

  it.each(['', 'PAID', 'paid ', 'refunded', 'toString', '__proto__', 'constructor'])(
    'refuses the word %j, and asks nobody',
    async (word) => {
      const { complete } = await house();
      const nobody = { ...anIntegration(), id: 'int_2' };
      await expect(complete(word, {}, nobody)).rejects.toMatchObject({ code: 'INVALID_PAYMENT_STATUS' });
    },
  );

  it("does not know another integration's payment", async () => {
    const { complete } = await house();
    await expect(complete('paid', {}, { ...anIntegration(), id: 'int_2' })).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });
});

describe('GetPaymentStatus', () => {
  it("relays the host app's status, and settles nothing", async () => {
    const { payments, hostApp, status } = await house();
    hostApp.records.settle('op-1', 'paid', { failReason: 'none' });
    expect(await status()).toEqual({ word: 'paid', failReason: 'none' });
    expect((await payments.find(key))?.status).toBe('in_process');
    expect(payments.pending).toEqual([]);
  });

  it('keeps an answer that contradicts the result as a conflict, and relays it', async () => {
    const { payments, hostApp, complete, status } = await house();
    await complete('paid', { failReason: 'none' });
    hostApp.records.settle('op-1', 'failed', { failReason: 'late' });
    for (let i = 0; i < 2; i++) expect(await status()).toEqual({ word: 'failed', failReason: 'late' });
    expect(payments.disagreements).toMatchObject([
      { ...key, kind: 'conflict', report: { word: 'failed', failReason: 'late', requestId: 'req-1' } },
    ]);
    expect((await payments.find(key))?.status).toBe('paid');
    expect(payments.pending).toHaveLength(1);
  });

  it.each(['paid', 'processing'] as const)('finds no contradiction after paid in the word %s', async (word) => {
    const { payments, hostApp, complete, status } = await house();
    await complete('paid', { failReason: 'none' });
    hostApp.records.settle('op-1', word);
    await status();
    expect(payments.disagreements).toEqual([]);
  });

  it.each([
    ['an unknown payment', anIntegration(), 'op-2'],
    ["another integration's", { ...anIntegration(), id: 'int_2' }, 'op-1'],
  ])('asks nobody about %s', async (_what, integration, orderPaymentId) => {
    const { hostApp, status } = await house();
    await expect(status(integration, orderPaymentId)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    expect(hostApp.lookups).toEqual([]);
  });

  it("asks as the payment's own user, once more after a refresh", async () => {
    const { hostApp, users, status } = await house({ user: 'user-mia' });
    users.knows('user-mia', ['old', 'new']);
    hostApp.records.rejectToken('old');
    expect(await status(asUser)).toMatchObject({ word: 'in_process' });
    expect(hostApp.lookups.map(({ user }) => [user?.reference, user?.accessToken.reveal(), user?.attempt])).toEqual([
      ['user-mia', 'old', 1],
      ['user-mia', 'new', 2],
    ]);
  });

  it.each([
    ['no user', undefined, 'HOSTAPP_USER_ID_REQUIRED'],
    ['a user who is not known', 'user-nobody', 'HOSTAPP_USER_NOT_FOUND'],
  ])('refuses a payment with %s if the host app requires a user', async (_what, user, code) => {
    const { status } = await house(user === undefined ? {} : { user });
    await expect(status(asUser)).rejects.toMatchObject({ kind: 'invalid', code });
  });
});

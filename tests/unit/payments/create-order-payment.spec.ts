import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import { PartnerGarbled, PartnerRefused, PartnerUnreachable, EndpointNotSet } from '../../../src/domain/partners/partner-errors';
import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { CompleteOrder } from '../../../src/domain/payments/complete-order';
import { CreateOrderPayment, type CreateOrderPaymentCommand } from '../../../src/domain/payments/create-order-payment';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { refusal, Unavailable } from '../../../src/domain/shared/errors';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { FakeHostAppPaymentGateway } from '../../fakes/fake-host-app-payment-gateway';
import { FakeStoredUsers } from '../../fakes/fake-stored-users';
import { aRelay } from '../../support/a-relay';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, anIntegration } from '../../support/partners/partners';

const leg = { side: 'hostapp', step: 'create' } as const;
const relayed = readJsonText('{"currency":"USD","amount":1.10,"hostapp_user_id":"user-mia"}') as JsonObject;
const order = (hostappUserId?: string) => ({ fields: { currency: 'USD', amount: '1.10', hostappUserId }, relayed });
const asUser = anIntegration({ hostApp: aHostApp({ useAccessToken: true }) });

function house(change: Partial<OrderPaymentRepository> = {}) {
  const clock = new ManualClock();
  const kept = new MemoryOrderPaymentRepository(clock);
  const payments: OrderPaymentRepository = {
    ...{ intend: (intent) => kept.intend(intent), open: (intent, id) => kept.open(intent, id), find: (key) => kept.find(key) },
    ...{ giveUp: (intent, how) => kept.giveUp(intent, how), settle: (key, settle) => kept.settle(key, settle) },
    ...change,
  };
  const hostApp = new FakeHostAppPaymentGateway();
  const users = new FakeStoredUsers();
  const rung: number[] = [];
  const notifier = { notify: () => void rung.push(clock.now()) };
  const pause = async (ms: number) => clock.advance(ms);
  const createOrderPayment = new CreateOrderPayment({
    payments,
    hostApp,
    users,
    notifier,
    ids: new CountingIds(),
    clock,
    timesMs: [60_000],
    pause,
  });
  const completeOrder = new CompleteOrder({ payments, notifier, clock });
  const create = (more: Partial<CreateOrderPaymentCommand> = {}, integration: Integration = anIntegration()) =>
    createOrderPayment.execute({ relay: aRelay(clock), integration, order: order(), ...more });
  const complete = (orderPaymentId: string) =>
    completeOrder.execute({ relay: aRelay(clock), integration: anIntegration(), orderPaymentId, status: 'paid' });
  return { clock, kept, hostApp, users, rung, create, complete };
}

const key = (orderPaymentId: string) => ({ integrationId: 'int_1', orderPaymentId });

describe('CreateOrderPayment', () => {
  it('opens a payment at the host app and keeps it', async () => {
    const { clock, kept, create, rung } = house();
    expect(await create({ order: order('user-mia') })).toMatchObject({ orderPaymentId: 'op-1' });
    expect(await kept.find(key('op-1'))).toEqual({
      ...{ id: 'id000001', ...key('op-1'), status: 'in_process', userReference: 'user-mia', createdAt: clock.now() },
    });
    expect(rung).toEqual([]);
  });

  it('has written the intent down before the host app is asked', async () => {
    const steps: string[] = [];
    const { hostApp, create } = house({
      intend: async () => void steps.push('intend'),
      open: async () => (steps.push('open'), { id: 'id000001' }),
    });
    hostApp.meanwhile(async () => void steps.push('create'));
    await create();
    expect(steps).toEqual(['intend', 'create', 'open']);
  });

  it("reads the user's token while it stores the intent, and calls the host app after both", async () => {
    const steps: string[] = [];
    let written: () => void = () => undefined;
    const { hostApp, users, create } = house({
      intend: () => new Promise((resolve) => (written = resolve)),
      open: async () => (steps.push('open'), { id: 'id000001' }),
    });
    users.knows('user-mia', ['old', 'new']);
    users.onRead = () => steps.push('token');
    hostApp.meanwhile(async () => void steps.push('create'));
    const created = create({ order: order('user-mia') }, asUser);
    for (let i = 0; i < 20; i++) await Promise.resolve();
    steps.push('written');
    written();
    await created;
    expect(steps).toEqual(['token', 'written', 'create', 'open']);
  });

  it('fails with the error of the intent if the user is unknown, too', async () => {
    const ended: string[] = [];
    const { create } = house({
      intend: () => Promise.reject(new Unavailable('database-away')),
      giveUp: async (_intent, how) => void ended.push(how),
    });
    await expect(create({ order: order('user-nobody') }, asUser)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(ended).toEqual([]);
  });

  it('stores with the intent which host app to poll, and when first', async () => {
    const { clock, kept, create } = house();
    await create();
    expect(kept.planned()).toMatchObject([
      { payment: { id: 'id000001' }, clientId: anIntegration().hostApp.id, firstPollAt: clock.now() + 60_000 },
    ]);
  });

  it('calls no host app if the intent cannot be stored', async () => {
    const { hostApp, create } = house({ intend: () => Promise.reject(new Unavailable('database-away')) });
    await expect(create()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(hostApp.records.requests).toEqual([]);
  });

  it("derives the host app's key from the caller's, or makes one for each intent", async () => {
    const { create, hostApp } = house();
    for (const idempotencyKey of ['k', 'k', undefined, undefined, 'intent id000003']) await create({ idempotencyKey });
    const keys = hostApp.records.requests.map((request) => request.idempotencyKey);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(4);
  });

  describe('as the user', () => {
    it('calls with the stored token, and once more with the same key after a refresh', async () => {
      const { create, hostApp, users, kept } = house();
      users.knows('user-mia', ['old', 'new']);
      hostApp.records.rejectToken('old');
      await create({ order: order('user-mia') }, asUser);
      expect(hostApp.records.requests).toMatchObject([{ userId: 'user-mia', accessToken: 'new' }]);
      await create({ order: order('user-mia'), idempotencyKey: 'k' }, asUser);
      expect((await kept.find(key('op-1')))?.userReference).toBe('user-mia');
    });

    it('sends the same key on the retry', async () => {
      const { create, hostApp, users } = house();
      users.knows('user-mia', ['old', 'new']);
      hostApp.records.rejectToken('old');
      await create({ order: order('user-mia') }, asUser);
      expect(hostApp.creations.map(({ once, user }) => [once, user?.attempt])).toEqual([
        ['intent id000001', 1],
        ['intent id000001', 2],
      ]);
    });

    it.each([undefined, ''])('refuses an order without a user: %j', async (hostappUserId) => {
      const { create, kept } = house();
      const refused = create({ order: order(hostappUserId) }, asUser);
      const fields = [{ path: 'order.hostapp_user_id', rule: 'required' }];
      await expect(refused).rejects.toMatchObject({ kind: 'invalid', code: 'HOSTAPP_USER_ID_REQUIRED', details: { fields } });
      await expect(kept.settle(key('op'), () => ({}) as never)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    });

    it.each(['üser', 'a\nb', ' a', 'a '])('refuses a user whom no header can carry: %j', async (hostappUserId) => {
      const { create, hostApp } = house();
      await expect(create({ order: order(hostappUserId) }, asUser)).rejects.toMatchObject({ code: 'INVALID_ORDER_DATA' });
      expect(hostApp.records.requests).toEqual([]);
    });

    it('refuses a user who never signed on, and stores no payment', async () => {
      const { create, complete } = house();
      await expect(create({ order: order('user-nobody') }, asUser)).rejects.toMatchObject({ code: 'HOSTAPP_USER_NOT_FOUND' });
      await expect(complete('op-1')).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    });

    it('passes on that a token was refused twice, which opened nothing', async () => {
      const { create, hostApp, users, complete } = house();
      users.knows('user-mia', ['old', 'new']);
      for (const token of ['old', 'new']) hostApp.records.rejectToken(token);
      const refused = create({ order: order('user-mia') }, asUser);
      await expect(refused).rejects.toMatchObject({ kind: 'partner-refused', code: 'EXPIRED_ACCESS_TOKEN' });
      await expect(complete('op-1')).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    });
  });

  it.each([
    ['a refusal in words', new PartnerRefused(leg, 'NO_FUNDS', 'No funds')],
    ['a URL that was never stored', new EndpointNotSet(leg, 'create_order_payment_url')],
    ['missing credentials', refusal('invalid', 'HOSTAPP_INTEGRATION_NOT_SET', { ...leg, setting: 'host_app_secret_key' })],
    ['no such host', new PartnerUnreachable(leg, 'dns')],
    ['no connection', new PartnerUnreachable(leg, 'connect')],
    ['no connection in time', new PartnerUnreachable(leg, 'connect-timeout')],
    ['a certificate that nobody vouches for', new PartnerUnreachable(leg, 'tls-certificate')],
    ['a certificate for another name', new PartnerUnreachable(leg, 'tls-host-name')],
    ['no agreement on TLS', new PartnerUnreachable(leg, 'tls-protocol')],
    ['an address that may not be called', new PartnerUnreachable(leg, 'denied-address')],
    ['a header that cannot be sent', new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: 'header' })],
    ['a failure before the call', new PartnerUnreachable({ side: 'hostapp', step: 'client_token' }, 'timeout')],
    ['a failed refresh', new PartnerGarbled({ side: 'hostapp', step: 'refresh' }, 'FAILED_TO_PARSE_RESPONSE')],
  ])('%s has surely opened nothing: the error is passed on, and a completion is unknown', async (_what, error) => {
    const { create, complete, hostApp } = house();
    hostApp.failWith(error);
    await expect(create()).rejects.toBe(error);
    expect(error.details.outcome).toBeUndefined();
    await expect(complete('op-1')).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  it.each([
    ['a time-out', new PartnerUnreachable(leg, 'timeout')],
    ['a reset', new PartnerUnreachable(leg, 'reset')],
    ['no HTTP', new PartnerUnreachable(leg, 'not-http')],
    ['too many headers', new PartnerUnreachable(leg, 'headers-too-large')],
    ['a redirect', new PartnerUnreachable(leg, 'redirect')],
    ['garbage', new PartnerGarbled(leg, 'FAILED_TO_PARSE_RESPONSE')],
    ['an answer without an id', new PartnerGarbled(leg, 'RESPONSE_ATTRIBUTE_MISSING')],
    ['a status of 500 alone', new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: 'http-500' })],
    ['a status of 404 alone', new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: 'http-404' })],
  ])('%s leaves it open: not to be repeated blindly, and its completion is kept', async (_what, error) => {
    const { create, complete, hostApp, clock } = house();
    hostApp.failWith(error);
    const details = { ...error.details, outcome: 'unknown', retryable: false };
    await expect(create()).rejects.toMatchObject({ kind: error.kind, code: error.code, details });
    await complete('op-1');
    clock.advance(23 * 3_600_000);
    await complete('op-2');
    clock.advance(2 * 3_600_000);
    await expect(complete('op-3')).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  it('leaves it open where it failed by a fault of ours', async () => {
    const { create, complete, hostApp } = house();
    hostApp.failWith(new TypeError('x'));
    const details = { side: 'platform', step: 'create', outcome: 'unknown', retryable: false };
    await expect(create()).rejects.toMatchObject({ kind: 'fault', code: 'UNKNOWN_ERROR', details });
    await complete('op-1');
  });

  it.each(['PartnerRefused', 'PartnerUnreachable'])('reports how the call ended even if that cannot be stored: %s', async (name) => {
    const { create, complete, hostApp } = house({ giveUp: () => Promise.reject(new Unavailable('database-away')) });
    const error = name === 'PartnerRefused' ? new PartnerRefused(leg, 'NO_FUNDS', 'x') : new PartnerUnreachable(leg, 'timeout');
    hostApp.failWith(error);
    await expect(create()).rejects.toMatchObject({ code: error.code, kind: error.kind });
    await complete('op-1');
  });

  it('applies and delivers a completion that came before the answer', async () => {
    const { create, complete, hostApp, kept, rung } = house();
    hostApp.meanwhile(async () => {
      await complete('op-1');
      rung.length = 0;
    });
    expect(await create()).toMatchObject({ orderPaymentId: 'op-1' });
    expect((await kept.find(key('op-1')))?.status).toBe('paid');
    expect([kept.pending.length, rung.length]).toEqual([1, 1]);
  });

  it("keeps the host app's answer while the database is away", async () => {
    let failures = 5;
    const kept = new MemoryOrderPaymentRepository(new ManualClock());
    const { create, hostApp } = house({
      intend: (intent) => kept.intend(intent),
      open: async (intent, id) => {
        if (failures-- > 0) throw new Unavailable('database-away');
        return kept.open(intent, id);
      },
    });
    expect(await create()).toMatchObject({ orderPaymentId: 'op-1' });
    expect((await kept.find(key('op-1')))?.status).toBe('in_process');
    expect(hostApp.records.requests).toHaveLength(1);
  });

  it.each([
    ['the database stays away', new Unavailable('database-away')],
    ['it fails otherwise', new Error('x')],
  ])('answers that the outcome is unknown if %s, before the deadline', async (_what, error) => {
    const { create, clock } = house({ open: () => Promise.reject(error) });
    const began = clock.now();
    await expect(create()).rejects.toMatchObject({ kind: 'fault', details: { outcome: 'unknown', retryable: false } });
    expect(clock.now() - began).toBeLessThan(10_000);
  });
});

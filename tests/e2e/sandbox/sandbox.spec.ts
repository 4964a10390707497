import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import type { SandboxPair } from '../../../src/sandbox/setup/sandbox-pair';
import { setUpSandbox } from '../../../src/sandbox/setup/set-up-sandbox';
import { operatorToken, startTestService, until, type TestService } from '../../support/service/service';
import { ManualTime } from '../../unit/sandbox/manual-time';

interface Sheet {
  readonly payment_status: string;
  readonly complete_order: readonly { readonly payment_status: string; readonly status: number; readonly error_code?: string }[];
}

// The amount alone decides how a payment goes; what the two back ends see of it comes through the service.
describe('the magic amounts of the sandbox', () => {
  const time = new ManualTime();
  const hostApp = new SandboxHostApp(time);
  const miniapp = new SandboxMiniapp();
  let service: TestService;
  let pair: SandboxPair;
  let hostAppUrl: string;
  const close: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    service = await startTestService({ env: { PAYMENT_TIMEOUT_MS: '700' } });
    const [hostAppServer, miniappServer] = [
      await hostApp.start({ host: '127.0.0.1', port: 0 }),
      await miniapp.start({ host: '127.0.0.1', port: 0 }),
    ];
    close.push(hostAppServer.close, miniappServer.close);
    hostAppUrl = hostAppServer.url;
    pair = await setUpSandbox({
      serviceUrl: service.url,
      operatorToken,
      hostApp: { partner: hostApp, url: hostAppUrl },
      miniapp: { partner: miniapp, url: miniappServer.url },
    });
  });
  afterAll(async () => {
    for (const one of close) await one();
    await service.close();
  });

  const ids = () => ({ client_id: pair.clientId, app_id: pair.appId });
  const create = (amount: string, order: object = {}) =>
    service.call('POST', '/api/v1/orders/create-order-payment/', { body: { ...ids(), order: { currency: 'USD', amount, ...order } } });
  const open = async (amount: string): Promise<string> => (await create(amount)).body.order_payment_id;
  const pay = async (id: string) => (await (await fetch(`${hostAppUrl}/sandbox/payments/${id}/pay`, { method: 'POST' })).json()) as Sheet;
  const status = async (id: string): Promise<unknown> =>
    (await service.call('POST', '/api/v1/orders/get-payment-status/', { body: { ...ids(), order_payment_id: id } })).body.payment_status;
  const received = (id: string) => miniapp.webhooks().filter(({ body }) => body.get('order_payment_id') === id);
  const webhook = async (id: string) => {
    const [first, ...more] = await until(
      () => Promise.resolve(received(id)),
      ({ length }) => length > 0,
    );
    expect(more).toEqual([]);
    return first!;
  };
  const openAtHostApp = async () => {
    const { data } = (await (await fetch(`${hostAppUrl}/sandbox/payments`)).json()) as { data: { order_payment_id: string }[] };
    return data.map((payment) => payment.order_payment_id);
  };

  it('none: the payment is paid, and the miniapp gets one webhook', async () => {
    const id = await open('10.00');
    expect(await pay(id)).toMatchObject({ payment_status: 'paid', complete_order: [{ payment_status: 'paid', status: 200 }] });
    const { webhookId, body } = await webhook(id);
    expect([webhookId, body.get('payment_status')]).toEqual([expect.any(String), 'paid']);
    expect(await status(id)).toBe('paid');
  });

  it('.01: it is declined', async () => {
    const id = await open('10.01');
    await pay(id);
    const { body } = await webhook(id);
    expect([body.get('payment_status'), body.get('payment_fail_reason')]).toEqual(['failed', 'Declined by the simulated bank']);
    expect(await status(id)).toBe('failed');
  });

  it('.02: it stays in process', async () => {
    const id = await open('10.02');
    expect((await pay(id)).complete_order).toEqual([]);
    expect(await status(id)).toBe('in_process');
    expect(received(id)).toEqual([]);
  });

  it('.03: the host app gives no answer, and its later report is stored', async () => {
    const before = await openAtHostApp();
    const answer = await create('10.03');
    expect([answer.status, answer.body.error_code]).toEqual([400, 'UNEXPECTED_RESPONSE_ERROR']);
    const [id] = (await openAtHostApp()).filter((one) => !before.includes(one));
    expect((await pay(id!)).complete_order).toMatchObject([{ status: 200 }]);
  });

  it('.04: the host app answers with broken JSON', async () => {
    const answer = await create('10.04');
    expect([answer.status, answer.body.error_code]).toEqual([400, 'FAILED_TO_PARSE_RESPONSE']);
  });

  it('.05: it is completed ninety seconds late', async () => {
    const id = await open('10.05');
    expect((await pay(id)).payment_status).toBe('in_process');
    expect(await status(id)).toBe('in_process');
    time.wind(90_000);
    expect((await webhook(id)).body.get('payment_status')).toBe('paid');
  });

  it('.06: it is completed twice, and the miniapp gets one webhook', async () => {
    const id = await open('10.06');
    expect((await pay(id)).complete_order).toMatchObject([{ status: 200 }, { status: 200 }]);
    await webhook(id);
  });

  it('.07: it is completed with two results, and the first one wins', async () => {
    const id = await open('10.07');
    expect((await pay(id)).complete_order).toMatchObject([{ status: 200 }, { status: 400, error_code: 'INVALID_PAYMENT_STATUS' }]);
    expect((await webhook(id)).body.get('payment_status')).toBe('paid');
  });

  it('.08 and .09: the host app refuses the token, and it is refreshed once', async () => {
    const reference = 'user-omar-0002';
    const authorize = { ...ids(), auth_code: hostApp.issueCode(reference) };
    expect((await service.call('POST', '/api/v1/authorize/', { body: authorize })).status).toBe(200);
    await service.manage('PATCH', `host-apps/${pair.clientId}`, { use_access_token: true });
    try {
      const calls = () => hostApp.calls().map(({ path, status: answered }) => `${path} ${answered}`);
      const callsOf = async (amount: string) => {
        const before = calls().length;
        const { status: answered, body } = await create(amount, { hostapp_user_id: reference });
        return { answered, code: body.error_code as unknown, calls: calls().slice(before) };
      };
      const refreshed = ['/payments 401', '/oauth/refresh 200'];
      expect(await callsOf('10.08')).toEqual({ answered: 200, code: undefined, calls: [...refreshed, '/payments 200'] });
      expect(await callsOf('10.09')).toEqual({ answered: 400, code: 'EXPIRED_ACCESS_TOKEN', calls: [...refreshed, '/payments 401'] });
    } finally {
      await service.manage('PATCH', `host-apps/${pair.clientId}`, { use_access_token: false });
    }
  });
});

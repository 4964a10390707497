import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenServer } from '../../../src/sandbox/open-server';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { basic, call } from './call';
import { ManualTime } from './manual-time';

const [clientId, appId] = ['host_abc123def456', 'app_abc123'];
const platform = { 'X-Hostapp-Client-ID': clientId, 'X-Miniapp-App-ID': appId, Authorization: basic('platform', 's3cret') };

interface Reported {
  readonly authorization: string | undefined;
  readonly requestId: string | undefined;
  readonly body: Record<string, unknown>;
}

/** As much of the service as a host app reports to: the first final result wins. */
class ReportsTaken {
  readonly taken: Reported[] = [];
  url = '';
  private readonly results = new Map<string, string>();
  private waiting: (() => void)[] = [];
  private readonly server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, string>;
      const { authorization, 'x-request-id': requestId } = request.headers;
      this.taken.push({ authorization, requestId: requestId as string | undefined, body: { ...body, path: request.url } });
      const id = body.order_payment_id!;
      const first = this.results.get(id) ?? body.payment_status!;
      this.results.set(id, first);
      const agrees = first === body.payment_status;
      response.writeHead(agrees ? 200 : 400, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(agrees ? { order_payment_id: id } : { error_code: 'INVALID_PAYMENT_STATUS' }));
      for (const wake of this.waiting.splice(0)) wake();
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

describe('the payments of the sandbox host app', () => {
  const time = new ManualTime();
  let service: ReportsTaken;
  let hostApp: SandboxHostApp;
  let openedServer: OpenServer;

  beforeEach(async () => {
    service = new ReportsTaken();
    await service.start();
    hostApp = new SandboxHostApp(time);
    hostApp.trust({ user: 'platform', secret: 's3cret', ownId: clientId });
    hostApp.reportTo({ serviceUrl: service.url, clientId, secretKey: 'key' });
    openedServer = await hostApp.start({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    await openedServer.close();
    await service.close();
  });

  const create = (amount: string, headers: Record<string, string> = {}) =>
    call(`${openedServer.url}/payments`, {
      headers: { ...platform, ...headers },
      body: `{"app_id":"${appId}","order":{"currency":"USD","amount":${amount}}}`,
    });
  const open = async (amount: string) => String((await create(amount)).json.order_payment_id);
  const sheet = (id: string, action = 'pay') => call(`${openedServer.url}/sandbox/payments/${id}/${action}`, { method: 'POST' });
  const status = (id: string, app = appId) =>
    call(`${openedServer.url}/payments/status`, { headers: platform, body: { client_id: clientId, app_id: app, order_payment_id: id } });
  const statusWord = async (id: string) => (await status(id)).json.payment_status;

  it.each([
    ['"24.90"', '24.90'],
    ['24.90', '24.90'],
    ['12345678901234567890', '12345678901234567890'],
  ])('show the amount on the payment sheet, digit by digit: %s', async (sent, shown) => {
    const id = await open(sent);
    expect((await call(`${openedServer.url}/sandbox/payments/${id}`)).json).toMatchObject({ amount: shown, currency: 'USD' });
  });

  it('are paid on the payment sheet and reported to the service', async () => {
    const id = await open('"24.90"');
    expect(await statusWord(id)).toBe('in_process');
    const paid = await call(`${openedServer.url}/sandbox/payments/${id}/pay`, { method: 'POST', headers: { 'X-Request-Id': 'pay-1' } });
    expect(paid).toMatchObject({
      status: 200,
      json: { app_id: appId, order_payment_id: id, payment_status: 'paid', complete_order: [{ payment_status: 'paid', status: 200 }] },
    });
    expect(service.taken).toEqual([
      {
        authorization: basic(clientId, 'key'),
        requestId: 'pay-1',
        body: {
          path: '/api/v1/orders/complete-order/',
          client_id: clientId,
          app_id: appId,
          order_payment_id: id,
          payment_status: 'paid',
        },
      },
    ]);
    expect((await status(id)).json).toEqual({ app_id: appId, client_id: clientId, order_payment_id: id, payment_status: 'paid' });
  });

  it('are cancelled by closing the sheet', async () => {
    const id = await open('"24.90"');
    expect((await sheet(id, 'cancel')).json).toMatchObject({ payment_status: 'cancelled', complete_order: [{ status: 200 }] });
    expect(await statusWord(id)).toBe('cancelled');
  });

  it('have one sheet that works once', async () => {
    const id = await open('"24.90"');
    await sheet(id);
    expect(await sheet(id)).toMatchObject({ status: 400, json: { error_code: 'INVALID_PAYMENT_STATUS' } });
    expect(await sheet('pay_unknown')).toMatchObject({ status: 400, json: { error_code: 'ORDER_NOT_FOUND' } });
    expect(service.taken).toHaveLength(1);
  });

  it('are unknown to another miniapp', async () => {
    expect(await status(await open('1'), 'app_zzzzzz')).toMatchObject({ status: 400, json: { error_code: 'ORDER_NOT_FOUND' } });
  });

  it('.01: are declined', async () => {
    const id = await open('10.01');
    expect((await sheet(id)).json).toMatchObject({ payment_status: 'failed', complete_order: [{ payment_status: 'failed', status: 200 }] });
    const reason = 'Declined by the simulated bank';
    expect(service.taken).toMatchObject([{ body: { payment_status: 'failed', payment_fail_reason: reason } }]);
    expect((await status(id)).json).toMatchObject({ payment_status: 'failed', payment_fail_reason: reason });
  });

  it('.02: stay in process, and nothing is reported', async () => {
    const id = await open('"10.02"');
    expect((await sheet(id)).json).toMatchObject({ payment_status: 'in_process', complete_order: [] });
    expect(await statusWord(id)).toBe('in_process');
    expect(service.taken).toEqual([]);
  });

  it('.03: are opened without an answer', async () => {
    const caller = new AbortController();
    const body = JSON.stringify({ app_id: appId, order: { currency: 'USD', amount: '10.03' } });
    const headers = { ...platform, 'Content-Type': 'application/json' };
    const creating = fetch(`${openedServer.url}/payments`, { method: 'POST', headers, body, signal: caller.signal }).catch(
      (error: unknown) => error,
    );
    const list = async () => (await call(`${openedServer.url}/sandbox/payments`)).json.data as { order_payment_id: string }[];
    let opened = await list();
    while (opened.length === 0) opened = await list();
    caller.abort();
    expect(await creating).toMatchObject({ name: 'AbortError' });
    expect((await sheet(opened[0]!.order_payment_id)).json).toMatchObject({ payment_status: 'paid' });
  });

  it('.04: are opened with an answer that is no JSON', async () => {
    const headers = { ...platform, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ app_id: appId, order: { currency: 'USD', amount: '10.04' } });
    const answer = await fetch(`${openedServer.url}/payments`, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    await expect(answer.json()).rejects.toThrow(/JSON/);
  });

  it('.05: are completed ninety seconds late', async () => {
    const id = await open('10.05');
    expect((await sheet(id)).json).toMatchObject({ payment_status: 'in_process', complete_order: [] });
    time.wind(89_999);
    expect(await statusWord(id)).toBe('in_process');
    const received = service.next();
    time.wind(1);
    await received;
    expect(service.taken).toMatchObject([{ body: { order_payment_id: id, payment_status: 'paid' } }]);
    expect(await statusWord(id)).toBe('paid');
  });

  it('.05: are not completed any more by a host app that has stopped', async () => {
    await sheet(await open('10.05'));
    expect(time.pending).toBe(1);
    await openedServer.close();
    expect(time.pending).toBe(0);
    openedServer = await hostApp.start({ host: '127.0.0.1', port: 0 });
  });

  it('.06: are completed twice', async () => {
    const { json } = await sheet(await open('10.06'));
    expect(json.complete_order).toMatchObject([
      { payment_status: 'paid', status: 200 },
      { payment_status: 'paid', status: 200 },
    ]);
    expect(service.taken).toHaveLength(2);
  });

  it('.07: are completed with two results, and the service refuses the second', async () => {
    const { json } = await sheet(await open('10.07'));
    expect(json.complete_order).toMatchObject([
      { payment_status: 'paid', status: 200 },
      { payment_status: 'failed', status: 400, error_code: 'INVALID_PAYMENT_STATUS' },
    ]);
    expect(json.payment_status).toBe('paid');
  });

  it('.08: are refused with 401 first and opened at the second try of each order', async () => {
    const expired = { status: 401, json: { error_code: 'EXPIRED_ACCESS_TOKEN' } };
    expect(await create('10.08', { 'Idempotency-Key': 'a' })).toMatchObject(expired);
    expect(await create('10.08', { 'Idempotency-Key': 'b' })).toMatchObject(expired);
    const opened = await create('10.08', { 'Idempotency-Key': 'a' });
    expect(opened.status).toBe(200);
    expect((await create('10.08', { 'Idempotency-Key': 'a' })).json).toEqual(opened.json);
    expect([(await create('20.08')).status, (await create('20.08')).status]).toEqual([401, 200]);
  });

  it('.09: are refused with 401 always', async () => {
    for (let i = 0; i < 3; i++) expect((await create('10.09', { 'Idempotency-Key': 'a' })).status).toBe(401);
  });

  it('are opened once under one Idempotency-Key, which another body may not have', async () => {
    const [first, second] = [await create('1', { 'Idempotency-Key': 'k' }), await create('1', { 'Idempotency-Key': 'k' })];
    expect(second.json).toEqual(first.json);
    expect((await create('1', { 'Idempotency-Key': 'l' })).json).not.toEqual(first.json);
    expect(await create('2', { 'Idempotency-Key': 'k' })).toMatchObject({ status: 400, json: { error_code: 'IDEMPOTENCY_MISMATCH' } });
  });

  it('tell of a service that does not answer', async () => {
    const id = await open('1');
    await service.close();
    expect((await sheet(id)).json).toMatchObject({ payment_status: 'paid', complete_order: [{ status: 0 }] });
    await service.start();
  });

  it('have no sheet before the host app is configured', async () => {
    const fresh = new SandboxHostApp(time);
    const opened = await fresh.start({ host: '127.0.0.1', port: 0 });
    try {
      expect(await call(`${opened.url}/sandbox/payments/pay_1/pay`, { method: 'POST' })).toMatchObject({ status: 401 });
    } finally {
      await opened.close();
    }
  });
});

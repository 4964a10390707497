import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operatorToken } from '../support/service/service';
import { aPairOver, type Pair } from '../support/signatures/a-pair';
import { SigningPartner } from '../support/signatures/signing-partner';
import { medianTurn, maxTurnMs } from './longest-turn';
import { rawCall, type RawAnswer, type RawRequest } from './raw-call';
import { startWatched, type WatchedService } from './watched-service';

const path = '/api/v1/orders/create-order-payment/';
const signer = SigningPartner.withSecret('hostile-lists-0123456789-abcdefghijklmnopq');

/** Orders of 240 kB, as much as a body takes: of one long text, of escapes, and of many small values. */
const values = [
  `"${'x'.repeat(240_000)}"`,
  `"${'é'.repeat(120_000)}"`,
  `[${Array(3_900)
    .fill(`${'['.repeat(30)}${']'.repeat(30)}`)
    .join()}]`,
  `[${Array(120_000).fill('1').join()}]`,
];
const orders = 120;

let service: WatchedService;
let hostApp: Server;
let pair: Pair;

beforeAll(async () => {
  hostApp = createServer((request, response) => {
    request.resume();
    response.setHeader('Content-Type', 'application/json').end(`{"order_payment_id":"${randomUUID()}"}`);
  });
  await once(hostApp.listen(0, '127.0.0.1'), 'listening');
  service = await startWatched(process.env['HOSTILE_BUILD']);
  pair = await aPairOver(`http://127.0.0.1:${String(service.port)}`, {
    hostApp: { create_order_payment_url: `http://127.0.0.1:${String((hostApp.address() as AddressInfo).port)}/create` },
    miniapp: { signature: signer.settings },
  });
  for (let n = 0; n < orders; n++) expect(await call(anOrder(n))).toMatchObject({ status: 200 });
}, 120_000);
afterAll(async () => {
  await service.stop();
  hostApp.close();
});

const call = (request: RawRequest): Promise<RawAnswer> => rawCall(service.port, request);

/** An order of the user `u`, of one of the four kinds. */
function anOrder(n: number): RawRequest {
  const order = `{"currency":"USD","amount":"1.10","miniapp_order_id":"order-${String(n)}","hostapp_user_id":"u","a":${values[n % values.length]!}}`;
  const body = Buffer.from(`{"client_id":"${pair.clientId}","app_id":"${pair.appId}","order":${order}}`);
  const signed = signer.headers({ method: 'POST', url: `http://platform.example${path}`, payload: body, at: Date.now() });
  return { method: 'POST', target: path, headers: Object.entries({ 'Content-Type': 'application/json', ...signed }), body };
}

function managed(method: string, target: string, body?: object): RawRequest {
  const headers = { Authorization: `Bearer ${operatorToken}`, ...(body && { 'Content-Type': 'application/json' }) };
  return {
    ...{ method, target: `/manage/v1/${target}`, headers: Object.entries(headers) },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  };
}

describe(`${String(orders)} orders of 240 kB take no turn of 50 ms of processor time`, () => {
  it('in a list of payments', async () => {
    const { ms, result } = await medianTurn(service, () => call(managed('GET', 'payments?limit=200')));
    const { data } = JSON.parse(result.body) as { data: object[] };
    expect(data).toHaveLength(orders);
    expect(data[0]).toMatchObject({ amount: '1.10', currency: 'USD', order_id: `order-${String(orders - 1)}` });
    expect(ms).toBeLessThanOrEqual(maxTurnMs);
  }, 120_000);

  const user = () => ({ client_id: pair.clientId, reference: 'u' });

  it('in the export of their user', async () => {
    const { ms, result } = await medianTurn(service, () => call(managed('POST', 'users/export', user())));
    const { payments, is_cut: isCut } = JSON.parse(result.body) as { payments: { order: { order: { a: unknown } } }[]; is_cut: boolean };
    expect({ payments: payments.length, isCut }).toEqual({ payments: orders, isCut: false });
    expect(JSON.stringify(payments[0]!.order.order.a)).toBe(values[0]);
    expect(ms).toBeLessThanOrEqual(maxTurnMs);
  }, 120_000);

  it('in the erasure of their user', async () => {
    await service.collectGarbage();
    const erased = await call(managed('POST', 'users/erase', user()));
    const ms = await service.longestTurnMs();
    expect(JSON.parse(erased.body)).toMatchObject({ removed: { payments: orders } });
    expect(ms).toBeLessThanOrEqual(maxTurnMs);
  }, 120_000);
});

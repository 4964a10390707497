import fc from 'fast-check';
import { Agent, request } from 'node:http';
import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import { SystemClock } from '../../../src/adapters/out/system/system-clock';
import { T } from '../../../src/composition/tokens/tokens';
import type { Pair } from '../../support/signatures/a-pair';
import { amount, anyObject, coordinate, flag, list, objectWith, text, whole, type Spelt } from '../../support/json-model';
import { startTestService, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';

const runs = inThisForm({ short: 80, long: 400 });
const ordersInRun = 25;

const item = objectWith({}, { product_name: text, product_sku: text, quantity: whole, price: amount, discount: amount });
const address = objectWith({}, { address1: text, city: text, phone: text, latitude: coordinate, longitude: coordinate });
const order = objectWith(
  { currency: fc.constantFrom('USD', 'SGD', '€').map((code): Spelt => ({ sent: `"${code}"`, left: `"${code}"` })), amount },
  {
    ...{ subtotal_amount: amount, tax_amount: amount, tax_title: text, taxes_included: flag, note: text, miniapp_order_id: text },
    ...{ items: fc.array(item, { maxLength: 3 }).map(list), shipping_address: address, custom_attributes: anyObject },
  },
);
/** An order, and what the host app says of the payment that it opens for it. */
const relay = fc.record({ order, attributes: anyObject });

let service: TestService;
let hostApp: StubPayingHostApp;
let pair: Pair;
const agent = new Agent({ keepAlive: true, maxSockets: ordersInRun });
/** What the host app answers to a request, and what it was sent, by request id. */
const answers = new Map<string, string>();
const received = new Map<string, string>();

beforeAll(async () => {
  // Where payments are kept takes no part in relaying, and takes most of the time.
  const payments = new MemoryOrderPaymentRepository(new SystemClock());
  service = await startTestService({ change: (container) => void container.rebind(T.orderPayments).toConstantValue(payments) });
  hostApp = await new StubPayingHostApp().start();
  hostApp.on('/create', (incoming, response) => {
    const id = String(incoming.headers['x-request-id']);
    received.set(id, incoming.body.toString('utf8'));
    hostApp.store.length = 0;
    return json(answers.get(id) ?? '')(incoming, response);
  });
  pair = await aPayingPair(service, hostApp);
});
afterAll(async () => {
  agent.destroy();
  await hostApp.stop();
  await service.close();
});

function post(body: string, requestId: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'X-Request-Id': requestId };
    const sent = request(`${service.url}/api/v1/orders/create-order-payment/`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

let relayed = 0;
async function expectUnchanged(given: { order: Spelt; attributes: Spelt }): Promise<void> {
  const id = `lossless-${String(++relayed)}`;
  answers.set(id, `{"custom_attributes": ${given.attributes.sent} ,"order_payment_id":"${id}"}`);
  const { clientId, appId } = pair;
  const answer = await post(`{"client_id":"${clientId}","order":${given.order.sent},"app_id":"${appId}"}`, id);
  expect(received.get(id)).toBe(`{"app_id":"${appId}","order":${given.order.left}}`);
  expect(answer).toBe(`{"order_payment_id":"${id}","custom_attributes":${given.attributes.left}}`);
  answers.delete(id);
  received.delete(id);
}

it(
  'R30: orders and their answers keep member order, number text and strings',
  async () => {
    const began = performance.now();
    const seed = Math.floor(chanceOf('lossless')() * 2 ** 31);
    const batch = fc.array(relay, { minLength: ordersInRun, maxLength: ordersInRun });
    const property = fc.asyncProperty(batch, async (orders) => {
      await Promise.all(orders.map(expectUnchanged));
    });
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
    figure('R30', { relayed, altered: 0 }, began);
    expect(relayed).toBe(runs * ordersInRun);
  },
  within(60_000, 300_000),
);

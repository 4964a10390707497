import { openPlayground } from '../../../src/sandbox/playground/open-playground';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import type { SandboxPair } from '../../../src/sandbox/setup/sandbox-pair';
import { setUpSandbox } from '../../../src/sandbox/setup/set-up-sandbox';
import { setUpShop, type SignedShop } from '../../../src/sandbox/setup/set-up-shop';
import { operatorToken, startTestService, until, type TestService } from '../../support/service/service';
import { call } from '../../unit/sandbox/call';

const loopback = { host: '127.0.0.1', port: 0 };
const publicUrl = 'https://platform.example';
const createPath = '/api/v1/orders/create-order-payment/';
const order = { currency: 'USD', amount: '24.90' };

interface Leg {
  readonly call: string;
  readonly proof?: string;
  readonly details: Readonly<Record<string, string>>;
}

describe("the playground's shop", () => {
  const [hostApp, miniapp] = [new SandboxHostApp(), new SandboxMiniapp()];
  const close: (() => Promise<void>)[] = [];
  let service: TestService;
  let pair: SandboxPair;
  let shop: SignedShop;
  let urls: { hostApp: string; shop: string };

  beforeAll(async () => {
    service = await startTestService({ env: { PUBLIC_BASE_URL: publicUrl } });
    const [hostAppServer, miniappServer] = [await hostApp.start(loopback), await miniapp.start(loopback)];
    close.push(hostAppServer.close, miniappServer.close);
    urls = { hostApp: hostAppServer.url, shop: miniappServer.url };
    const at = { serviceUrl: service.url, operatorToken };
    const partners = { hostApp: { partner: hostApp, url: urls.hostApp }, miniapp: { partner: miniapp, url: urls.shop } };
    pair = await setUpSandbox({ ...at, ...partners });
    const { clientId } = pair;
    await setUpShop({ ...at, clientId, miniapp: partners.miniapp });
    // As at the next start, whose secrets file was lost.
    shop = await setUpShop({ ...at, clientId, miniapp: partners.miniapp });
    openPlayground({ ...at, ...partners, folder: __dirname, publicUrl, pair, shop, time: { aheadMs: 0 } });
    service.canary(shop.signature.key);
  });
  afterAll(async () => {
    for (const one of close) await one();
    await service.close();
  });

  const buy = async (): Promise<string> => {
    const { json } = await call(`${urls.shop}/shop/orders`, { body: { order } });
    const id = String(json.order_payment_id);
    await call(`${urls.hostApp}/sandbox/payments/${id}/pay`, { method: 'POST' });
    return id;
  };
  const legs = async (): Promise<readonly Leg[]> => (await call(`${urls.hostApp}/sandbox/legs`)).json.data as readonly Leg[];

  it('signs its order and gets a signed webhook, as the panel shows', async () => {
    const id = await buy();
    expect((await call(`${urls.shop}/shop/orders/${id}/poll`, { method: 'POST' })).json).toEqual({ payment_status: 'paid' });
    expect((await call(`${urls.shop}/shop/events`, { body: { event_type: 'ticket.booked', payload: {} } })).status).toBe(200);
    const expected = [createPath, '/api/v1/events/miniapp/', '/api/v1/orders/get-payment-status/', '/webhook'].map(
      (path) => `POST ${path}`,
    );
    const shown = await until(legs, (found) => [...expected, 'POST /payments'].every((one) => found.some((leg) => leg.call === one)));
    const signed = shown.filter(({ proof }) => proof === 'signed (HMAC)').map((leg) => leg.call);
    expect(signed.sort()).toEqual(expected.sort());
    expect(shown.find((leg) => leg.call === `POST ${createPath}`)?.details).toMatchObject({
      'Checks passed': 'signature',
      Signature: 'HMAC with SHA-256, made by the miniapp, checked by Pierhead',
    });
    expect((await call(`${urls.shop}/shop/orders/${id}`)).json).toEqual({ payment_status: 'paid' });
  });

  it('signs users on and receives events with signed calls', async () => {
    expect((await call(`${urls.hostApp}/sandbox/connect`, { body: { reference: 'user-mia-0001' } })).json).toMatchObject({
      token: expect.any(String),
    });
    const news = { event_type: 'departure.changed', payload: { text: 'pier 3' } };
    expect((await call(`${urls.hostApp}/sandbox/events/send`, { body: news })).json).toMatchObject({ received: news.event_type });
    expect((await call(`${urls.shop}/shop/news`)).json).toMatchObject({ text: 'pier 3' });
  });

  it('gets nothing without a signature, while the miniapp beside it needs its address only', async () => {
    const unsigned = (appId: string) => service.call('POST', createPath, { body: { client_id: pair.clientId, app_id: appId, order } });
    expect(await unsigned(shop.appId)).toMatchObject({ status: 401, body: { error_code: 'MISSING_HEADER' } });
    expect((await unsigned(pair.appId)).status).toBe(200);
  });

  it('refuses everything without a signature by its secret', async () => {
    const before = miniapp.webhooks().length;
    const body = { order_payment_id: 'pay_forged', payment_status: 'paid' };
    for (const appId of [shop.appId, pair.appId]) {
      const headers = { 'X-Hostapp-Client-ID': pair.clientId, 'X-Miniapp-App-ID': appId };
      expect((await call(`${urls.shop}/webhook`, { headers, body })).status).toBe(401);
    }
    expect(miniapp.webhooks()).toHaveLength(before);
  });
});

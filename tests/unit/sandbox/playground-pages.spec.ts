import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlayground } from '../../../src/sandbox/playground/open-playground';
import type { OpenServer } from '../../../src/sandbox/open-server';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { setUpSandbox } from '../../../src/sandbox/setup/set-up-sandbox';
import type { SandboxPair } from '../../../src/sandbox/setup/sandbox-pair';
import { call } from './call';
import { ToyPierhead } from './toy-pierhead';

const loopback = { host: '127.0.0.1', port: 0 };
const mia = { reference: 'user-mia-0001' };

describe('the pages of the sandbox and the back ends behind them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-pages-'));
  const pierhead = new ToyPierhead();
  const [hostApp, miniapp] = [new SandboxHostApp(), new SandboxMiniapp()];
  const servers: OpenServer[] = [];
  let pair: SandboxPair;
  let host: string;
  let shop: string;

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'host-app.html'), '<title>host</title>');
    writeFileSync(join(folder, 'assets/page.js'), '1;');
    await pierhead.start();
    servers.push(await hostApp.start(loopback), await miniapp.start(loopback));
    [host, shop] = [servers[0]!.url, servers[1]!.url];
    const partners = { hostApp: { partner: hostApp, url: host }, miniapp: { partner: miniapp, url: shop } };
    const at = { serviceUrl: pierhead.url, operatorToken: pierhead.token };
    pair = await setUpSandbox({ ...at, ...partners });
    // The toy service signs nothing and checks no signature: here the pair's own miniapp is the shop.
    const signature = { algorithm: 'HMAC', key: 'a-secret-of-the-shop', apiClientId: 'cid_1' } as const;
    const shopOfPair = { appId: pair.appId, signature };
    openPlayground({ ...at, ...partners, folder, publicUrl: pierhead.url, pair, shop: shopOfPair, time: { aheadMs: 0 } });
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await pierhead.close();
    rmSync(folder, { recursive: true });
  });

  const policyOf = async (url: string): Promise<string[]> => ((await fetch(url)).headers.get('content-security-policy') ?? '').split(';');

  it('have a policy that allows only their own files, the service and the miniapp’s frame', async () => {
    const policy = await policyOf(`${host}/`);
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'self'", `connect-src 'self' ${pierhead.url}`, `frame-src ${shop}`, "frame-ancestors 'none'"]),
    );
    expect(policy.join()).not.toContain('script-src');
    expect((await fetch(`${host}/assets/page.js`)).headers.get('cache-control')).toContain('immutable');
  });

  it('give way where a page was not built', async () => {
    expect((await call(`${shop}/`)).text).toContain('The page of the simulated miniapp');
  });

  it('show the host page its users and the URL of the service, but no secret', async () => {
    const { text, json } = await call(`${host}/sandbox/playground`);
    expect(json).toMatchObject({ service: pierhead.url, client_id: pair.clientId, app_id: pair.appId });
    for (const secret of [pierhead.token, pair.secretKey, pair.miniappSecretKey, 'a-secret-of-the-shop'])
      expect(text).not.toContain(secret);
  });

  it('sign a user on in the direct flow, and refuse an unknown user', async () => {
    expect((await call(`${host}/sandbox/connect`, { body: mia })).json).toMatchObject({ token: expect.any(String) });
    const before = miniapp.calls().length;
    expect((await call(`${host}/sandbox/connect`, { body: { reference: 'nobody' } })).json).toMatchObject({ error_code: 'INVALID_INPUT' });
    expect(miniapp.calls()).toHaveLength(before);
  });

  it('open a payment for the shop with the amount as it was sent', async () => {
    const order = { currency: 'USD', amount: '24.90' };
    const { json } = await call(`${shop}/shop/orders`, { body: { order } });
    const payment = String(json.order_payment_id);
    expect((await call(`${host}/sandbox/payments/${payment}`)).json).toMatchObject({ amount: '24.90' });
    expect((await call(`${shop}/shop/orders/${payment}`)).json).toEqual({ payment_status: null });
    const refused = await call(`${shop}/shop/orders`, { body: { order: { ...order, amount: '1.234' } } });
    expect([refused.status, refused.json.error_code]).toEqual([502, 'INVALID_ORDER_DATA']);
  });

  it('turn the dials of the miniapp through the host app', async () => {
    await call(`${host}/sandbox/miniapp/dials`, { method: 'PUT', body: { error_percent: 100 } });
    expect((await call(`${shop}/sandbox/dials`)).json).toMatchObject({ error_percent: 100 });
    await call(`${host}/sandbox/miniapp/reset`, { method: 'POST' });
    expect((await call(`${host}/sandbox/miniapp/dials`)).json).toMatchObject({ error_percent: 0 });
  });

  it.each(['-1', '1e3', 'x', '1&from=2'])('refuse legs from %s', async (from) => {
    expect((await call(`${host}/sandbox/legs?from=${from}`)).json).toMatchObject({ error_code: 'INVALID_INPUT' });
  });
});

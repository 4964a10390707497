import { Agent } from 'node:https';
import { aPairOver, type Pair } from '../support/signatures/a-pair';
import { openTestDatabase, type TestDatabase } from '../support/postgres/database';
import { Nginx } from '../support/service/nginx';
import { Instances } from '../faults/harness/instances';
import { SigningPartner } from '../support/signatures/signing-partner';
import { StubPayingHostApp } from '../support/partners/stub-payments';
import { json } from '../support/partners/stub-behaviours';
import { StubMiniapp } from '../support/partners/stub-sign-on';

const publicBase = 'https://platform.example';
/** As compose.yaml sets it, but for addresses of this machine. */
const env = {
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_BASE_URL: publicBase, TRUSTED_PROXIES: '127.0.0.1', SHEDDING: 'on' },
  ...{ PARTNER_HTTP: 'allow', PARTNER_NETWORKS: '127.0.0.0/8' },
};
const partner = '127.0.0.2';
const stranger = '127.0.0.3';

let database: TestDatabase;
let instances: Instances;
let nginx: Nginx;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
beforeAll(async () => {
  database = await openTestDatabase('postgres');
  instances = await Instances.start(database, 2, env);
  const [first, second] = instances.serving.map(({ url }) => Number(new URL(url).port));
  nginx = await Nginx.start([first ?? 0, second ?? 0]);
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  miniapp.on('/webhook', json({ ok: true }));
}, 120_000);
afterAll(async () => {
  await nginx.stop();
  await instances.stop();
  await hostApp.stop();
  await miniapp.stop();
  await database.close();
}, 60_000);

const manageUrl = (): string => instances.by(0).url;
const connectBody = ({ clientId, appId }: Pair): string =>
  JSON.stringify({ client_id: clientId, app_id: appId, user_data: { reference: 'user-1', email: 'mia@example.com' } });

describe('two instances behind nginx as it is shipped', () => {
  it("sees the caller's own address on allowlists, whatever the caller claims", async () => {
    const allowlist = { ip_whitelist: { enabled: true, addresses: [partner] } };
    const pair = await aPairOver(manageUrl(), { hostAppUrl: hostApp.url, miniappUrl: miniapp.url, hostApp: allowlist });
    const connect = (localAddress: string, claimed: Record<string, string> = {}) =>
      nginx.call('POST', '/api/v1/connect/', { body: connectBody(pair), headers: { ...pair.basic, ...claimed }, localAddress });
    expect((await connect(partner)).status).toBe(200);
    const refused = await connect(stranger);
    expect([refused.status, refused.body.error_code]).toEqual([403, 'NOT_A_WHITELISTED_IP']);
    expect((await connect(stranger, { 'X-Forwarded-For': partner })).status).toBe(403);
    expect((await connect(stranger, { 'X-Real-IP': partner, Forwarded: `for=${partner}` })).status).toBe(403);
  });

  it.each([
    ['HMAC', () => SigningPartner.withSecret('a-shared-secret-of-more-than-32-bytes')],
    ['ECDSA', () => SigningPartner.withEcKey('P-256')],
  ])('lets signatures through to the byte: %s', async (_name, make) => {
    const signer = make();
    const settings = {
      hostAppUrl: hostApp.url,
      miniappUrl: miniapp.url,
      hostApp: hostApp.paymentUrls,
      miniapp: { signature: signer.settings },
    };
    const pair = await aPairOver(manageUrl(), settings);
    const path = '/api/v1/orders/create-order-payment/?shown=a%20b%2Fc&empty=';
    const body = `{ "client_id":"${pair.clientId}", "app_id":"${pair.appId}",\n "order":{"currency":"USD","amount":"1.10","note":"größer 😀"}}`;
    const headers = signer.headers({ method: 'POST', url: publicBase + path, payload: body, at: Date.now() });
    const sent = await nginx.call('POST', path, { body, headers });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('order_payment_id')]);
    expect((await nginx.call('POST', path.replace('a%20b', 'a+b'), { body, headers })).body.error_code).toBe('INVALID_SIGNATURE');
  });

  it('hides health and metrics from the outside, and refuses bodies that are far too large', async () => {
    expect((await nginx.call('GET', '/health/ready')).status).toBe(404);
    expect((await nginx.call('GET', '/metrics')).status).toBe(404);
    const tooLarge = (bytes: number) => nginx.call('POST', '/api/v1/connect/', { body: `{"a":"${'x'.repeat(bytes)}"}` });
    expect((await tooLarge(300_000)).body).toMatchObject({ custom_attributes: { request_id: expect.any(String) as string } });
    expect((await tooLarge(2_000_000)).status).toBe(413);
  });

  it('loses no request while one instance is stopped and another one replaces it', async () => {
    const pair = await aPairOver(manageUrl(), { hostAppUrl: hostApp.url, miniappUrl: miniapp.url });
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const statuses: number[] = [];
    let going = true;
    const caller = async (): Promise<void> => {
      while (going) {
        const { status } = await nginx.call('POST', '/api/v1/connect/', { body: connectBody(pair), headers: pair.basic, agent });
        statuses.push(status);
      }
    };
    const callers = Array.from({ length: 8 }, () => caller());
    const answered = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const poll = setInterval(() => {
          if (statuses.length < count) return;
          clearInterval(poll);
          resolve();
        }, 20);
      });
    await answered(50);
    expect(await instances.serving[1]?.end('SIGTERM')).toBe(0);
    await answered(statuses.length + 100);
    going = false;
    await Promise.all(callers);
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([200]));
  }, 120_000);
});

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { sandboxIds, setUpSandbox } from '../../../src/sandbox/setup/set-up-sandbox';
import { setUpShop, shopAppId } from '../../../src/sandbox/setup/set-up-shop';
import { ToyPierhead } from './toy-pierhead';

describe("setting the playground's shop up", () => {
  let folder: string;
  let secretsFile: string;
  let pierhead: ToyPierhead;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-'));
    secretsFile = join(folder, 'sandbox-secrets');
    pierhead = await new ToyPierhead().start();
  });
  afterEach(async () => {
    await pierhead.close();
    await rm(folder, { recursive: true });
  });

  /** A start of the service: the pair, and then the shop. */
  const start = async () => {
    const miniapp = { partner: new SandboxMiniapp(), url: 'http://127.0.0.1:8091' };
    const at = { serviceUrl: pierhead.url, operatorToken: pierhead.token, miniapp, secretsFile };
    const hostApp = { partner: new SandboxHostApp(), url: 'http://127.0.0.1:8090' };
    const pair = await setUpSandbox({ ...at, hostApp, ids: sandboxIds });
    return { pair, shop: await setUpShop({ ...at, clientId: pair.clientId }) };
  };
  const keptSecrets = async () => JSON.parse(await readFile(secretsFile, 'utf8')) as Record<string, string>;

  it('registers a second miniapp with the same back end, which signs with the defaults', async () => {
    const { shop } = await start();
    expect(shopAppId).toMatch(/^app_[A-Za-z0-9]{6}$/);
    expect(pierhead.partners.get(shopAppId)).toMatchObject({
      webhook_url: 'http://127.0.0.1:8091/webhook',
      ip_whitelist: { enabled: false },
      signature: { enabled: true, algorithm: 'HMAC', hmac_secret: shop.signature.key, api_client_id: shop.signature.apiClientId },
    });
    expect(Buffer.byteLength(shop.signature.key)).toBeGreaterThanOrEqual(32);
    expect(pierhead.integrations.get(`${sandboxIds.clientId}/${shopAppId}`)).toMatchObject({ status: 'accepted' });
    expect(pierhead.partners.get(sandboxIds.appId)).not.toHaveProperty('signature');
  });

  it('keeps both secrets in the file for its owner alone, and uses them at the next start', async () => {
    const first = await start();
    const kept = await keptSecrets();
    expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
    expect(kept).toMatchObject({
      shop_hmac_secret: first.shop.signature.key,
      shop_secret_key: pierhead.partners.get(shopAppId)?.secret_key,
    });
    expect((await start()).shop).toEqual(first.shop);
    expect(await keptSecrets()).toEqual(kept);
  });

  it('adds the shop to an older file and keeps the secrets of the pair', async () => {
    const { pair } = await start();
    const { shop_hmac_secret: _hmac, shop_secret_key: _key, ...older } = await keptSecrets();
    await writeFile(secretsFile, JSON.stringify(older));
    pierhead.partners.delete(shopAppId);
    const next = await start();
    expect([next.pair.secretKey, next.pair.miniappSecretKey]).toEqual([pair.secretKey, pair.miniappSecretKey]);
    expect(await keptSecrets()).toMatchObject({ ...older, shop_hmac_secret: next.shop.signature.key });
  });
});

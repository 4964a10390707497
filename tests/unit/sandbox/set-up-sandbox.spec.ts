import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { removeSandbox, sandboxIds, setUpSandbox } from '../../../src/sandbox/setup/set-up-sandbox';
import { call, basic } from './call';
import { ToyPierhead } from './toy-pierhead';

describe('setting the sandbox up', () => {
  let folder: string;
  let secretsFile: string;
  let pierhead: ToyPierhead;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    secretsFile = join(folder, 'sandbox-secrets');
    pierhead = await new ToyPierhead().start();
  });
  afterEach(async () => {
    await pierhead.close();
    await rm(folder, { recursive: true });
  });

  const setUp = (operatorToken = pierhead.token) =>
    setUpSandbox({
      serviceUrl: pierhead.url,
      operatorToken,
      hostApp: { partner: new SandboxHostApp(), url: 'http://127.0.0.1:8090' },
      miniapp: { partner: new SandboxMiniapp(), url: 'http://127.0.0.1:8091' },
      ids: sandboxIds,
      secretsFile,
    });

  it('registers both partners and their accepted integration', async () => {
    const pair = await setUp();
    expect(pair).toMatchObject(sandboxIds);
    expect(pierhead.partners.get(pair.clientId)).toMatchObject({
      secret_key: pair.secretKey,
      access_token_url: 'http://127.0.0.1:8090/oauth/token',
      user_data_url: 'http://127.0.0.1:8090/user',
      features: { sso: true, payments: true, events: true },
    });
    expect(pierhead.partners.get(pair.appId)).toMatchObject({
      secret_key: pair.miniappSecretKey,
      get_auth_token_url: 'http://127.0.0.1:8091/auth',
      ip_whitelist: { enabled: true, addresses: ['127.0.0.1', '::1'] },
      features: { sso: true, payments: true, events: true },
    });
    const integration = { status: 'accepted', features: { sso: true, payments: true, events: true } };
    expect(pierhead.integrations.get(`${pair.clientId}/${pair.appId}`)).toEqual(integration);
  });

  it('uses ids of the specified form', () => {
    expect(sandboxIds.clientId).toMatch(/^host_[A-Za-z0-9]{12}$/);
    expect(sandboxIds.appId).toMatch(/^app_[A-Za-z0-9]{6}$/);
  });

  it('keeps the secrets in a file for its owner alone, and uses them at the next start', async () => {
    const first = await setUp();
    expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
    expect(await readFile(secretsFile, 'utf8')).toContain(first.secretKey);
    const second = await setUp();
    expect([second.secretKey, second.miniappSecretKey]).toEqual([first.secretKey, first.miniappSecretKey]);
  });

  it.each([
    ['was lost', (file: string) => rm(file)],
    ['is damaged', (file: string) => writeFile(file, '{')],
    ['is of another database', (file: string) => writeFile(file, '{"host_app_secret_key":"old","miniapp_secret_key":"old"}')],
  ])('rotates the secrets when the file %s', async (_how, damage) => {
    const first = await setUp();
    await damage(secretsFile);
    const second = await setUp();
    expect(second.secretKey).not.toBe(first.secretKey);
    expect(pierhead.partners.get(second.clientId)?.secret_key).toBe(second.secretKey);
    expect(pierhead.partners.get(second.appId)?.secret_key).toBe(second.miniappSecretKey);
  });

  it('updates existing partners to the URLs where the sandbox listens now', async () => {
    const { clientId } = await setUp();
    pierhead.partners.set(clientId, { ...pierhead.partners.get(clientId), user_data_url: 'http://127.0.0.1:1/user' });
    await setUp();
    expect(pierhead.partners.get(clientId)?.user_data_url).toBe('http://127.0.0.1:8090/user');
  });

  it('tells the partners whom to trust', async () => {
    const hostApp = new SandboxHostApp();
    const miniapp = new SandboxMiniapp();
    const [hostAppServer, miniappServer] = [
      await hostApp.start({ host: '127.0.0.1', port: 0 }),
      await miniapp.start({ host: '127.0.0.1', port: 0 }),
    ];
    try {
      const { url: serviceUrl, token: operatorToken } = pierhead;
      const started = { hostApp: { partner: hostApp, url: hostAppServer.url }, miniapp: { partner: miniapp, url: miniappServer.url } };
      const pair = await setUpSandbox({ serviceUrl, operatorToken, ...started });
      const ids = { 'X-Hostapp-Client-ID': pair.clientId, 'X-Miniapp-App-ID': pair.appId };
      const asMiniapp = { ...ids, Authorization: basic(pair.appId, pair.miniappSecretKey) };
      expect((await call(`${miniappServer.url}/auth`, { headers: asMiniapp, body: { reference: 'r' } })).status).toBe(200);
      const stored = pierhead.partners.get(pair.clientId);
      const asPlatform = { ...ids, Authorization: basic(String(stored?.host_app_client_id), String(stored?.host_app_secret_key)) };
      const body = { event_type: 'hello', payload: {} };
      expect((await call(`${hostAppServer.url}/events`, { headers: asPlatform, body })).status).toBe(200);
    } finally {
      await hostAppServer.close();
      await miniappServer.close();
    }
  });

  it('takes the pair out again', async () => {
    const pair = await setUp();
    await removeSandbox({ serviceUrl: pierhead.url, operatorToken: pierhead.token }, pair);
    expect(pierhead.partners.size).toBe(0);
  });

  it('says which call the manage API refused, and never the token', async () => {
    await expect(setUp('wrong-token')).rejects.toThrow(/^GET host-apps\/host_sandbox00001: 401 Unauthorized$/);
  });
});

import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerListen } from '../../../src/composition/commands/listen-command';
import type { Pair } from '../../support/signatures/a-pair';
import { runCommand, startCommand } from '../../support/service/command-line';
import { operatorToken, startTestService, until, type TestService } from '../../support/service/service';
import { json, redirect, refusalOf } from '../../support/partners/stub-behaviours';
import { StubPartner, type Received } from '../../support/partners/stub-partner';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

const secret = 'CANARY-a-shared-secret-of-more-than-32-bytes';
let folder: string;
let tokenFile: string;
let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let laptop: StubPartner;
let pair: Pair;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listen-'));
  tokenFile = join(folder, 'token');
  await writeFile(tokenFile, `${operatorToken}\n`);
  service = await startTestService();
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  laptop = await new StubPartner().start();
  miniapp.on('/webhook', json({ ok: true }));
  const signature = {
    ...{ enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: service.canary(secret), nonce_length: 24 },
    payload_template: '{request_method}.{url}.{client_id}.{timestamp}.{nonce}.{payload}',
    webhook_signature: true,
  };
  pair = await aPayingPair(service, hostApp, {
    miniappUrl: miniapp.url,
    miniapp: { webhook_url: `${miniapp.url}/webhook`, signature, ip_whitelist: { enabled: false, addresses: [] } },
  });
}, 60_000);
afterAll(async () => {
  await laptop.stop();
  await miniapp.stop();
  await hostApp.stop();
  await service.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  laptop.store.length = 0;
  laptop.on('/webhook', json({ ok: true })).on('/elsewhere', json({ ok: true }));
});

const at = () => ['--url', service.url, '--token-file', tokenFile];
/** A payment that is settled before the service knows of it, so that none has to be opened by a signed call. */
const paid = async (): Promise<string> => {
  const id = `op-${String(Math.random()).slice(2)}`;
  const { db } = service.database;
  await db.query(
    `insert into order_payments (id, integration_id, order_payment_id, creation, status, sealed_order, created_at)
     select $1, id, $2, 'opened', 'in_process', '', now() from integrations where client_id = $3`,
    [`pay-${id}`, id, pair.clientId],
  );
  const body = `{"app_id":"${pair.appId}","client_id":"${pair.clientId}","order_payment_id":"${id}","payment_status":"paid","custom_attributes":{"z":1.10,"a":12345678901234567.10}}`;
  expect((await service.call('POST', '/api/v1/orders/complete-order/', { body, headers: pair.basic })).status).toBe(200);
  return `pay-${id}`;
};
const delivery = async (id: string) => (await service.manage('GET', `deliveries/${id}`)).body;
const delivered = (id: string) =>
  until(
    () => delivery(id),
    ({ state }) => state === 'delivered',
  );
const headersOf = ({ rawHeaders }: Received): Map<string, string> => {
  const names = rawHeaders.filter((_text, i) => i % 2 === 0);
  // How a connection is kept is between the two that hold it.
  const entries = names.map((name, i) => [name, rawHeaders[2 * i + 1] ?? ''] as const);
  return new Map(entries.filter(([name]) => name.toLowerCase() !== 'connection'));
};
const atMiniapp = (id: string) => miniapp.at('/webhook').find(({ headers }) => headers['webhook-id'] === id)!;
const listen = (...more: string[]) => runCommand([registerListen], ['listen', ...at(), '--forward', `${laptop.url}/webhook`, ...more]);

it('forwards the bytes and headers of production, signed anew with a new time and nonce', async () => {
  const id = await paid();
  await delivered(id);
  const before = await delivery(id);
  const listening = startCommand(
    [registerListen],
    ['listen', ...at(), '--app', pair.appId, '--forward', laptop.url, '--since', '1h', '--json'],
  );
  const [atLaptop] = await until(
    async () => laptop.at('/webhook'),
    ({ length }) => length > 0,
  );
  const production = atMiniapp(id);
  expect(atLaptop!.body.equals(production.body)).toBe(true);
  expect(atLaptop!.method).toBe(production.method);
  const [here, there] = [headersOf(atLaptop!), headersOf(production)];
  const fresh = ['X-Timestamp', 'X-Nonce', 'X-Signature', 'webhook-timestamp', 'webhook-signature'];
  const lasting = (headers: Map<string, string>) =>
    [...headers]
      .filter(([name]) => !fresh.includes(name))
      .map(([name, value]) => [name.toLowerCase(), value])
      .sort();
  expect(lasting(here)).toEqual(lasting(there));
  expect([...here.keys()].filter((name) => fresh.includes(name)).sort()).toEqual([...fresh].sort());
  expect(here.get('X-Nonce')).not.toBe(there.get('X-Nonce'));

  const text = ['POST', `${miniapp.url}/webhook`, 'cid_1', here.get('X-Timestamp'), here.get('X-Nonce'), atLaptop!.body.toString()].join(
    '.',
  );
  const mac = (signed: string): Buffer => createHmac('sha256', secret).update(signed).digest();
  expect([mac(text).toString('base64'), mac(text).toString('hex')]).toContain(here.get('X-Signature'));
  const webhookText = `${id}.${here.get('webhook-timestamp') ?? ''}.${atLaptop!.body.toString()}`;
  expect(here.get('webhook-signature')).toBe(`v1,${mac(webhookText).toString('base64')}`);

  // Deliveries that come while it listens, and resent ones; the delivery itself is left alone.
  const next = await paid();
  await service.manage('POST', `deliveries/${id}/resend`);
  const seen = await until(
    async () => laptop.at('/webhook').map(({ headers }) => String(headers['webhook-id'])),
    ({ length }) => length > 2,
  );
  expect([seen[0], seen.slice(1).sort()]).toEqual([id, [id, next].sort()]);
  await delivered(next);
  expect((await delivery(id)).attempt_count).toBe(Number(before.attempt_count) + 1);
  listening.stop();
  const { code, out } = await listening.ended;
  expect(code).toBe(0);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; kind: string; status: number; ms: number });
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({ id, kind: 'completion', status: 200, ms: expect.any(Number) });
  expect(out).not.toContain(secret);
}, 30_000);

it("replays one delivery, prints the laptop's answer, and follows no redirect", async () => {
  const id = await paid();
  await delivered(id);
  expect(await listen('--replay', id)).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`${id}  completion  200  \\d+ ms\n`)),
  });
  laptop.on('/webhook', refusalOf('UNKNOWN_ERROR', { status: 500 }));
  expect(await listen('--replay', id)).toMatchObject({ code: 1, out: expect.stringContaining('  500  ') });
  laptop.on('/webhook', redirect(`${laptop.url}/elsewhere`));
  expect(await listen('--replay', id)).toMatchObject({ code: 1, out: expect.stringMatching(/ {2}30\d {2}/) });
  expect(laptop.at('/elsewhere')).toEqual([]);
  const nowhere = ['listen', ...at(), '--replay', id, '--forward', 'http://127.0.0.1:1/webhook'];
  expect(await runCommand([registerListen], nowhere)).toMatchObject({ code: 1, out: expect.stringContaining('– ECONNREFUSED') });
  const { data } = (await service.manage('GET', 'audit?limit=1')).body;
  expect(data).toMatchObject([{ action: 'delivery.request-shown', subject: `delivery:${id}` }]);
});

it('says which deliveries are not sent now, and why', async () => {
  const id = await paid();
  await delivered(id);
  await service.manage('PATCH', `miniapps/${pair.appId}`, { features: { payments: false } });
  const { code, out } = await listen('--replay', id);
  expect([code, out]).toEqual([1, expect.stringContaining('not sent now: FEATURE_DISABLED_IN_MINIAPP')]);
  await service.manage('PATCH', `miniapps/${pair.appId}`, { features: { payments: true } });
});

it.each<[string, readonly string[], string]>([
  ['no partner', [], 'name --app, --host-app or both'],
  ['a delivery that is not there', ['--replay', 'dlv_nobody'], 'there is no delivery dlv_nobody'],
  ['a time that is none', ['--app', 'app_x', '--since', 'yesterday'], 'must be a number with s, m, h or d'],
  ['a file that holds no token', ['--app', 'app_x', '--token-file', __filename], 'holds no operator token'],
  ['an address that is no web address', ['--app', 'app_x', '--forward', 'ftp://laptop/'], 'must be an http or https URL'],
])('cannot begin with %s', async (_what, more, message) => {
  expect(await listen(...more)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
});

it('is refused with the reason where the operator has it off', async () => {
  const id = await paid();
  const closed = await startTestService({ database: service.database, env: { DELIVERY_REQUESTS: 'off' } });
  const ran = await runCommand(
    [registerListen],
    ['listen', '--url', closed.url, '--token-file', tokenFile, '--replay', id, '--forward', laptop.url],
  );
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('DELIVERY_REQUESTS is off') });
  expect(laptop.store).toEqual([]);
  await closed.close();
}, 30_000);

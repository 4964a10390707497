import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { basicOf } from '../../support/signatures/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { Load, type LoadCall } from '../../support/load';
import {
  aRotatingPair,
  guard,
  hasBasic,
  hasHmac,
  hasKeySignature,
  Held,
  publicBaseUrl,
  signedHeaders,
  signing,
  type RotatingPair,
} from '../../support/partners/rotating-partners';
import { operatorToken } from '../../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';

/** The members of the manage API's answers that the test reads. */
interface Answer {
  readonly secret_key: string;
  readonly credentials: Readonly<
    Record<string, { readonly previous?: { readonly valid_until: string }; readonly next?: { readonly public_key?: string } }>
  >;
}

const perSecond = 200;
const graceS = 2;
/** What lies between the announcement of a new value and its promotion, and some. */
const announcedS = 2;
/** A change is known to every instance within a second (contract/authentication#rotation). */
const everywhereMs = 1000;
/** After the grace time, for each credential and instance. */
const probes = 25;

const notify = (...ids: string[]) => ids.map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(',');
const ecPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const hmacSecret = () => randomBytes(32).toString('base64');

// Two instances share a Postgres; the embedded database serves one.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

describeOnPostgres('rotation of every kind of credential, under load on two instances', () => {
  let database: TestDatabase;
  let url: string;
  let targets: ServiceProcess[];
  let turn = 0;
  const alive = new Set<ServiceProcess>();
  const start = async (keys: string): Promise<ServiceProcess> => {
    const limits = '{"authorize": 1000000, "basic-failure": 1000000}';
    const env = { DATABASE_URL: url, ENCRYPTION_KEYS: keys, PUBLIC_BASE_URL: publicBaseUrl, RATE_LIMITS: limits, LOG_LEVEL: 'info' };
    const service = await startServiceProcess(env);
    alive.add(service);
    return service;
  };
  const end = (service: ServiceProcess): Promise<number | null> => {
    alive.delete(service);
    return service.end('SIGTERM');
  };

  let basic: RotatingPair;
  let hmac: RotatingPair;
  let ec: RotatingPair;
  let held: Record<'hostSecret' | 'miniSecret' | 'hostAppSecret' | 'hmac' | 'partnerKey' | 'platformKey', Held>;
  const partnerKeys = new Map<string, KeyObject>();
  beforeAll(async () => {
    database = await openTestDatabase('postgres');
    url = database.target.kind === 'postgres' ? database.target.url : '';
    targets = await Promise.all([start(notify('k1', 'k2')), start(notify('k1', 'k2'))]);
    await setUp(targets[0]!.url);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...alive].map(end));
    await Promise.all([basic, hmac, ec].flatMap(({ hostApp, miniapp }) => [hostApp.stop(), miniapp.stop()]));
    await database.close();
  });

  async function setUp(service: string): Promise<void> {
    const [secret, keys] = [hmacSecret(), ecPair()];
    basic = await aRotatingPair(service, {});
    hmac = await aRotatingPair(service, { miniapp: signing('HMAC', { hmac_secret: secret }) });
    ec = await aRotatingPair(service, { miniapp: signing('ECDSA', { partner_public_key: pem(keys.publicKey) }) });
    partnerKeys.set(pem(keys.publicKey), keys.privateKey);
    held = {
      hostSecret: new Held(basic.hostSecret),
      miniSecret: new Held(basic.miniSecret),
      hostAppSecret: new Held('CANARY-host-app-secret-key'),
      hmac: new Held(secret),
      partnerKey: new Held(pem(keys.publicKey)),
      platformKey: new Held((await published(service))[0]!),
    };
    guard(basic.hostApp, '/token', (received) => held.hostAppSecret.proven(hasBasic(received, 'platform-at-host')));
    guard(basic.miniapp, '/auth', (received) => held.miniSecret.proven(hasBasic(received, basic.appId)));
    guard(hmac.miniapp, '/auth', (received) => held.hmac.proven(hasHmac(received, `${hmac.miniapp.url}/auth`)));
    guard(ec.miniapp, '/auth', (received) => held.platformKey.proven(hasKeySignature(received, `${ec.miniapp.url}/auth`)));
  }

  /** The platform's public keys for the app that signs with key pairs, as everybody can read them. */
  async function published(service: string): Promise<string[]> {
    const reply = await fetch(`${service}/.well-known/pierhead.json?app_id=${ec.appId}`);
    return ((await reply.json()) as { keys: { pem: string }[] }).keys.map((key) => key.pem);
  }

  const manage = async (path: string, body: object): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' };
    const reply = await fetch(`${targets[0]!.url}/manage/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${path}: ${String(reply.status)} ${text}`);
    return JSON.parse(text) as Answer;
  };

  const post = async (path: string, body: string, headers: Record<string, string>, to?: ServiceProcess): Promise<string | undefined> => {
    const service = to ?? targets[turn++ % targets.length]!;
    const reply = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    const text = await reply.text();
    return reply.ok ? undefined : `${String(reply.status)} ${text}`;
  };
  let made = 0;
  const ids = ({ clientId, appId }: RotatingPair, more: object) => JSON.stringify({ client_id: clientId, app_id: appId, ...more });
  const connectBody = (pair: RotatingPair) =>
    ids(pair, { user_data: { reference: `user-${String(made++ % 50)}`, email: 'a@example.com' } });
  const connect = (pair: RotatingPair, secret = pair.hostSecret, to?: ServiceProcess) =>
    post('/api/v1/connect/', connectBody(pair), basicOf(pair.clientId, secret), to);
  const report = (secret: string, to?: ServiceProcess) =>
    post(
      '/api/v1/analytics/miniapp-transactions/',
      JSON.stringify({ transaction_id: `tx-${String(made++)}`, amount: '1.10', currency: 'USD' }),
      { ...basicOf(basic.appId, secret), 'X-Miniapp-App-Id': basic.appId, 'X-Hostapp-Client-Id': basic.clientId },
      to,
    );
  const authorize = () => {
    const code = `code-${String(made++)}`;
    basic.hostApp.knows(code, { reference: `user-${code}` });
    return post('/api/v1/authorize/', ids(basic, { auth_code: code }), {});
  };
  const event = (pair: RotatingPair, key: string | KeyObject, to?: ServiceProcess) => {
    const [path, body] = ['/api/v1/events/miniapp/', ids(pair, { event_type: 'ping', payload: { n: made++ } })];
    return post(path, body, signedHeaders(path, body, key), to);
  };
  const privateKeyOf = (publicKey: string) => partnerKeys.get(publicKey)!;

  /** Each call proves its sender by a credential that is rotated, its way on is proven by another, or both. */
  const calls = (): readonly (readonly [string, LoadCall])[] => [
    ['connect: host app secret_key in, miniapp secret_key out', () => connect(basic, held.hostSecret.next())],
    ['analytics: miniapp secret_key in', () => report(held.miniSecret.next())],
    ['authorize: host_app_secret_key out', authorize],
    ['events: hmac_secret in', () => event(hmac, held.hmac.next())],
    ['connect: hmac_secret out', () => connect(hmac)],
    ['events: partner_public_key in', () => event(ec, privateKeyOf(held.partnerKey.next()))],
    ['connect: platform_key out', () => connect(ec)],
  ];

  type Name = keyof typeof held;
  const all = (): [Name, Held][] => Object.entries(held) as [Name, Held][];
  const endOf = (answer: Answer, credential: string): number => Date.parse(String(answer.credentials[credential]?.previous?.valid_until));

  /** In use at once, with the value before still good; told to who sends it when every instance knows of it. */
  async function rotateAtOnce(): Promise<void> {
    const [host, hostAppSecret] = [`host-apps/${basic.clientId}`, 'a-new-host-app-secret-key'];
    const rotated = await manage(`${host}/rotate`, { credential: 'secret_key', previous_valid_for_s: announcedS + graceS });
    held.hostSecret.learn(rotated.secret_key);
    held.hostSecret.ends(endOf(rotated, 'secret_key'));
    held.hostAppSecret.learn(hostAppSecret);
    await manage(`${host}/rotate`, { credential: 'host_app_secret_key', value: hostAppSecret });
    await pause(everywhereMs);
    held.hostSecret.begin();
  }

  /** Waits beside the one in use, and is taken up when everybody has it. */
  async function rotateByNext(app: string, credential: string, { of, value }: { of: Held; value?: string }): Promise<void> {
    const staged = await manage(`miniapps/${app}/rotate`, { credential, slot: 'next', value });
    const key = staged.credentials[credential]?.next?.public_key;
    of.learn(value ?? key ?? staged.secret_key);
    await pause(everywhereMs);
    of.begin();
    await pause(500);
    expect(of.met.fresh).toBe(0);
    of.ends(endOf(await manage(`miniapps/${app}/promote`, { credential, previous_valid_for_s: graceS }), credential));
    await pause(everywhereMs);
  }

  const rotateAll = (): Promise<unknown> => {
    const keys = ecPair();
    partnerKeys.set(pem(keys.publicKey), keys.privateKey);
    return Promise.all([
      rotateAtOnce(),
      rotateByNext(basic.appId, 'secret_key', { of: held.miniSecret }),
      rotateByNext(hmac.appId, 'hmac_secret', { of: held.hmac, value: hmacSecret() }),
      rotateByNext(ec.appId, 'partner_public_key', { of: held.partnerKey, value: pem(keys.publicKey) }),
      rotateByNext(ec.appId, 'platform_key', { of: held.platformKey }),
    ]);
  };

  const failures = (load: Load) => Object.fromEntries([...load.went].filter(([, { failed }]) => failed > 0));

  it('fails no call in the grace time, and refuses the old value after it', async () => {
    const load = new Load(calls, perSecond);
    await pause(500);
    await rotateAll();
    await load.settle();
    // All instances come with the new values by now: the receivers take nothing else any more.
    for (const [, one] of all()) one.forget();
    await pause(Math.max(...all().map(([, one]) => one.endsIn())) + 100);

    const after = await refusals({
      'host app secret_key': (to) => connect(basic, held.hostSecret.old, to),
      'miniapp secret_key': (to) => report(held.miniSecret.old, to),
      hmac_secret: (to) => event(hmac, held.hmac.old, to),
      partner_public_key: (to) => event(ec, privateKeyOf(held.partnerKey.old), to),
    });
    const { sent, perSecond: reached } = await load.stop();
    const byName = Object.fromEntries(all().map(([name, { sent: out, met }]) => [name, { in: out, out: met }]));
    const counts = { calls: sent, per_second: reached, failures: failures(load), old_after_grace: after };
    process.stdout.write(`rotation under load, two processes: ${JSON.stringify({ ...counts, ...byName })}\n`);
    expect(counts.failures).toEqual({});
    expect(all().map(([, { met }]) => met.none)).toEqual(all().map(() => 0));
    for (const name of ['hostSecret', 'miniSecret', 'hmac', 'partnerKey'] as const)
      expect(Math.min(...Object.values(held[name].sent))).toBeGreaterThan(5);
    for (const name of ['miniSecret', 'hostAppSecret', 'hmac', 'platformKey'] as const) expect(held[name].met.fresh).toBeGreaterThan(5);
    for (const one of Object.values(after)) expect(one).toEqual({ sent: 2 * probes, refused: 2 * probes });
    expect(await published(targets[0]!.url)).toEqual([held.platformKey.newest]);
    expect(sent).toBeGreaterThan(perSecond);
  }, 60_000);

  async function refusals(old: Record<string, (to: ServiceProcess) => Promise<string | undefined>>) {
    const counts: Record<string, { sent: number; refused: number }> = {};
    for (const [name, call] of Object.entries(old)) {
      const all = targets.flatMap((to) => Array.from({ length: probes }, () => call(to)));
      const answers = await Promise.all(all);
      counts[name] = { sent: answers.length, refused: answers.filter((wrong) => wrong !== undefined && /^401 /.test(wrong)).length };
    }
    return counts;
  }

  it('changes the encryption key while instances serve', async () => {
    const load = new Load(calls, perSecond);
    // Every instance knows k2 already, as its second key; one after the other begins to seal under it.
    const before = targets;
    const after = await Promise.all([start(notify('k2', 'k1')), start(notify('k2', 'k1'))]);
    for (const index of [0, 1]) {
      targets = targets.map((one, i) => (i === index ? after[i]! : one));
      await load.settle();
      expect(await end(before[index]!)).toBe(0);
    }
    const cli = join(__dirname, '../../../dist/src/cli.js');
    const env = { ...process.env, NODE_ENV: 'development', DATABASE_URL: url, ENCRYPTION_KEYS: notify('k2', 'k1') };
    const { stdout: output } = await promisify(execFile)(process.execPath, [cli, 'keys', 'reencrypt'], { env });
    const alone = await start(notify('k2'));
    targets = [...targets, alone];
    await pause(500);
    const { sent, perSecond: reached } = await load.stop();
    const resealed = [...output.matchAll(/(\d+) sealed anew/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    const counts = { calls: sent, per_second: reached, resealed, failures: failures(load) };
    process.stdout.write(`the encryption key under load: ${JSON.stringify(counts)}\n`);
    expect(counts.failures).toEqual({});
    expect(resealed).toBeGreaterThan(50);
    expect(output).toContain('All is sealed under k2');
  }, 120_000);
});

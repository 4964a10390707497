import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { startTestService, type Reply, type TestService } from '../../support/service/service';

interface ShownKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly slot: string;
  readonly created_at: string;
  readonly valid_until?: string;
  readonly pem: string;
  readonly jwk: JsonWebKey & { readonly kid: string; readonly use: string; readonly alg?: string };
}

const path = '/.well-known/pierhead.json';
let service: TestService;
beforeAll(async () => {
  const env = { PUBLIC_BASE_URL: 'https://platform.example', EGRESS_ADDRESSES: '192.0.2.7, 2001:db8::/48' };
  service = await startTestService({ env });
  await registered('host-apps', { client_id: 'host_rsa', signature: { algorithm: 'RSA2', hash: 'SHA-384' } });
  await registered('miniapps', { app_id: 'app_ec', signature: { algorithm: 'ECDSA' } });
  await registered('miniapps', { app_id: 'app_hmac', signature: { algorithm: 'HMAC' } });
  await registered('miniapps', { app_id: 'app_224', signature: { algorithm: 'RSA2', hash: 'SHA-224' } });
});
afterAll(() => service.close());

async function registered(collection: string, body: object): Promise<void> {
  expect((await service.manage('POST', collection, { name: 'Any', ...body })).status).toBe(201);
}
const get = (query = '', headers = {}) => service.call('GET', `${path}${query}`, { headers });
const keysOf = ({ body }: Reply) => body.keys as readonly ShownKey[];
const settingsOf = async (which: string) => (await service.manage('GET', which)).body;
/** Until the cached document is read anew. */
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1010));

it("shows the addresses and keys of the platform, and no app's name", async () => {
  const reply = await get();
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(reply.headers.get('cache-control')).toBe('public, max-age=60');
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expect(reply.headers.get('ratelimit-limit')).toBe('300');
  expect(reply.body).toMatchObject({ issuer: 'https://platform.example', egress_addresses: ['192.0.2.7', '2001:db8::/48'] });
  expect(keysOf(reply)).toHaveLength(3);
  expect(keysOf(reply).map(({ kid }) => kid)).toEqual([...keysOf(reply).map(({ kid }) => kid)].sort());
  expect(reply.text).not.toMatch(/host_rsa|app_ec|app_224|PRIVATE|"d"/);
});

it.each([
  ['?client_id=host_rsa', 'host-apps/host_rsa', 'RSA2', 'RS384'],
  ['?app_id=app_ec', 'miniapps/app_ec', 'ECDSA', undefined],
  ['?app_id=app_224', 'miniapps/app_224', 'RSA2', undefined],
])('shows the key of one app as its settings do, in PEM and as JWK: %s', async (query, which, algorithm, alg) => {
  const { signature, credentials } = await settingsOf(which);
  const [key, ...others] = keysOf(await get(query));
  const { fingerprint: kid, created_at } = credentials.platform_key.current;
  expect(others).toEqual([]);
  expect(key).toEqual({
    kid,
    algorithm,
    slot: 'current',
    created_at,
    pem: signature.platform_public_key,
    jwk: expect.anything() as unknown,
  });
  const { jwk } = key!;
  expect([jwk.kid, jwk.use, jwk.alg]).toEqual([kid, 'sig', alg]);
  expect(createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' })).toBe(key!.pem);
});

it('answers the same for an unknown id, the wrong kind and an app without a key pair', async () => {
  const { keys: _keys, ...rest } = (await get()).body;
  for (const query of ['?client_id=nobody', '?app_id=nobody', '?client_id=app_ec', '?app_id=app_hmac', '?client_id=']) {
    const reply = await get(query);
    expect([reply.status, reply.body]).toEqual([200, { ...rest, keys: [] }]);
  }
  expect(keysOf(await get('?client_id=host_rsa&app_id=app_ec'))).toHaveLength(2);
});

it('is known again by its tag', async () => {
  const tag = (await get()).headers.get('etag');
  const known = await get('', { 'If-None-Match': String(tag) });
  expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', tag]);
  expect((await get('?app_id=app_ec', { 'If-None-Match': String(tag) })).status).toBe(200);
});

it('accepts GET and HEAD, with and without the final slash, and each parameter once', async () => {
  expect((await service.call('GET', `${path}/`)).status).toBe(200);
  const head = await fetch(`${service.url}${path}`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    expect(await service.call(method, path)).toMatchObject({ status: 405, body: { error_code: 'METHOD_NOT_ALLOWED' } });
  }
  const twice = await get('?app_id=app_ec&app_id=app_224');
  expect(twice).toMatchObject({ status: 400, body: { error_code: 'INVALID_INPUT' } });
  expect(twice.headers.get('access-control-allow-origin')).toBe('*');
  expect((await service.call('GET', '/.well-known/other.json')).status).toBe(404);
});

it('keeps the key before until its time, and shows the one that waits', async () => {
  const rotate = (more: object) => service.manage('POST', 'miniapps/app_ec/rotate', { credential: 'platform_key', ...more });
  expect((await rotate({ slot: 'next' })).status).toBe(200);
  expect((await rotate({ previous_valid_for_s: 2 })).status).toBe(200);
  await aSecond();
  const { platform_key: slots } = (await settingsOf('miniapps/app_ec')).credentials;
  const shown = keysOf(await get('?app_id=app_ec'));
  expect(Object.fromEntries(shown.map(({ slot, kid }) => [slot, kid]))).toEqual({
    current: slots.current.fingerprint,
    next: slots.next.fingerprint,
    previous: slots.previous.fingerprint,
  });
  expect(shown.find(({ slot }) => slot === 'previous')?.valid_until).toBe(slots.previous.valid_until);
  await aSecond();
  await aSecond();
  expect(keysOf(await get('?app_id=app_ec')).map(({ slot }) => slot)).not.toContain('previous');
});

it('reads the database once a second, however many ask', async () => {
  const readMany = async () => new Set((await Promise.all(Array.from({ length: 20 }, () => get()))).map(({ text }) => text));
  let before: Set<string>;
  let during: Set<string>;
  let tookMs: number;
  // On a busy machine a second may be over before all have asked.
  do {
    await aSecond();
    const began = performance.now();
    before = await readMany();
    await service.manage('POST', 'miniapps/app_ec/rotate', { credential: 'platform_key', slot: 'next' });
    during = await readMany();
    tookMs = performance.now() - began;
  } while (tookMs > 900);
  expect(before.size).toBe(1);
  expect(during).toEqual(before);
  await aSecond();
  expect(before).not.toContain((await get()).text);
});

describe('with a limit of two', () => {
  let limited: TestService;
  beforeAll(async () => {
    const env = { RATE_LIMITS: '{"well_known":2}', PLATFORM_ADDRESSES: '192.0.2.9' };
    limited = await startTestService({ env });
  });
  afterAll(() => limited.close());

  it('is limited for each address, and says so to pages too', async () => {
    const replies: Reply[] = [];
    for (let i = 0; i < 3; i++) replies.push(await limited.call('GET', path));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies[0]!.body.egress_addresses).toEqual(['192.0.2.9']);
    expect(replies[2]!.body.error_code).toBe('RATE_LIMITED');
    expect(Number(replies[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(replies[2]!.headers.get('access-control-allow-origin')).toBe('*');
  });
});

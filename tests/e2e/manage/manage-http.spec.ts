import { request } from 'node:http';
import { FakeExchangeReader } from '../../fakes/fake-readers';
import { operatorToken, testManageApi } from '../../support/service/manage-api';

const exchanges = new FakeExchangeReader();
const api = testManageApi({ exchanges });
beforeEach(() => api.wipe());

const problem = (kind: string, status: number) => ({ type: `urn:pierhead:problem:${kind}`, status, title: expect.any(String) as string });

describe('the operator token', () => {
  it.each([
    ['none', undefined],
    ['an empty one', 'Bearer '],
    ['another', 'Bearer wrong'],
    ['a longer one', `Bearer ${operatorToken}x`],
    ['a shorter one', `Bearer ${operatorToken.slice(0, -1)}`],
    ['another scheme', `Basic ${operatorToken}`],
    ['two in one', `Bearer ${operatorToken}, Bearer ${operatorToken}`],
  ])('is asked for: %s is refused', async (_what, authorization) => {
    const answer = await send('GET', '/manage/v1/host-apps', authorization === undefined ? [] : ['Authorization', authorization]);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(answer.text)).toMatchObject(problem('unauthenticated', 401));
  });

  it('is checked before anything else', async () => {
    for (const [method, path] of [
      ['GET', '/manage/v1/nothing-here'],
      ['POST', '/manage/v1/host-apps'],
      ['OPTIONS', '/manage/v1/audit'],
    ] as const) {
      expect((await send(method, path, [])).status).toBe(401);
    }
  });

  it('must not stand there twice', async () => {
    const twice = ['Authorization', `Bearer ${operatorToken}`, 'authorization', 'Bearer x'];
    expect((await send('GET', '/manage/v1/host-apps', twice)).status).toBe(400);
  });

  it('is taken in any case of the word Bearer', async () => {
    expect((await send('GET', '/manage/v1/host-apps', ['Authorization', `bearer ${operatorToken}`])).status).toBe(200);
  });
});

describe('paths and methods', () => {
  it.each([
    '',
    'nothing',
    'Host-Apps',
    'host-apps/a/b',
    'host-apps/a%20b',
    'host-apps/%00',
    `host-apps/${'x'.repeat(65)}`,
    'integrations/a',
    'refunds',
  ])('says that there is nothing at "%s"', async (path) => {
    const answer = await api.get(path);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject(problem('not-found', 404));
  });

  it('answers bad percent encoding with a problem', async () => {
    const answer = await send('GET', '/manage/v1/host-apps/%zz', ['Authorization', `Bearer ${operatorToken}`]);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, expect.objectContaining(problem('malformed-request', 400))]);
  });

  it.each([
    ['PUT', 'host-apps', 'GET, HEAD, POST'],
    ['POST', 'host-apps/host_1', 'GET, HEAD, PATCH, DELETE'],
    ['GET', 'miniapps/app_1/rotate', 'POST'],
    ['POST', 'integrations/a/b', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['DELETE', 'audit', 'GET, HEAD'],
  ])('refuses %s %s and names what it takes', async (method, path, allow) => {
    const answer = await api.call(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.body).toMatchObject(problem('method-not-allowed', 405));
    const options = await api.call('OPTIONS', path);
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  });

  it('serves with and without the final slash, HEAD as GET, and nothing to caches', async () => {
    expect((await api.get('host-apps/')).status).toBe(200);
    const head = await api.call('HEAD', 'host-apps');
    expect([head.status, head.text, head.headers.get('cache-control')]).toEqual([200, '', 'no-store']);
  });

  it("keeps the caller's request id, and makes one if it is missing or invalid", async () => {
    const kept = await api.get('host-apps/x', { headers: { 'x-request-id': 'ab.C-1_' } });
    expect([kept.headers.get('x-request-id'), kept.body.request_id]).toEqual(['ab.C-1_', 'ab.C-1_']);
    const made = await api.get('host-apps/x', { headers: { 'x-request-id': 'has blanks' } });
    expect(made.headers.get('x-request-id')).toMatch(/^id\d+$/);
  });
});

describe('bodies', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['text', '"x"'],
    ['a number', '1'],
    ['a doubled member', '{"name":"a","name":"b"}'],
    ['deep nesting', '['.repeat(65)],
    ['a byte order mark', '\ufeff{}'],
    ['NUL', '{"name":"\\u0000"}'],
    ['half a surrogate pair', '{"name":"\\ud800"}'],
    ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('refuses %s', async (_what, raw) => {
    const before = await api.kept();
    const answer = await api.post('host-apps', undefined, { raw, headers: json });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(problem('malformed-request', 400))]);
    expect(await api.kept()).toBe(before);
  });

  it.each([
    ['another type', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['a merge patch where it is none', { 'content-type': 'application/merge-patch+json' }],
    ['compression', { ...json, 'content-encoding': 'gzip' }],
  ])('refuses %s', async (_what, headers) => {
    const answer = await api.post('host-apps', { name: 'x' }, { headers });
    expect([answer.status, answer.body]).toEqual([415, expect.objectContaining(problem('unsupported-media-type', 415))]);
  });

  it('refuses more than 256 KiB, and reads that much', async () => {
    const body = (size: number) => `{"name":"x"${' '.repeat(size - 12)}}`;
    expect((await api.post('host-apps', undefined, { raw: body(262_144), headers: json })).status).toBe(201);
    const answer = await api.post('host-apps', undefined, { raw: body(262_145), headers: json });
    expect([answer.status, answer.body]).toEqual([413, expect.objectContaining(problem('content-too-large', 413))]);
  });

  it('takes a charset, and the type of a merge patch for a patch', async () => {
    const created = await api.post('host-apps', { name: 'x' }, { headers: { 'content-type': 'application/json; charset=UTF-8' } });
    expect(created.status).toBe(201);
    for (const type of ['application/merge-patch+json', 'application/json']) {
      const patched = await api.patch(`host-apps/${String(created.body.client_id)}`, { name: type }, { headers: { 'content-type': type } });
      expect([patched.status, patched.body.name]).toEqual([200, type]);
    }
  });

  it('tells at most a hundred broken rules', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`m${String(i)}`, 1]));
    const answer = await api.post('host-apps', many);
    expect([answer.status, answer.body.errors.length]).toEqual([400, 100]);
  });
});

it('logs only the name of a fault', async () => {
  const canary = 'canary-of-a-driver-message';
  exchanges.find = () => Promise.reject(new TypeError(canary));
  const answer = await api.get('exchanges/x');
  expect([answer.status, answer.body]).toEqual([500, expect.objectContaining(problem('fault', 500))]);
  expect(api.logged).toContainEqual(['manage.fault', { request_id: answer.headers.get('x-request-id'), exception: 'TypeError' }]);
  expect(answer.text + JSON.stringify(api.logged)).not.toContain(canary);
});

/** Headers as they are: fetch would join or refuse some. */
function send(method: string, path: string, headers: readonly string[]) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(api.base);
    const sent = request({ method, path, hostname, port, headers: ['Host', 'localhost', ...headers], agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type Reply, type TestService } from '../../support/service/service';

let service: TestService;
let pair: Pair;

beforeAll(async () => {
  service = await startTestService();
  pair = await aPair(service, { miniapp: { url: 'http://127.0.0.1:9/page', required_user_fields: ['email'], white_listed_urls: [] } });
});
afterAll(() => service.close());

const relayPaths: [string, string[]][] = [
  ['connect', ['POST']],
  ['authorize', ['POST']],
  ['accounts/consent/get_consent', ['GET', 'HEAD']],
  ['accounts/consent/save_consent', ['POST']],
  ['accounts/consent/revoke', ['POST', 'DELETE']],
  ['miniapps/app_abc123/settings', ['GET', 'HEAD']],
];

describe('paths and methods', () => {
  it.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing/',
    '/api/v2/connect/',
    '/api/v1/Connect/',
    '/API/v1/connect',
    '/api/v1/connect//',
    '/api/v1//connect',
    '/api/v1/%zz',
  ])('%s is NOT_FOUND', async (path) => {
    for (const method of ['GET', 'POST']) {
      const reply = await service.call(method, path, method === 'POST' ? { body: {} } : {});
      expect([reply.status, reply.body?.error_code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it.each(relayPaths)('%s takes %j and names them to others', async (path, allowed) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
      for (const slash of ['', '/']) {
        const reply = await service.call(method, `/api/v1/${path}${slash}`);
        if (allowed.includes(method)) {
          expect(reply.status).not.toBe(405);
        } else {
          expect(reply.status).toBe(405);
          expect(reply.headers.get('allow')).toBe(allowed.join(', '));
          if (method !== 'HEAD') expect(reply.body.error_code).toBe('METHOD_NOT_ALLOWED');
        }
      }
    }
  });

  it('names the method, the type and the nearest path that a caller has missed', async () => {
    const messageOf = async (method: string, path: string, headers = {}) =>
      (await service.call(method, path, { headers, ...(method === 'GET' ? {} : { body: '{}' }) })).body.error_message;
    expect(await messageOf('PUT', '/api/v1/connect/')).toBe('PUT is not allowed here; use POST');
    expect(await messageOf('POST', '/api/v1/connect/', { 'Content-Type': 'text/plain' })).toBe(
      'The Content-Type is text/plain; send application/json in UTF-8',
    );
    for (const path of ['/api/v1/conect', '/api/v1//connect/', '/connect/']) {
      expect(await messageOf('GET', path)).toBe('No such path. Did you mean /api/v1/connect/?');
    }
  });

  it('never redirects between the two forms of a path', async () => {
    for (const slash of ['', '/']) {
      const reply = await service.call('POST', `/api/v1/connect${slash}`, { body: {} });
      expect(reply.status).toBe(400);
    }
  });

  it('HEAD answers as GET without a body', async () => {
    const reply = await service.call('HEAD', `/api/v1/miniapps/${pair.appId}/settings/?client_id=${pair.clientId}`);
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(0);
  });
});

describe('CORS', () => {
  const browsers = ['authorize/', 'accounts/consent/get_consent/', `miniapps/app_abc123/settings/`];

  it.each(browsers)('%s lets browsers of any origin ask first, without credentials', async (path) => {
    const reply = await service.call('OPTIONS', `/api/v1/${path}`, {
      headers: {
        Origin: 'https://host.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-allow-methods')).toBe('GET,POST');
    expect(reply.headers.get('access-control-allow-headers')).toBe('Content-Type');
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('errors carry the header too', async () => {
    for (const [method, path, body] of [
      ['POST', 'authorize/', '{'],
      ['POST', 'authorize/', {}],
      ['PUT', 'authorize/', {}],
      ['GET', 'accounts/consent/get_consent/', undefined],
      ['GET', 'miniapps/app_abc123/settings/', undefined],
    ] as const) {
      const reply = await service.call(method, `/api/v1/${path}`, { body, headers: { Origin: 'https://host.example' } });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('the calls of back ends carry no CORS header and refuse OPTIONS', async () => {
    const headers = { Origin: 'https://host.example', 'Access-Control-Request-Method': 'POST' };
    for (const path of ['connect/', 'accounts/consent/save_consent/', 'accounts/consent/revoke/']) {
      const reply = await service.call('OPTIONS', `/api/v1/${path}`, { headers });
      expect(reply.status).toBe(405);
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('request ids', () => {
  it("gives the caller's back, where it is one", async () => {
    const reply = await service.call('GET', '/nothing', { headers: { 'X-Request-Id': 'A.b-c_1' } });
    expect(reply.headers.get('x-request-id')).toBe('A.b-c_1');
    expect(reply.body.custom_attributes.request_id).toBe('A.b-c_1');
  });

  it.each(['', 'with blank', 'x'.repeat(129), 'ä', '<script>'])('makes a new one for %j', async (id) => {
    const reply = await service.call('GET', '/health/live', { headers: { 'X-Request-Id': Buffer.from(id, 'utf8').toString('latin1') } });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('health', () => {
  it.each(['live', 'live/', 'ready', 'ready/'])('%s answers 200', async (path) => {
    expect((await service.call('GET', `/health/${path}`)).status).toBe(200);
  });

  it('is not ready while stopping, and says why', async () => {
    const other = await startTestService({ database: service.database });
    other.composed.beginStop();
    const reply = await other.call('GET', '/health/ready');
    expect([reply.status, reply.body.reasons]).toEqual([503, ['stopping']]);
    expect((await other.call('GET', '/health/live')).status).toBe(200);
    await other.close();
  });
});

describe('miniapps/{app_id}/settings', () => {
  const settings = (query: string, appId = pair.appId) => service.call('GET', `/api/v1/miniapps/${appId}/settings/?${query}`);

  it('gives the host page its settings, and no secret', async () => {
    const reply = await settings(`client_id=${pair.clientId}&is_desktop=true`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      app_id: pair.appId,
      miniapp: {
        app_id: pair.appId,
        name: 'Mini',
        url: 'http://127.0.0.1:9/page',
        logo: null,
        required_fields: ['email'],
        white_listed_urls: [],
      },
      hostapp: {
        name: 'Host',
        logo: null,
        is_consent_enabled: false,
        consent_text: null,
        consent_links: [],
        consent_in_popup: false,
        server_side_sign_on: false,
      },
      colors: {},
    });
  });

  it.each<[string, (p: Pair) => [string, string], string]>([
    ['no client_id', (p) => ['', p.appId], 'INVALID_INPUT'],
    ['an unknown host app', (p) => ['client_id=host_unknown00000', p.appId], 'HOSTAPP_NOT_FOUND'],
    ['an unknown miniapp', (p) => [`client_id=${p.clientId}`, 'app_zzzzzz'], 'MINIAPP_NOT_FOUND'],
    ['an app_id in the query that differs', (p) => [`client_id=${p.clientId}&app_id=app_zzzzzz`, p.appId], 'INVALID_INPUT'],
  ])('refuses %s', async (_what, given, code) => {
    const [query, appId] = given(pair);
    const reply = await settings(query, appId);
    expect([reply.status, reply.body.error_code]).toEqual([400, code]);
  });

  it('refuses a pair without an accepted integration', async () => {
    const apart = await aPair(service, { integration: null });
    const proposed = await aPair(service, { integration: { status: 'proposed' } });
    for (const { clientId, appId } of [apart, proposed]) {
      const reply = await settings(`client_id=${clientId}`, appId);
      expect([reply.status, reply.body.error_code]).toEqual([400, 'NO_INTEGRATION']);
    }
  });
});

describe('limits a minute', () => {
  it('are counted for the pair and the address, and say when to come back', async () => {
    const limited = await startTestService({ database: service.database, env: { RATE_LIMITS: '{"get_consent": 3}' } });
    const call = (reference: string) =>
      limited.call(
        'GET',
        `/api/v1/accounts/consent/get_consent/?client_id=${pair.clientId}&app_id=${pair.appId}&user_reference=${reference}`,
      );
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await call(`u${String(i)}`)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await call('u');
    expect(refused.body.error_code).toBe('RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.close();
  });

  const rateOf = ({ headers }: Reply) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
  const seconds = expect.stringMatching(/^([1-9]|[1-5]\d|60)$/);

  it('are in the RateLimit headers of every answer of a limited route', async () => {
    const limited = await startTestService({ database: service.database, env: { RATE_LIMITS: '{"get_consent": 3}' } });
    const { clientId, appId } = await aPair(service);
    const call = (query: string) =>
      limited.call('GET', `/api/v1/accounts/consent/get_consent/?client_id=${clientId}&app_id=${appId}${query}`);
    const [good, bad] = ['&user_reference=u', ''];
    const replies = [await call(good), await call(bad), await call(good), await call(good)];
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 200, 429]);
    expect(replies.map(rateOf)).toEqual(['2', '1', '0', '0'].map((remaining) => ['3', remaining, seconds]));
    const refused = replies[3]!;
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
    expect(refused.headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining');
    await limited.close();
  });

  it('of failed checks are shown only when they are reached', async () => {
    const limited = await startTestService({ database: service.database, env: { RATE_LIMITS: '{"basic-failure": 2}' } });
    const { clientId: client_id, appId: app_id } = await aPair(service);
    const connect = (headers: Record<string, string>) =>
      limited.call('POST', '/api/v1/connect', { headers, body: { client_id, app_id, user_data: { reference: 'u' } } });
    const wrong = { Authorization: `Basic ${Buffer.from(`${client_id}:wrong`).toString('base64')}` };
    const replies = [await connect(wrong), await connect({}), await connect(wrong)];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(replies.map(rateOf)).toEqual([
      [null, null, null],
      [null, null, null],
      ['2', '0', seconds],
    ]);
    await limited.close();
  });
});

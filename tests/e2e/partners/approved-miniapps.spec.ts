import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';

let service: TestService;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService({ env: { RATE_LIMITS: '{"approved_miniapps":12}', TRUSTED_PROXIES: '127.0.0.1/32,::1/128' } });
  pair = await aPair(service);
});
afterAll(() => service.close());

const path = '/api/v1/partner/miniapps/approved_miniapps/';
const listOf = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  service.call('GET', `${path}?${new URLSearchParams(query).toString()}`, { headers });

describe('the public list of miniapps', () => {
  it('can be read by pages of any origin, and is not sent again if nothing has changed', async () => {
    const first = await listOf({ client_id: pair.clientId }, { Origin: 'https://host.example' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual([
      { id: expect.any(Number), app_id: pair.appId, name: expect.any(String), long_description: '', logo: null, category: null },
    ]);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const tag = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect((await listOf({ client_id: pair.clientId }, tag)).status).toBe(304);
  });

  it('names the next page', async () => {
    const { headers } = await listOf({ client_id: pair.clientId, limit: '1' });
    expect(headers.get('link')).toBe(`<?client_id=${pair.clientId}&limit=1&cursor=${pair.appId}>; rel="next"`);
    const last = await listOf({ client_id: pair.clientId, limit: '1', cursor: pair.appId });
    expect([last.body, last.headers.get('link')]).toEqual([[], null]);
  });

  it('is empty for an unknown host app, and refuses an invalid query', async () => {
    expect((await listOf({ client_id: 'host_nobody' })).body).toEqual([]);
    for (const query of [{}, { client_id: 'a b' }, { client_id: 'h', limit: '501' }, { client_id: 'h', cursor: '%' }] as Record<
      string,
      string
    >[]) {
      expect((await listOf(query)).body.error_code).toBe('INVALID_INPUT');
    }
    expect((await service.call('POST', path, { body: {} })).status).toBe(405);
  });

  it('is limited for an address', async () => {
    const from = { 'X-Forwarded-For': '192.0.2.9' };
    for (let i = 0; i < 12; i++) await listOf({ client_id: pair.clientId }, from);
    expect((await listOf({ client_id: pair.clientId }, from)).body.error_code).toBe('RATE_LIMITED');
  });
});

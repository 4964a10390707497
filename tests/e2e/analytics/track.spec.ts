import { aPair, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { RATE_LIMITS: '{"track":5}' } });
});
afterAll(() => service.close());

const pairAt = (settings: PairSettings = {}): Promise<Pair> => aPair(service, settings);
const track = ({ clientId, appId }: Pair, members: object = {}, headers: Record<string, string> = {}) =>
  service.call('POST', '/api/v1/analytics/track/', { body: { client_id: clientId, app_id: appId, ...members }, headers });

describe('analytics/track', () => {
  it('takes any object of a pair, without a secret, whatever the apps have on', async () => {
    const elsewhere = { enabled: true, addresses: ['203.0.113.0/24'] };
    const pair = await pairAt({ hostApp: { ip_whitelist: elsewhere }, miniapp: { ip_whitelist: elsewhere, features: {} } });
    for (const members of [{}, { event: 'open', at: 1.5, deep: { list: [null] } }]) {
      const reply = await track(pair, members);
      expect([reply.status, reply.body]).toEqual([200, { message: 'ok', status: 200 }]);
    }
  });

  it('keeps nothing of it: neither the body in the log nor a record', async () => {
    const pair = await pairAt();
    await track(pair, { name: service.canary('CANARY-tracked') }, { 'X-Request-Id': 'track-1' });
    const [line] = service
      .logText()
      .split('\n')
      .filter((one) => one.includes('track-1'));
    expect(JSON.parse(line ?? '')).toMatchObject({ call: 'track', status: 200, client_id: pair.clientId, app_id: pair.appId });
    const [{ n }] = await service.database.db.query('select count(*)::int as n from exchanges where request_id = $1', ['track-1']);
    expect(n).toBe(0);
  });

  it('refuses a body that is no object, and a pair without an accepted integration', async () => {
    const pair = await pairAt({ integration: { status: 'suspended' } });
    expect((await service.call('POST', '/api/v1/analytics/track', { body: [] })).body.error_code).toBe(
      'PARSING_ERROR_INVALID_REQUEST_BODY',
    );
    expect((await track({ ...pair, appId: '' })).body.error_code).toBe('INVALID_INPUT');
    expect((await track({ ...pair, appId: 'app_nobody' })).body.error_code).toBe('MINIAPP_NOT_FOUND');
    expect((await track(pair)).body.error_code).toBe('NO_INTEGRATION');
  });

  it('is read by pages of any origin', async () => {
    const reply = await track(await pairAt(), {}, { Origin: 'https://mini.example' });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect((await service.call('GET', '/api/v1/analytics/track/')).status).toBe(405);
  });

  it('is limited for a pair and an address', async () => {
    const pair = await pairAt();
    for (let i = 0; i < 5; i++) expect((await track(pair)).status).toBe(200);
    const reply = await track(pair);
    expect([reply.status, reply.body.error_code, reply.headers.get('access-control-allow-origin')]).toEqual([429, 'RATE_LIMITED', '*']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await track(await pairAt())).status).toBe(200);
  });
});

import { aPair, basicOf, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';
import { StubHostApp, StubMiniapp } from '../../support/partners/stub-sign-on';

// The whole suite runs on the main database; this walk shows that the embedded one carries the same service.
describe('a scenario on the embedded database', () => {
  let service: TestService;
  let pair: Pair;
  const hostApp = new StubHostApp();
  const miniapp = new StubMiniapp();

  beforeAll(async () => {
    service = await startTestService({ kind: 'embedded' });
    await Promise.all([hostApp.start(), miniapp.start()]);
    pair = await aPair(service, { hostAppUrl: hostApp.url, miniappUrl: miniapp.url });
  });
  afterAll(async () => {
    await Promise.all([hostApp.stop(), miniapp.stop()]);
    await service.close();
  });

  const ids = () => ({ client_id: pair.clientId, app_id: pair.appId });
  const consent = async (reference: string) => {
    const query = new URLSearchParams({ ...ids(), user_reference: reference }).toString();
    return (await service.call('GET', `/api/v1/accounts/consent/get_consent/?${query}`)).body.is_consented;
  };

  it('connects, authorizes once, stores consent, shows the exchange, rotates and revokes', async () => {
    const user = { reference: 'CANARY-embedded-1', email: 'canary.embedded@example.com' };
    service.canary(user.reference);
    service.canary(user.email);
    const connected = await service.call('POST', '/api/v1/connect/', {
      body: { ...ids(), user },
      headers: { ...pair.basic, 'X-Request-Id': 'walk-1' },
    });
    expect(connected.status).toBe(200);
    expect(await consent(user.reference)).toBe(true);
    expect((await service.exchanges('walk-1'))[0]).toMatchObject({ call: 'connect', status: 200, legs: [{ step: 'miniapp_token' }] });

    hostApp.knows('code-1', { reference: 'user-2' });
    const body = { ...ids(), auth_code: 'code-1' };
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => service.call('POST', '/api/v1/authorize/', { body })));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(hostApp.exchanged).toEqual(['code-1']);

    const revoked = await service.call('DELETE', '/api/v1/accounts/consent/revoke/', {
      body: { ...ids(), user_reference: 'user-2' },
      headers: pair.basic,
    });
    expect(revoked.body).toEqual({ is_consented: false });
    expect(await consent('user-2')).toBe(false);

    const rotated = await service.manage('POST', `host-apps/${pair.clientId}/rotate`, {
      credential: 'secret_key',
      previous_valid_for_s: 0,
    });
    const again = (headers: { Authorization: string }) => service.call('POST', '/api/v1/connect/', { body: { ...ids(), user }, headers });
    expect((await again(pair.basic)).status).toBe(401);
    expect((await again(basicOf(pair.clientId, service.canary(rotated.body.secret_key)))).status).toBe(200);

    expect((await service.manage('PATCH', `miniapps/${pair.appId}`, { features: { sso: false } })).status).toBe(200);
    const off = await again(basicOf(pair.clientId, rotated.body.secret_key));
    expect([off.status, off.body.error_code]).toEqual([400, 'FEATURE_DISABLED_IN_MINIAPP']);
    const audit = await service.manage('GET', `audit?subject=${encodeURIComponent(`miniapp:${pair.appId}`)}`);
    expect(audit.body.data.map(({ action }: { action: string }) => action)).toEqual(['miniapp.changed', 'miniapp.created']);
  });
});

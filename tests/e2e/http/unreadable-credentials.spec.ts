import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { basicOf, type Pair } from '../../support/signatures/a-pair';
import { SigningPartner } from '../../support/signatures/signing-partner';
import { startTestService, type TestService } from '../../support/service/service';

let service: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService();
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
});
beforeEach(async () => {
  pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url });
});
afterAll(async () => {
  await service.close();
  await Promise.all([hostApp.stop(), miniapp.stop()]);
});

const connect = (headers: Record<string, string> = pair.basic) =>
  service.call('POST', '/api/v1/connect/', {
    body: { client_id: pair.clientId, app_id: pair.appId, user_data: { reference: 'user-aaaa-0001' } },
    headers,
  });
const record = () => `host-apps/${pair.clientId}`;
const rotate = (members: object) => service.manage('POST', `${record()}/rotate`, { credential: 'secret_key', ...members });
/** Damages a stored value; as the directory of this instance holds the record in memory, the record is changed after that. */
const breakValue = async (kind: string, slot = 'current', [id, path] = [pair.clientId, record()]) => {
  await service.database.db.query(`update partner_credentials set sealed = '\\x0102' where partner_id = $1 and kind = $2 and slot = $3`, [
    id,
    kind,
    slot,
  ]);
  expect((await service.manage('PATCH', path, { name: 'Renamed' })).status).toBe(200);
};

it('a partner can be read, changed and repaired while one of its values is unreadable', async () => {
  await breakValue('secret_key');
  expect((await service.manage('GET', record())).body.credentials.secret_key.current).toMatchObject({ unreadable: true });
  const overview = await service.manage('GET', `${record()}/credentials`);
  expect(JSON.stringify(overview.body)).toContain('"unreadable":true');
  const rotated = await rotate({});
  expect(rotated.status).toBe(200);
  expect((await service.manage('GET', record())).body.credentials.secret_key).not.toHaveProperty('previous');
  expect((await connect(basicOf(pair.clientId, rotated.body.secret_key as string))).status).toBe(200);
});

it('a value that cannot be decrypted admits no caller and refuses none as wrong', async () => {
  await breakValue('secret_key');
  for (const secret of ['', pair.hostSecret, 'another']) {
    const reply = await connect(basicOf(pair.clientId, secret));
    expect([reply.status, reply.body.error_code]).toEqual([500, 'UNKNOWN_ERROR']);
  }
});

it('values that open are accepted beside one that does not', async () => {
  expect((await rotate({ slot: 'next' })).status).toBe(200);
  await breakValue('secret_key', 'next');
  expect((await connect()).status).toBe(200);
  expect((await service.manage('POST', `${record()}/promote`, { credential: 'secret_key' })).status).toBe(404);
  expect((await service.manage('POST', `${record()}/revoke`, { credential: 'secret_key', which: 'next' })).status).toBe(200);
  expect((await connect(basicOf(pair.clientId, 'another'))).status).toBe(401);
});

it('wrong guesses are counted beside a value that cannot be decrypted', async () => {
  await breakValue('secret_key');
  const codes = new Set<string>();
  for (let guesses = 0; guesses < 200 && !codes.has('RATE_LIMITED'); guesses++) {
    codes.add((await connect(basicOf(pair.clientId, 'another'))).body.error_code as string);
  }
  expect([...codes]).toEqual(['UNKNOWN_ERROR', 'RATE_LIMITED']);
});

it('a call that needs a value which does not open fails, and others do not', async () => {
  await breakValue('host_app_secret_key');
  expect((await connect()).status).toBe(200);
  const order = { client_id: pair.clientId, app_id: pair.appId, order: { currency: 'USD', amount: '1.10' } };
  const created = await service.call('POST', '/api/v1/orders/create-order-payment/', { body: order });
  expect([created.status, created.body.error_code]).toEqual([500, 'UNKNOWN_ERROR']);
});

it('a signature whose secret cannot be decrypted is answered 500, not as wrong', async () => {
  const partner = SigningPartner.withSecret('a-shared-secret-of-more-than-32-bytes', { nonce_length: 16 });
  const miniappRecord = `miniapps/${pair.appId}`;
  expect((await service.manage('PATCH', miniappRecord, { signature: partner.settings })).status).toBe(200);
  await breakValue('hmac_secret', 'current', [pair.appId, miniappRecord]);
  const body = JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, order: { currency: 'USD', amount: '1.10' } });
  const path = '/api/v1/orders/create-order-payment/';
  const headers = partner.headers({ method: 'POST', url: service.url + path, payload: body, at: Date.now() });
  const refused = await service.call('POST', path, { body, headers });
  expect([refused.status, refused.body.error_code]).toEqual([500, 'UNKNOWN_ERROR']);
  const http = `POST ${path} HTTP/1.1\nHost: x\n\n${body}`;
  const explained = await service.manage('POST', 'signatures/explain', { app_id: pair.appId, http });
  expect(explained.status).toBe(200);
});

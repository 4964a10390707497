import { basicOf, type Pair } from '../../support/signatures/a-pair';
import { accepted, lacks, publicBase, refused, SignedCalls, signingSecret, verdictOf } from '../../support/signatures/signed-calls';
import { SigningPartner } from '../../support/signatures/signing-partner';

let calls: SignedCalls;
beforeAll(async () => {
  calls = await SignedCalls.open();
});
afterAll(() => calls.close());

const partner = SigningPartner.withSecret(signingSecret);

describe('whose call it is', () => {
  it('comes from the body alone: the signature of one app never covers a call of another', async () => {
    const [one, two] = [
      partner.agreeing({ api_client_id: 'one' }),
      SigningPartner.withSecret(`${signingSecret}-2`, { api_client_id: 'two' }),
    ];
    const [first, second] = [await calls.signing(one), await calls.signing(two)];
    expect(verdictOf(await calls.create(first, one))).toEqual(accepted);
    expect(verdictOf(await calls.create(second, one))).toEqual(refused('X-Client-Id'));
    expect(verdictOf(await calls.create(second, one.agreeing({ api_client_id: 'two' })))).toEqual(refused('signature'));
    expect(verdictOf(await calls.create(second, two))).toEqual(accepted);
  });

  it('is accepted with the previous key until it expires, and with the new one at once', async () => {
    const [old, young] = [SigningPartner.withEcKey('P-256'), SigningPartner.withEcKey('P-384')];
    const pair = await calls.signing(old);
    const rotation = { credential: 'partner_public_key', value: young.handedOver['partner_public_key'], previous_valid_for_s: 60 };
    expect((await calls.service.manage('POST', `miniapps/${pair.appId}/rotate`, rotation)).status).toBe(200);
    expect(verdictOf(await calls.create(pair, old))).toEqual(accepted);
    expect(verdictOf(await calls.create(pair, young))).toEqual(accepted);
    calls.clock.advance(60_000);
    expect(verdictOf(await calls.create(pair, old))).toEqual(refused('signature'));
    expect(verdictOf(await calls.create(pair, young))).toEqual(accepted);
  });
});

describe('what else is on', () => {
  const connect = (pair: Pair, headers: Record<string, string>) =>
    calls.service.call('POST', '/api/v1/connect/', { headers, body: connectBody(pair) });
  const connectBody = ({ clientId, appId }: Pair) => JSON.stringify({ client_id: clientId, app_id: appId, user_data: { reference: 'u1' } });
  const signed = (pair: Pair) =>
    partner.headers({ method: 'POST', url: `${publicBase}/api/v1/connect/`, payload: connectBody(pair), at: calls.clock.now() });
  const of = (code: string, cause?: string, status = 401) => [status, code, cause, 'hostapp'].filter((part) => part !== undefined);

  it('a signature replaces Basic: it suffices, and Basic alone is refused', async () => {
    const pair = await calls.pair({ hostApp: { signature: partner.settings } });
    expect(verdictOf(await connect(pair, signed(pair)))).toEqual(accepted);
    expect(verdictOf(await connect(pair, pair.basic))).toEqual(of('MISSING_HEADER', 'X-Signature'));
    expect(verdictOf(await connect(pair, {}))).toEqual(of('MISSING_HEADER', 'X-Signature'));
    expect(verdictOf(await connect(pair, { ...signed(pair), ...basicOf(pair.clientId, 'wrong') }))).toEqual(accepted);
  });

  it('both are required if both are enabled, Basic first', async () => {
    const pair = await calls.pair({ hostApp: { signature: partner.settings, basic_with_signature: true } });
    expect(verdictOf(await connect(pair, { ...signed(pair), ...pair.basic }))).toEqual(accepted);
    const withoutBasic = await connect(pair, signed(pair));
    expect([verdictOf(withoutBasic), withoutBasic.headers.get('www-authenticate')?.split(' ')[0]]).toEqual([
      of('ACCESS_DENIED', 'no-authorization-header'),
      'Basic',
    ]);
    const withoutSignature = await connect(pair, pair.basic);
    expect([verdictOf(withoutSignature), withoutSignature.headers.get('www-authenticate')?.split(' ')[0]]).toEqual([
      of('MISSING_HEADER', 'X-Signature'),
      'Signature',
    ]);
    expect(verdictOf(await connect(pair, {}))).toEqual(of('ACCESS_DENIED', 'no-authorization-header'));
  });

  it('the address is checked after the signature', async () => {
    const elsewhere = { enabled: true, addresses: ['203.0.113.0/24'] };
    const pair = await calls.pair({ hostApp: { signature: partner.settings, ip_whitelist: elsewhere } });
    expect(verdictOf(await connect(pair, signed(pair)))).toEqual(of('NOT_A_WHITELISTED_IP', 'ip_whitelist', 403));
    expect(verdictOf(await connect(pair, {}))).toEqual(of('MISSING_HEADER', 'X-Signature'));
  });

  it('incomplete signature settings refuse every call, and the answer names the missing one', async () => {
    const pair = await calls.pair({ hostApp: { signature: { enabled: true } } });
    const missing = async () => verdictOf(await connect(pair, { ...signed(pair), ...pair.basic }));
    const set = (signature: object) => calls.service.manage('PATCH', `host-apps/${pair.clientId}`, { signature });
    const incomplete = (setting: string) => [400, 'MISSING_REQUEST_SIGNATURE_SETTINGS', setting, 'hostapp'];
    expect(await missing()).toEqual(incomplete('signature.algorithm'));
    await set({ algorithm: 'HMAC' });
    expect(await missing()).toEqual(incomplete('signature.hmac_secret'));
    await set({ hmac_secret: signingSecret });
    expect(await missing()).toEqual(incomplete('signature.api_client_id'));
    await set({ api_client_id: 'cid_1', payload_template: '{request_method}.{url}.{identity}.{timestamp}.{payload}' });
    expect(await missing()).toEqual(incomplete('signature.identity'));
    await set({ identity: 'who', payload_template: '{request_method}.{url}.{nonce}.{timestamp}.{payload}' });
    expect(await missing()).toEqual(incomplete('signature.nonce_length'));
    await set({ nonce_length: 16, payload_template: '{request_method}.{url}.{merchant_id}.{timestamp}.{payload}' });
    expect(await missing()).toEqual(incomplete('merchant_id'));
    await set({ algorithm: 'RSA2', payload_template: '{request_method}.{url}.{timestamp}.{payload}' });
    expect(await missing()).toEqual(incomplete('signature.partner_public_key'));
  });
});

describe('every route that checks signatures', () => {
  const host = partner.agreeing({ api_client_id: 'host' });
  const mini = partner.agreeing({ api_client_id: 'mini' });
  let pair: Pair;
  beforeAll(async () => {
    pair = await calls.pair({ hostApp: { signature: host.settings }, miniapp: { signature: mini.settings } });
  });

  it.each<[string, SigningPartner, Record<string, unknown>]>([
    ['connect', host, { user_data: { reference: 'u1' } }],
    ['accounts/consent/save_consent', host, { user_reference: 'u1' }],
    ['accounts/consent/revoke', host, { user_reference: 'u1' }],
    ['orders/complete-order', host, { order_payment_id: 'op_1', payment_status: 'paid' }],
    ['orders/create-order-payment', mini, { order: { currency: 'USD', amount: '1' } }],
    ['orders/get-payment-status', mini, { order_payment_id: 'op_1' }],
    ['events/hostapp', mini, { event_type: 'e' }],
    ['events/miniapp', mini, { event_type: 'e' }],
    ['event-bridge/miniapp', mini, { event_type: 'e' }],
  ])('%s', async (name, signer, members) => {
    const path = `/api/v1/${name}/`;
    const body = JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, ...members });
    const call = async (by: SigningPartner, sent = body) =>
      calls.service.call('POST', path, {
        headers: by.headers({ method: 'POST', url: publicBase + path, payload: body, at: calls.clock.now() }),
        body: sent,
      });
    const side = signer === host ? 'hostapp' : 'miniapp';
    const right = await call(signer);
    expect([200, 400]).toContain(right.status);
    expect(right.body.error_code ?? '').not.toMatch(/SIGNATURE|HEADER|ACCESS/);
    expect(verdictOf(await call(signer, `${body} `))).not.toEqual([401, 'INVALID_SIGNATURE', 'signature', side]);
    expect(verdictOf(await call(signer, body.replace('"app_id"', '"x":1,"app_id"')))).toEqual([
      401,
      'INVALID_SIGNATURE',
      'signature',
      side,
    ]);
    expect(verdictOf(await call(signer === host ? mini : host))).toEqual([401, 'INVALID_SIGNATURE', 'X-Client-Id', side]);
    expect(verdictOf(await calls.service.call('POST', path, { body, headers: pair.basic }))).toEqual([
      401,
      'MISSING_HEADER',
      'X-Signature',
      side,
    ]);
  });

  it('analytics/miniapp-transactions, beside Basic', async () => {
    const path = '/api/v1/analytics/miniapp-transactions/';
    const body = '[{"transaction_id":"t1","amount":"1.00","currency":"USD"}]';
    const ids = { 'X-Hostapp-Client-Id': pair.clientId, 'X-Miniapp-App-Id': pair.appId };
    const signed = mini.headers({ method: 'POST', url: publicBase + path, payload: body, at: calls.clock.now() });
    const basic = basicOf(pair.appId, pair.miniSecret);
    const call = (headers: Record<string, string>, sent = body) =>
      calls.service.call('POST', path, { headers: { ...ids, ...headers }, body: sent });
    expect((await call({ ...basic, ...signed })).status).toBe(200);
    expect(verdictOf(await call(signed))).toEqual([401, 'ACCESS_DENIED', 'no-authorization-header', 'miniapp']);
    expect(verdictOf(await call(basic))).toEqual(lacks('X-Signature'));
    expect(verdictOf(await call({ ...basic, ...signed }, body.replace('1.00', '9.00')))).toEqual(refused('signature'));
    // A list printed again in the form that was agreed on is accepted as an object is.
    expect((await call({ ...basic, ...signed }, body.replace(',', ' , '))).status).toBe(200);
  });

  it('and no route for browsers: authorize needs no signature', async () => {
    const reply = await calls.service.call('POST', '/api/v1/authorize/', {
      body: { client_id: pair.clientId, app_id: pair.appId, auth_code: 'c' },
    });
    expect(reply.body.error_code).not.toMatch(/SIGNATURE|HEADER/);
  });
});

describe('an event of a host app that must prove itself, too', () => {
  const path = '/api/v1/events/hostapp/';
  const checked = { host_app_events_checked_by: 'both' };
  const bodyOf = ({ clientId, appId }: Pair) => JSON.stringify({ client_id: clientId, app_id: appId, event_type: 'e' });
  const send = (pair: Pair, ...headers: Record<string, string>[]) =>
    calls.service.call('POST', path, { headers: Object.assign({}, ...headers) as Record<string, string>, body: bodyOf(pair) });
  const by = (pair: Pair, signer: SigningPartner) =>
    signer.headers({ method: 'POST', url: publicBase + path, payload: bodyOf(pair), at: calls.clock.now() });
  const host = SigningPartner.withEcKey('P-256', { api_client_id: 'host' });
  const mini = partner.agreeing({ api_client_id: 'mini' });

  it('needs two apps that sign in headers of different names', async () => {
    const pair = await calls.pair({ hostApp: { signature: host.settings }, miniapp: { signature: mini.settings } });
    const answer = await calls.service.manage('PATCH', `integrations/${pair.clientId}/${pair.appId}`, checked);
    expect([answer.status, answer.body.errors[0].cause]).toEqual([400, 'shared-header-names']);
  });

  it('passes with its own Basic with host_app, whatever the miniapp signs with', async () => {
    const pair = await calls.pair({ miniapp: { signature: partner.agreeing({ api_client_id: 'mini' }).settings } });
    expect(verdictOf(await send(pair, pair.basic))).toEqual([401, 'MISSING_HEADER', 'X-Signature', 'miniapp']);
    await calls.service.manage('PATCH', `integrations/${pair.clientId}/${pair.appId}`, { host_app_events_checked_by: 'host_app' });
    expect((await send(pair, pair.basic)).status).toBe(200);
    expect(verdictOf(await send(pair))).toEqual([401, 'ACCESS_DENIED', 'no-authorization-header', 'hostapp']);
  });

  it('signs in its agreed headers if they are its own', async () => {
    const apart = SigningPartner.withEcKey('P-256', {
      api_client_id: 'host',
      header_names: {
        signature: 'H-Signature',
        timestamp: 'H-Timestamp',
        client_id: 'H-Client',
        nonce: 'H-Nonce',
        identity: 'H-Who',
        merchant_id: 'H-Shop',
      },
    });
    const pair = await calls.pair({ hostApp: { signature: apart.settings }, miniapp: { signature: mini.settings }, integration: checked });
    expect((await send(pair, by(pair, mini), by(pair, apart))).status).toBe(200);
    expect(verdictOf(await send(pair, by(pair, mini)))).toEqual([401, 'MISSING_HEADER', 'H-Signature', 'hostapp']);
    expect(verdictOf(await send(pair, by(pair, apart)))).toEqual(lacks('X-Signature'));
  });

  it("needs Basic beside the miniapp's signature if it does not sign", async () => {
    const pair = await calls.pair({ miniapp: { signature: mini.settings }, integration: checked });
    expect((await send(pair, by(pair, mini), pair.basic)).status).toBe(200);
    expect(verdictOf(await send(pair, by(pair, mini)))).toEqual([401, 'ACCESS_DENIED', 'no-authorization-header', 'hostapp']);
  });
});

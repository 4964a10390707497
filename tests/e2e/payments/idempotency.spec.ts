import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { held, html, json, refusalOf, reset } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

let service: TestService;
let other: TestService;
let hostApp: StubPayingHostApp;
let miniapp: StubMiniapp;
let pair: Pair;

beforeAll(async () => {
  service = await startTestService();
  other = await startTestService({ database: service.database });
  hostApp = await new StubPayingHostApp().start();
  miniapp = await new StubMiniapp().start();
  pair = await aPayingPair(service, hostApp, { miniappUrl: miniapp.url });
});
afterAll(async () => {
  await hostApp.stop();
  await miniapp.stop();
  await other.close();
  await service.close();
});

let made = 0;
/** A key that was never used, a blank and a quote in it. */
const newKey = () => `"key ${String(++made)}"`;
const keyed = (key: string, more: Record<string, string> = {}) => ({ ...pair.basic, 'Idempotency-Key': key, ...more });
const connectBody = (reference: string) => ({ client_id: pair.clientId, app_id: pair.appId, user_data: { reference } });
const connect = (key: string, body: unknown = connectBody('mia'), { to = service, slash = '/', headers = {} } = {}) =>
  to.call('POST', `/api/v1/connect${slash}`, { headers: keyed(key, headers), body });
const sessions = () => miniapp.at('/auth').length;
const replayed = ({ headers }: Reply) => headers.get('idempotency-replayed');
const codeOf = ({ status, body }: Reply) => [status, body.error_code];

describe('a call with an Idempotency-Key', () => {
  it('runs once: a repeat gets the same bytes on every instance', async () => {
    const [key, before] = [newKey(), sessions()];
    const first = await connect(key, undefined, { headers: { 'X-Request-Id': 'first' } });
    expect([first.status, replayed(first)]).toEqual([200, null]);
    for (const [to, slash] of [
      [service, '/'],
      [service, ''],
      [other, '/'],
    ] as const) {
      const again = await connect(key, undefined, { to, slash, headers: { 'X-Request-Id': 'again' } });
      expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
      expect(again.headers.get('x-request-id')).toBe('again');
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    }
    expect(sessions()).toBe(before + 1);
  });

  it('runs once of twenty concurrent calls on two instances', async () => {
    const [key, before] = [newKey(), sessions()];
    const gate = held(json({ auth_token: 'session', refresh_token: 'refresh' }));
    const replies = await miniapp.during('/auth', gate.behaviour, async () => {
      let answered = 0;
      const all = Array.from({ length: 20 }, async (_, i) => {
        const reply = await connect(key, undefined, { to: i % 2 ? other : service });
        // When all the others have been answered, the one that runs may end.
        if (++answered === 19) gate.release();
        return reply;
      });
      return Promise.all(all);
    });
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const reply of refused) {
      expect(codeOf(reply)).toEqual([400, 'IDEMPOTENCY_IN_PROGRESS']);
      expect(reply.body.custom_attributes.retryable).toBe(true);
    }
    expect(sessions()).toBe(before + 1);
    expect(replayed(await connect(key))).toBe('true');
  });

  it('refuses another body under the same key, were it by a blank', async () => {
    const [key, before] = [newKey(), sessions()];
    await connect(key);
    for (const body of [connectBody('leo'), JSON.stringify(connectBody('mia')).replace(':', ': ')]) {
      expect(codeOf(await connect(key, body))).toEqual([400, 'IDEMPOTENCY_MISMATCH']);
    }
    expect(sessions()).toBe(before + 1);
  });

  it('is another call under another key, on another path and between another pair', async () => {
    const key = newKey();
    const body = connectBody('mia');
    await connect(key);
    const saved = await service.call('POST', '/api/v1/accounts/consent/save_consent', {
      headers: keyed(key),
      body: { client_id: pair.clientId, app_id: pair.appId, user_reference: 'mia' },
    });
    expect([saved.status, replayed(saved)]).toEqual([200, null]);
    const another = await aPair(service, { miniappUrl: miniapp.url });
    const foreign = await service.call('POST', '/api/v1/connect/', {
      headers: { ...another.basic, 'Idempotency-Key': key },
      body: { ...body, client_id: another.clientId, app_id: another.appId },
    });
    expect([foreign.status, replayed(foreign)]).toEqual([200, null]);
    expect(replayed(await connect(newKey()))).toBeNull();
  });

  it('keeps a refusal that came after the action began, with the body as it was', async () => {
    const [key, before] = [newKey(), sessions()];
    const first = await miniapp.during('/auth', refusalOf('PROCESS_FAIL'), () =>
      connect(key, undefined, { headers: { 'X-Request-Id': 'no-1' } }),
    );
    expect(codeOf(first)).toEqual([400, 'PROCESS_FAIL']);
    const again = await connect(key, undefined, { headers: { 'X-Request-Id': 'no-2' } });
    expect([again.status, again.text, replayed(again)]).toEqual([400, first.text, 'true']);
    expect(again.body.custom_attributes.request_id).toBe('no-1');
    expect(again.headers.get('x-request-id')).toBe('no-2');
    expect(sessions()).toBe(before + 1);
    const [record] = await service.exchanges('no-2');
    expect(record).toMatchObject({ status: 400, error_code: 'PROCESS_FAIL', legs: [] });
  });

  it.each([
    ['gave no answer', reset],
    ['answered with a page', html],
    ['answered 502', json({}, { status: 502 })],
  ])('does not keep that a partner %s: the next call with the key acts', async (_what, behaviour) => {
    const [key, before] = [newKey(), sessions()];
    const first = await miniapp.during('/auth', behaviour, () => connect(key));
    expect(first.status).toBe(400);
    expect(first.body.custom_attributes).not.toHaveProperty('outcome');
    const again = await connect(key);
    expect([again.status, replayed(again)]).toEqual([200, null]);
    expect(sessions()).toBe(before + 2);
  });

  it('does not keep refusals of the checks before: put right, the call happens', async () => {
    const key = newKey();
    const wrong = { Authorization: `Basic ${Buffer.from(`${pair.clientId}:wrong`).toString('base64')}` };
    const headers = { ...wrong, 'Idempotency-Key': key };
    expect((await service.call('POST', '/api/v1/connect/', { headers, body: connectBody('mia') })).status).toBe(401);
    expect(codeOf(await connect(key, { ...connectBody('mia'), user_data: { reference: 1.5 } }))).toEqual([400, 'INVALID_INPUT']);
    expect((await connect(key)).status).toBe(200);
  });

  it('shows a kept answer only to who passes the checks', async () => {
    const key = newKey();
    await connect(key);
    const headers = { 'Idempotency-Key': key };
    const stranger = await service.call('POST', '/api/v1/connect/', { headers, body: connectBody('mia') });
    expect([codeOf(stranger), replayed(stranger)]).toEqual([[401, 'ACCESS_DENIED'], null]);
  });

  it('compares the query, too, if the call is made there', async () => {
    const key = newKey();
    const revoke = (reference: string) =>
      service.call('POST', `/api/v1/accounts/consent/revoke/?client_id=${pair.clientId}&app_id=${pair.appId}&user_reference=${reference}`, {
        headers: keyed(key),
      });
    expect([(await revoke('mia')).status, replayed(await revoke('mia'))]).toEqual([200, 'true']);
    expect(codeOf(await revoke('leo'))).toEqual([400, 'IDEMPOTENCY_MISMATCH']);
  });

  it.each([
    ['empty', ''],
    ['256 characters long', 'k'.repeat(256)],
    ['not ASCII', 'kéy'],
    ['a tab in it', 'k\ty'],
  ])('refuses a key that is %s', async (_what, key) => {
    const before = sessions();
    const reply = await connect(key);
    expect(codeOf(reply)).toEqual([400, 'INVALID_INPUT']);
    expect(reply.body.custom_attributes.fields).toEqual([{ path: 'Idempotency-Key', rule: 'must be 1 to 255 printable ASCII characters' }]);
    expect(sessions()).toBe(before);
  });

  it('takes a key of 255 characters, and refuses two keys', async () => {
    expect((await connect('k'.repeat(255))).status).toBe(200);
    const doubled = await fetchTwice(`${service.url}/api/v1/connect/`, JSON.stringify(connectBody('mia')));
    expect(codeOf(doubled)).toEqual([400, 'INVALID_INPUT']);
  });

  it('is not used for GET, DELETE and calls without credentials', async () => {
    const query = `client_id=${pair.clientId}&app_id=${pair.appId}&user_reference=mia`;
    const headers = keyed('é');
    for (const [method, path] of [
      ['GET', `accounts/consent/get_consent/?${query}`],
      ['DELETE', `accounts/consent/revoke/?${query}`],
    ] as const) {
      const reply = await service.call(method, `/api/v1/${path}`, { headers });
      expect([reply.status, replayed(reply)]).toEqual([200, null]);
    }
    const body = { client_id: pair.clientId, app_id: pair.appId, auth_code: 'unknown' };
    const codes = [];
    for (let i = 0; i < 2; i++) codes.push(replayed(await service.call('POST', '/api/v1/authorize/', { headers: keyed('k'), body })));
    expect(codes).toEqual([null, null]);
  });
});

describe('a payment with an Idempotency-Key', () => {
  const create = (key: string, of = pair) => {
    const body = { client_id: of.clientId, app_id: of.appId, order: { currency: 'USD', amount: '1.10' } };
    return service.call('POST', '/api/v1/orders/create-order-payment/', { headers: { 'Idempotency-Key': key }, body });
  };

  it('is created once, and the repeat gets its id', async () => {
    const [key, before] = [newKey(), hostApp.at('/create').length];
    const first = await create(key);
    const again = await create(key);
    expect([first.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
    expect(hostApp.at('/create')).toHaveLength(before + 1);
  });

  it('is not created again if the first outcome is unknown', async () => {
    const [key, before] = [newKey(), hostApp.at('/create').length];
    const first = await hostApp.during('/create', reset, () => create(key));
    expect(codeOf(first)).toEqual([400, 'UNEXPECTED_RESPONSE_ERROR']);
    const again = await create(key);
    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expect(hostApp.at('/create')).toHaveLength(before + 1);
  });

  it('that was never sent is created by the next call with the key', async () => {
    const nowhere = await aPayingPair(service, hostApp, { hostApp: { create_order_payment_url: 'https://127.0.0.1:9/create' } });
    const [key, before] = [newKey(), hostApp.at('/create').length];
    const first = await create(key, nowhere);
    expect(first.body.custom_attributes).toMatchObject({ cause: 'connect', retryable: true });
    await service.manage('PATCH', `host-apps/${nowhere.clientId}`, {
      create_order_payment_url: hostApp.paymentUrls.create_order_payment_url,
    });
    const again = await create(key, nowhere);
    expect([again.status, replayed(again)]).toEqual([200, null]);
    expect(hostApp.at('/create')).toHaveLength(before + 1);
  });

  it('whose run died is never run again: the outcome is unknown for 24 hours', async () => {
    const [key, before] = [newKey(), hostApp.at('/create').length];
    const { db } = service.database;
    await create(key);
    // As a killed process leaves it: begun, never answered, its lease over.
    const [row] = await db.query('select key_digest from idempotent_calls order by expires_at desc limit 1');
    await db.query(`update idempotent_calls set status = null, answer = null, lease_until = now() - interval '1 s' where key_digest = $1`, [
      row.key_digest,
    ]);
    for (let i = 0; i < 2; i++) {
      const reply = await create(key);
      expect(codeOf(reply)).toEqual([500, 'UNKNOWN_ERROR']);
      expect(reply.body.custom_attributes).toMatchObject({ outcome: 'unknown', retryable: false, side: 'platform' });
    }
    expect(hostApp.at('/create')).toHaveLength(before + 1);
    await db.query(`update idempotent_calls set expires_at = expires_at - interval '24 h' where key_digest = $1`, [row.key_digest]);
    expect((await create(key)).status).toBe(200);
    expect(hostApp.at('/create')).toHaveLength(before + 2);
  });
});

/** Two headers of one name, which the usual caller cannot send. */
async function fetchTwice(url: string, body: string): Promise<Reply> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = ['Content-Type', 'application/json', 'Idempotency-Key', 'a', 'Idempotency-Key', 'b'];
    const sent = request(url, {
      method: 'POST',
      headers: ['Host', new URL(url).host, ...headers, 'Authorization', pair.basic.Authorization, 'Content-Length', String(body.length)],
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: new Headers(), text, body: JSON.parse(text) }));
    });
    sent.end(body);
  });
}

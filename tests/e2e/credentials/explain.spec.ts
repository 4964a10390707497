import { createHmac } from 'node:crypto';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type Reply, type TestService } from '../../support/service/service';

let service: TestService;
let pair: Pair;
const path = '/api/v1/orders/create-order-payment/';

beforeAll(async () => {
  service = await startTestService();
  const hmac_secret = service.canary('CANARY-hmac-secret-of-32-bytes-or-more');
  pair = await aPair(service, { miniapp: { signature: { enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret } } });
}, 60_000);
afterAll(() => service.close());

const textOf = ({ appId, clientId }: Pair): string =>
  JSON.stringify({ app_id: appId, client_id: clientId, order: { currency: 'EUR', amount: '1.10' } });

/** The signature of a text under the miniapp's secret: every answer is searched for it. */
const macOf = (text: string): string =>
  service.canary(createHmac('sha256', 'CANARY-hmac-secret-of-32-bytes-or-more').update(text).digest('base64'));

function signedHeaders(timestamp: number, signed: string): Record<string, string> {
  return {
    'X-Client-Id': 'cid_1',
    'X-Timestamp': String(timestamp),
    'X-Signature': createHmac('sha256', 'CANARY-hmac-secret-of-32-bytes-or-more').update(signed).digest('base64'),
  };
}

const explain = (body: object): Promise<Reply> => service.manage('POST', 'signatures/explain', body);

async function refusedExchange(headers: Record<string, string>, body: string): Promise<string> {
  const requestId = `refused-${String(Math.random()).slice(2)}`;
  const reply = await service.call('POST', path, { headers: { ...headers, 'X-Request-Id': requestId }, body });
  expect(reply.status).toBe(401);
  const [exchange] = await service.exchanges(requestId);
  return exchange!.id;
}

describe('POST /manage/v1/signatures/explain', () => {
  it('explains the difference in the signed text of a refused exchange', async () => {
    const now = Math.floor(Date.now() / 1000);
    const body = textOf(pair);
    const id = await refusedExchange(signedHeaders(now, `POST.${path}.cid_1.${String(now)}.${body}`), body);
    const {
      status,
      body: explanation,
      text,
    } = await until(
      () => explain({ exchange_id: id }),
      (reply) => reply.status === 200,
    );
    expect([status, explanation.verdict, explanation.causes[0].code]).toEqual([200, 'explained', 'url-form']);
    expect(explanation.sentence).toContain('is the path alone instead of the full URL');
    expect(explanation).toMatchObject({
      differs_at: 5,
      clock_skew_s: expect.any(Number),
      signed_string: expect.stringContaining(`POST.${path}.cid_1.`),
    });
    expect(Object.keys(explanation.code)).toEqual(['typescript', 'python', 'java', 'go', 'php', 'shell']);
    expect(text).not.toContain(macOf(`POST.http://localhost:0${path}.cid_1.${String(now)}.${body}`));
    expect((await service.manage('GET', `exchanges/${id}`)).body.explainable).toBe(true);
  });

  it('measures a clock that is wrong', async () => {
    const then = Math.floor(Date.now() / 1000) - 900;
    const request = {
      method: 'POST',
      target: path,
      headers: signedHeaders(then, `POST.http://localhost:0${path}.cid_1.${String(then)}.${textOf(pair)}`),
      body: textOf(pair),
    };
    const { body } = await explain({ request });
    expect(body.causes[0].codes).toEqual(['timestamp-skew']);
    expect(Math.abs(Number(body.clock_skew_s) + 900)).toBeLessThan(5);
    expect(body.sentence).toMatch(/X-Timestamp is 90\d s behind our clock; 300 s are allowed/);
  });

  it('reads a request with CR LF or LF, and checks it at the given time', async () => {
    const body = textOf(pair);
    const headers = signedHeaders(1_700_000_000, `post.http://localhost:0${path}.cid_1.1700000000.${body}`);
    for (const end of ['\r\n', '\n']) {
      const http =
        [`POST ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body].join(end) + end;
      const { body: explanation } = await explain({ http, received_at: '2023-11-14T22:13:20Z', app_id: pair.appId });
      expect(explanation.causes[0]).toMatchObject({ code: 'method-case', codes: ['method-case'] });
    }
  });

  it('says that a right one is accepted, and that a stranger is unknown', async () => {
    const now = Math.floor(Date.now() / 1000);
    const request = {
      method: 'POST',
      target: path,
      body: textOf(pair),
      headers: signedHeaders(now, `POST.http://localhost:0${path}.cid_1.${String(now)}.${textOf(pair)}`),
    };
    expect((await explain({ request })).body).toMatchObject({ verdict: 'fits', causes: [] });
    const headers = { ...request.headers, 'X-Signature': Buffer.alloc(32, 1).toString('base64') };
    expect((await explain({ request: { ...request, headers: Object.entries(headers) } })).body).toMatchObject({
      verdict: 'unknown',
      causes: [],
    });
  });

  it('names the missing setting', async () => {
    const other = await aPair(service, { miniapp: { signature: { enabled: true } } });
    const { body } = await explain({ request: { method: 'POST', target: path, headers: {}, body: textOf(other) } });
    expect(body).toMatchObject({
      verdict: 'settings-incomplete',
      sentence: expect.stringContaining('signature.algorithm, signature.api_client_id'),
    });
  });

  it.each([
    ['nothing', {}, 400],
    ['two at once', { exchange_id: 'x', http: 'POST / HTTP/1.1' }, 400],
    ['an unknown member', { exchange_id: 'x', verbose: true }, 400],
    ['no HTTP', { http: 'hello' }, 400],
    ['two signers', { http: 'POST / HTTP/1.1', app_id: 'a', client_id: 'b' }, 400],
    ['two bodies', { request: { method: 'POST', target: '/', headers: [], body: '', body_base64: '' } }, 400],
    ['a header that is none', { request: { method: 'POST', target: '/', headers: [['a b', 'c']] } }, 400],
    ['no time', { http: 'POST / HTTP/1.1', received_at: 'yesterday', app_id: 'a' }, 400],
    ['an exchange that is not kept', { exchange_id: 'nobody_has_it' }, 404],
    ['an app that is not there', { http: 'POST / HTTP/1.1', app_id: 'app_nobody' }, 404],
    ['no app at all', { http: 'POST / HTTP/1.1' }, 404],
  ])('refuses %s', async (_what, body, status) => {
    const reply = await explain(body);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, expect.stringContaining('application/problem+json')]);
  });

  it('is not there without the operator token', async () => {
    expect((await service.call('POST', '/manage/v1/signatures/explain', { body: { exchange_id: 'x' } })).status).toBe(401);
    expect((await service.call('POST', '/api/v1/signatures/explain', { body: {} })).status).toBe(404);
  });
});

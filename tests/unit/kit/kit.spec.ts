import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CallRefused,
  HostAppCalls,
  MemoryNonceStore,
  MiniappBackEnd,
  openPayload,
  sealPayload,
  sign,
  verify,
  verifyWebhook,
  type Completion,
} from '../../../src/kit/kit';
import { readObject } from '../../../src/kit/plain-json';
import { agreementOf, keptVectors } from '../../support/documents/sample-documents';

const { keys, vectors } = keptVectors();
const secret = 'a-secret-that-both-sides-hold-0123456789';
const agreed = { algorithm: 'HMAC', api_client_id: 'cid_1', hmac_secret: secret } as const;

describe('the vectors of the samples', () => {
  it.each(vectors.map((vector) => [`${vector.algorithm}: ${vector.name}`, vector] as const))('%s', async (_name, vector) => {
    const verdict = await verify(vector, agreementOf(vector.algorithm, keys), { now: vector.now * 1000 }).then(
      () => true,
      (error: unknown) => !(error instanceof CallRefused),
    );
    expect(verdict).toBe(vector.fits);
  });

  it('hold the vector of the contract', () => {
    expect(vectors[0]?.headers['X-Signature']).toBe('EITyCYGf5idFW8huUoTLvpFYPjuwpReSQwj4RtKQKuk=');
  });
});

describe('a nonce', () => {
  const withNonces = { ...agreed, nonce_length: 24, payload_template: '{request_method}\n{url}\n{timestamp}\n{nonce}\n{payload}' };
  const call = { method: 'POST', url: 'https://shop.example/auth', body: '{}' };

  it('is taken once, in whichever process the store is asked', async () => {
    const headers = await sign(call, withNonces);
    const nonces = new MemoryNonceStore();
    await verify({ ...call, headers }, withNonces, { nonces });
    await expect(verify({ ...call, headers }, { ...withNonces }, { nonces })).rejects.toMatchObject({ reason: 'nonce-used', status: 401 });
  });

  it('is remembered without a store, too', async () => {
    const headers = await sign(call, withNonces);
    await verify({ ...call, headers }, withNonces);
    await expect(verify({ ...call, headers }, withNonces)).rejects.toMatchObject({ reason: 'nonce-used' });
  });

  it('of a delivery that comes again is its id, and no reason to refuse it', async () => {
    const asWebhook = {
      ...agreed,
      payload_template: '{nonce}.{timestamp}.{payload}',
      nonce_length: 32,
      header_names: { nonce: 'webhook-id' },
    };
    const headers = await sign(call, asWebhook);
    await verify({ ...call, headers }, asWebhook);
    await verify({ ...call, headers }, asWebhook);
  });
});

it('says at once what an agreement lacks', async () => {
  const call = { method: 'GET', url: 'https://shop.example/', headers: {} };
  await expect(sign(call, { algorithm: 'RSA2', api_client_id: 'cid_1' })).rejects.toThrow('lacks private_key');
  await expect(verify(call, { algorithm: 'ECDSA', api_client_id: 'cid_1' })).rejects.toThrow('lacks platform_public_key');
});

describe('payloads of partner/login', () => {
  // Source: contract/sign-on#partner-login.
  const key = { secretKey: 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=', clientId: 'host_abc123def456', appId: 'app_abc123' };
  const claims = { name: 'Bob', email: 'user@example.com', address: 'Singapore' };
  const cbc = 'AAECAwQFBgcICQoLDA0OD/AxM1kF+jsRXVMIiWBcMSrjkOp494mENOVH4dFO+zdXRSUP1SKrS3vBjrivcG7DrAAacDFz4/kH5B+/PPjHxO8=';
  const gcm =
    'v2.AAECAwQFBgcICQoLdAap18-ta-5FkWaFzt9ybFq0I1uWxYHT8JwHlXwcJ1AFKzB0J0DC70nfPAgNXQJr0pULdS0G2u4O-KHPpmZs1zfk_K31ZKi7jMxIDW4OTw';

  it.each([cbc, gcm])('are opened as the contract has them', (payload) => {
    expect(openPayload(payload, key)).toEqual(claims);
  });

  it.each(['gcm', 'cbc'] as const)('are sealed with %s, each time another', (cipher) => {
    const payload = sealPayload(claims, key, { cipher });
    expect(openPayload(payload, key)).toEqual(claims);
    expect(sealPayload(claims, key, { cipher })).not.toBe(payload);
    expect(() => openPayload(payload, { ...key, secretKey: randomBytes(32).toString('base64url') })).toThrow(CallRefused);
  });
});

it('checks the signature after Standard Webhooks, under any of the secrets', () => {
  const [key, other] = [randomBytes(32), randomBytes(32)].map((bytes) => `whsec_${bytes.toString('base64')}`) as [string, string];
  const [now, body] = [1_700_000_000_000, '{"a":1}'];
  const signature = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`msg-1.1700000000.${body}`)
    .digest('base64');
  const headers = { 'webhook-id': 'msg-1', 'webhook-timestamp': '1700000000', 'webhook-signature': `v1,AAAA v1,${signature}` };
  expect(verifyWebhook({ headers, body }, [other, key], { now })).toEqual({ id: 'msg-1', timestamp: 1_700_000_000 });
  expect(() => verifyWebhook({ headers, body }, other, { now })).toThrow('does not fit');
  expect(() => verifyWebhook({ headers, body: '{"a":2}' }, key, { now })).toThrow('does not fit');
  expect(() => verifyWebhook({ headers, body }, key, { now: now + 301_000 })).toThrow('too far');
});

it('reads numbers without losing any', () => {
  const text = '{"a":1.10,"b":12345678901234567890.12,"c":[1e2,0.1],"d":1e-400,"__proto__":{"e":1}}';
  const body = readObject(Buffer.from(text));
  expect([body['a'], body['b'], body['c'], body['d']]).toEqual([1.1, '12345678901234567890.12', [100, 0.1], '1e-400']);
  expect(Object.hasOwn(body, '__proto__')).toBe(true);
  expect(() => readObject(Buffer.from('{"a":1,"a":2}'))).toThrow(CallRefused);
});

describe('over HTTP', () => {
  let server: Server;
  let serve: RequestListener;
  let url: string;
  beforeEach(async () => {
    server = createServer((request, response) => serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterEach(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );

  const ids = { 'X-Hostapp-Client-ID': 'host_abc123def456', 'X-Miniapp-App-ID': 'app_abc123', 'Content-Type': 'application/json' };
  const completion = { order_payment_id: 'op-1', payment_status: 'paid', app_id: 'app_abc123', client_id: 'host_abc123def456' };

  it('a back end accepts signed requests only', async () => {
    const taken: Completion[] = [];
    const miniapp = new MiniappBackEnd({ publicUrl: 'https://shop.example', appId: 'app_abc123', secretKey: 's', signature: agreed });
    serve = miniapp.completion((one) => void taken.push(one));
    const body = JSON.stringify(completion);
    const headers = await sign({ method: 'POST', url: 'https://shop.example/webhook', body }, agreed);
    const send = (sent: string) => fetch(`${url}/webhook`, { method: 'POST', headers: { ...ids, ...headers }, body: sent });
    expect((await send(body.replace('paid', 'paie'))).status).toBe(401);
    expect((await send(body)).status).toBe(200);
    expect(taken).toEqual([completion]);
  });

  it('a refusal of a completion is a receipt, a fault is not', async () => {
    const faults: unknown[] = [];
    const settings = { publicUrl: 'https://shop.example', appId: 'app_abc123', secretKey: 's', signature: agreed };
    const miniapp = new MiniappBackEnd({ ...settings, onError: (error) => void faults.push(error) });
    const body = JSON.stringify(completion);
    const headers = { ...ids, ...(await sign({ method: 'POST', url: 'https://shop.example/', body }, agreed)) };
    serve = miniapp.completion(() => {
      throw new CallRefused('ORDER_NOT_FOUND', 'No such order');
    });
    const refused = await fetch(url, { method: 'POST', headers, body });
    expect([refused.status, await refused.json()]).toEqual([200, { error_code: 'ORDER_NOT_FOUND', error_message: 'No such order' }]);
    serve = miniapp.completion(() => {
      throw new Error('the database is away');
    });
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(500);
    expect(faults).toHaveLength(1);
  });

  it('a fault says so if something has read the body before and kept nothing', async () => {
    const faults: unknown[] = [];
    const settings = { publicUrl: 'https://shop.example', appId: 'app_abc123', secretKey: 's', signature: agreed };
    const take = new MiniappBackEnd({ ...settings, onError: (error) => void faults.push(error) }).completion(() => undefined);
    serve = (request, response) => void request.resume().on('end', () => take(request, response));
    expect((await fetch(url, { method: 'POST', headers: ids, body: '{}' })).status).toBe(500);
    expect(faults).toEqual([expect.objectContaining({ message: expect.stringContaining('keepRawBody') })]);
  });

  it('a call is repeated with one key, and signed anew each time, until it is answered', async () => {
    const seen: (string | undefined)[][] = [];
    serve = (request, response) => {
      seen.push(['idempotency-key', 'x-n'].map((name) => request.headers[name] as string | undefined));
      response.writeHead(seen.length < 3 ? 503 : 200, { 'Content-Type': 'application/json', 'Retry-After': '0' });
      response.end(seen.length < 3 ? '{"error_code":"SERVICE_UNAVAILABLE","error_message":"later"}' : '{"token":"t","refresh_token":""}');
    };
    const signature = { ...agreed, nonce_length: 16, header_names: { nonce: 'X-N' } };
    const calls = new HostAppCalls({ baseUrl: url, clientId: 'host_abc123def456', signature });
    expect((await calls.connect('app_abc123', { reference: 'u' })).token).toBe('t');
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(([key]) => key)).size).toBe(1);
    expect(new Set(seen.map(([, nonce]) => nonce)).size).toBe(3);
  });

  it('a refusal is not repeated', async () => {
    let count = 0;
    serve = (_request, response) => {
      count++;
      response.writeHead(400).end('{"error_code":"PROCESS_FAIL","error_message":"no","custom_attributes":{"retryable":false}}');
    };
    const calls = new HostAppCalls({ baseUrl: url, clientId: 'host_abc123def456', secretKey: 's' });
    const refused = { status: 400, code: 'PROCESS_FAIL', attributes: { retryable: false } };
    await expect(calls.connect('app_abc123', { reference: 'u' })).rejects.toMatchObject(refused);
    expect(count).toBe(1);
  });
});

import { connect } from 'node:net';
import { Overload, type Excess, type Shed } from '../../../src/adapters/in/http/admission/overload';
import { T } from '../../../src/composition/tokens/tokens';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { CollectingLog } from '../../support/collecting-log';
import { startTestService, type TestService } from '../../support/service/service';

/** Refuses chosen callers, and writes down who asked. */
class FixedOverload extends Overload {
  readonly classes: Shed[] = [];
  answer: Excess | undefined;

  override refuses(shed: Shed): Excess | undefined {
    this.classes.push(shed);
    return this.answer;
  }
}

let overload: FixedOverload;
let service: TestService;
let pair: Pair;

beforeAll(async () => {
  const database = { waiting: () => 0, served: () => 0 };
  overload = new FixedOverload({ database, now: () => performance.now(), computed: () => 0, sheds: true, log: new CollectingLog() });
  service = await startTestService({ change: (container) => void container.rebind(T.overload).toConstantValue(overload) });
  pair = await aPair(service);
});
afterAll(() => service.close());
beforeEach(() => {
  overload.classes.length = 0;
  overload.answer = undefined;
});

describe('when there is too much', () => {
  beforeEach(() => (overload.answer = 'database-busy'));

  it('a call is refused before its body is read', async () => {
    const reply = await service.call('POST', '/api/v1/orders/complete-order/', { body: 'no JSON', headers: { 'X-Request-Id': 'mine' } });
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('x-request-id')]).toEqual([503, '1', 'mine']);
    expect(reply.body).toEqual({
      error_code: 'SERVICE_UNAVAILABLE',
      error_message: 'The service cannot answer right now; try again later',
      custom_attributes: { request_id: 'mine', retryable: true, side: 'platform', cause: 'database-busy' },
    });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a page in a browser may read the refusal', async () => {
    for (const [method, path] of [
      ['POST', 'authorize/'],
      ['POST', 'analytics/track'],
      ['GET', `miniapps/${pair.appId}/settings/?client_id=${pair.clientId}`],
    ] as const) {
      const reply = await service.call(method, `/api/v1/${path}`, { headers: { Origin: 'https://host.example' } });
      expect([reply.status, reply.body.error_code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      expect(reply.headers.get('access-control-expose-headers')).toContain('Retry-After');
    }
  });

  it('the manage API refuses with a problem', async () => {
    const reply = await service.manage('GET', 'payments');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'application/problem+json; charset=utf-8']);
    expect(reply.body).toMatchObject({ type: 'urn:pierhead:problem:unavailable', status: 503, detail: 'database-busy' });
  });

  it('the files of the dashboard are served', async () => {
    expect((await service.call('GET', '/dashboard/')).status).not.toBe(503);
  });

  it('health is answered', async () => {
    expect((await service.call('GET', '/health/live')).status).toBe(200);
    expect((await service.call('GET', '/health/ready')).status).toBe(200);
  });

  it('who sends a long body is not listened to', async () => {
    const short = await rawRequest('POST /api/v1/connect/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    expect(short).toMatch(/^HTTP\/1\.1 503 /);
    expect(short).not.toMatch(/connection: close/i);
    expect(await rawRequest('POST /api/v1/connect/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n')).toMatch(/connection: close/i);
    expect(await rawRequest('POST /api/v1/connect/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')).toMatch(
      /connection: close/i,
    );
  });
});

it.each([
  ['POST', '/api/v1/orders/complete-order', 'last'],
  ['POST', '/api/v1/orders/complete-order/?x=1', 'last'],
  ['POST', '/api/v1/orders/create-order-payment/', 'next'],
  ['POST', '/api/v1/connect/', 'next'],
  ['POST', '/api/v1/event-bridge/miniapp/', 'next'],
  ['GET', '/api/v1/miniapps/app_abc123/settings/?client_id=x', 'next'],
  ['POST', '/api/v1/analytics/track/', 'first'],
  ['POST', '/api/v1/analytics/miniapp-transactions/', 'first'],
  ['GET', '/manage/v1/payments', 'first'],
  ['POST', '/manage/v1/host-apps', 'next'],
  ['GET', '/.well-known/pierhead.json', 'first'],
  ['GET', '/nowhere', 'first'],
  ['GET', '/health/live', undefined],
] as const)('%s %s is refused %s', async (method, path, shed) => {
  await service.call(method, path);
  expect(overload.classes).toEqual(shed === undefined ? [] : [shed]);
});

describe('headers', () => {
  const request = (lines: string): string => `GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`;

  it('100 lines are read', async () => {
    expect(await rawRequest(request('X-A: 1\r\n'.repeat(98)))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['more than 100 lines', 'X-A: 1\r\n'.repeat(99)],
    ['more lines than the parser keeps', 'X-A: 1\r\n'.repeat(1900)],
    ['more than 16 KiB', `X-A: ${'1'.repeat(16_384)}\r\n`],
  ])('%s are refused with 431 and the Error body', async (_what, lines) => {
    const answer = await rawRequest(request(lines));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error_code: 'INVALID_INPUT' });
  });

  it('bytes that are no HTTP are refused with 400 and the Error body', async () => {
    const answer = await rawRequest('no HTTP\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error_code: 'INVALID_INPUT' });
  });

  it('an earlier answer is not replaced by a refusal of bytes that are no HTTP', async () => {
    const answer = await rawRequest('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\nno HTTP\r\n\r\n');
    expect(answer).not.toMatch(/^HTTP\/1\.1 400 /);
  });
});

/** Sends the text as it is; resolves to the bytes received until the other side closed, or half a second after the first of it. */
function rawRequest(text: string): Promise<string> {
  return new Promise((resolve) => {
    let came = '';
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
    socket.once('data', () => setTimeout(() => socket.destroy(), 500));
    socket.on('data', (piece) => (came += piece.toString('utf8')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(came);
    });
  });
}

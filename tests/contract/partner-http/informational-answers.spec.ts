import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { failureOf } from '../../support/sso/sign-on-over-http';

const body = '{"access_token":"a"}';
const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n`;
const answer = `${head}\r\n${body}`;
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-A: ${'a'.repeat(2000)}\r\n\r\n`;

let partners: ReturnType<typeof partnerHttp>;
let server: Server;
let sockets: Socket[];
let warnings: readonly string[];
let requests: number;
beforeEach(async () => {
  partners = partnerHttp();
  [sockets, requests] = [[], 0];
  server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', () => {
      requests++;
      warnings.forEach((piece) => socket.write(piece));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  partners.close();
  sockets.forEach((socket) => socket.destroy());
  await new Promise((resolve) => server.close(resolve));
});

const exchange = () => {
  const accessToken = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/token`;
  const integration = anIntegration({ hostApp: reachableHostApp({ endpoints: { accessToken } }) });
  return partners.hostAppSignOn.exchangeCode({ ...aRelay(clock), deadline: clock.now() + 2000 }, integration, new Secret('code'));
};

it.each([
  ['100 Continue, which was not asked for', [goOn, answer]],
  ['100 Continue in one piece with the answer', [goOn + answer]],
  ['early hints', [hints + answer]],
  ['ten informational answers', [...Array.from({ length: 10 }, () => goOn), answer]],
])('an answer after %s is read, and its connection used again', async (_what, pieces) => {
  warnings = pieces;
  for (let call = 0; call < 3; call++) {
    const { accessToken } = await exchange();
    expect(accessToken.reveal()).toBe('a');
    await new Promise(setImmediate);
  }
  expect([requests, sockets.length]).toEqual([3, 1]);
});

it.each([
  ['eleven informational answers', [goOn.repeat(11), answer], 'not-http'],
  ['another protocol', ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'], 'not-http'],
  ['another protocol, without saying which', ['HTTP/1.1 101 Switching Protocols\r\n\r\n'], 'not-http'],
  ['a greeting of another protocol', ['SSH-2.0-OpenSSH_9.6\r\n'], 'not-http'],
  ['the alert of a server that speaks TLS', ['\x15\x03\x01\x00\x02\x02\x46'], 'not-http'],
  ['informational answers of 18 KB in all', [hints.repeat(9), answer], 'headers-too-large'],
  ['headers of 17 KB', [`${head}X-A: ${'a'.repeat(17_000)}\r\n\r\n${body}`], 'headers-too-large'],
])('%s: no answer to read, and the request was sent', async (_what, pieces, cause) => {
  warnings = pieces;
  expect(await failureOf(exchange())).toMatchObject({ kind: 'partner-unreachable', details: { cause, step: 'exchange' } });
  expect(requests).toBe(1);
});

it('JSON after a byte order mark is read', async () => {
  const marked = Buffer.from(`\ufeff${body}`);
  warnings = [`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${String(marked.length)}\r\n\r\n`, String(marked)];
  expect((await exchange()).accessToken.reveal()).toBe('a');
});

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { DomainError } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { selfSigned } from '../../support/partners/self-signed';
import { failureOf, SignOnOverHttp } from '../../support/sso/sign-on-over-http';
import {
  brackets,
  drip,
  dripInHead,
  earlyClose,
  empty,
  gzipBomb,
  hangBeforeHeaders,
  hangInBody,
  html,
  huge,
  invalidJson,
  json,
  nothing,
  redirect,
  reset,
  wrongLength,
  type Behaviour,
} from '../../support/partners/stub-behaviours';

let http: SignOnOverHttp;
beforeEach(async () => {
  http = await new SignOnOverHttp().start();
});
afterEach(() => http.stop());

/** Milliseconds after which a call to a partner that hangs ends here, and what it may take beyond them on a busy machine; R7 measures that it is half a second. */
const limitMs = 1000;
const graceMs = 3000;
/** A busy machine may take longer than a second to read answers of 50 MB. */
const limitOf = (expected: object) => (isDeepStrictEqual(expected, unreachable('timeout')) ? limitMs : limitMs + graceMs);
const calls = 5;

const unreachable = (cause: string) => ({ kind: 'partner-unreachable', code: 'UNEXPECTED_RESPONSE_ERROR', details: { cause } });
const garbled = (code: string, details = {}) => ({ kind: 'partner-garbled', code, details });

const corpus: readonly [string, Behaviour, object][] = [
  ['hangs before its headers', hangBeforeHeaders, unreachable('timeout')],
  ['hangs in its body', hangInBody, unreachable('timeout')],
  ['sends one byte a second', drip, unreachable('timeout')],
  ['sends one byte a second of its headers', dripInHead, unreachable('timeout')],
  ['resets the connection', reset, unreachable('reset')],
  ['closes in the middle of its answer', earlyClose, unreachable('reset')],
  ['sends more than it announced', wrongLength, garbled('FAILED_TO_PARSE_RESPONSE')],
  ['answers with a page', html, garbled('INVALID_RESPONSE_CONTENT_TYPE')],
  ['answers with an empty body', empty, garbled('FAILED_TO_PARSE_RESPONSE')],
  ['answers with no body at all', nothing, garbled('INVALID_RESPONSE_CONTENT_TYPE')],
  ['answers with 50 MB', huge, unreachable('too-large')],
  ['answers with a gzip bomb', gzipBomb, garbled('UNEXPECTED_RESPONSE_ERROR', { cause: 'compressed' })],
  ['redirects', redirect('https://elsewhere.example/'), unreachable('redirect')],
  ['answers with invalid JSON', invalidJson, garbled('FAILED_TO_PARSE_RESPONSE')],
  ['answers with 100,000 brackets', brackets, garbled('FAILED_TO_PARSE_RESPONSE')],
];

const timed = async (attempt: Promise<unknown>): Promise<{ error: DomainError; ms: number }> => {
  const startedAt = performance.now();
  const error = await failureOf(attempt);
  return { error, ms: performance.now() - startedAt };
};

describe('a partner that', () => {
  it.each(corpus)('%s is reported by its cause in time, and the next call works', async (_how, behaviour, expected) => {
    http.hostApp.always(behaviour);
    http.miniapp.always(behaviour);
    const memoryBefore = process.memoryUsage().rss;
    const short = () => ({ ...aRelay(clock), deadline: clock.now() + limitOf(expected) });
    const attempts = [];
    for (let i = 0; i < calls; i++) {
      attempts.push(timed(http.exchange(http.pair(), short())));
      attempts.push(timed(http.userData(http.pair(), 'token', short())));
      attempts.push(timed(http.authToken(http.pair(), short())));
    }
    const ended = await Promise.all(attempts);
    for (const { error } of ended) expect(error).toMatchObject(expected);
    expect(Math.max(...ended.map(({ ms }) => ms))).toBeLessThan(limitMs + graceMs);
    // 50 MB fifteen times over would be 750 MB.
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(200 * 1024 * 1024);
    http.miniapp.recover();
    await expect(http.authToken()).resolves.toBeDefined();
  });
});

describe('a partner that cannot be connected to', () => {
  const sockets: Socket[] = [];
  const servers: Server[] = [];
  const listening = async (meet: (socket: Socket) => void): Promise<number> => {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      meet(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as { port: number }).port;
  };
  afterEach(async () => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const call = async (url: string, options: Parameters<typeof partnerHttp>[0] = {}) => {
    const partners = partnerHttp(options);
    const integration = anIntegration({ hostApp: reachableHostApp({ endpoints: { accessToken: url } }) });
    const ended = await timed(partners.hostAppSignOn.exchangeCode(aRelay(clock), integration, new Secret('code')));
    partners.close();
    return ended;
  };

  it('refuses', async () => {
    const port = await listening(() => undefined);
    const [server] = servers.splice(0);
    await new Promise((resolve) => server!.close(resolve));
    expect((await call(`http://127.0.0.1:${String(port)}/`)).error).toMatchObject(unreachable('connect'));
  });

  it('accepts the connection but never ends the TLS handshake: fails within the connect time', async () => {
    const port = await listening(() => undefined);
    const { error, ms } = await call(`https://127.0.0.1:${String(port)}/`, { connectTimeoutMs: 200 });
    expect(error).toMatchObject(unreachable('tls-protocol'));
    expect(ms).toBeLessThan(200 + graceMs);
  });

  it('sends its TLS handshake byte by byte: fails within the connect time, too', async () => {
    const port = await listening((socket) => {
      const timer = setInterval(() => socket.write('\x16'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    const { error, ms } = await call(`https://127.0.0.1:${String(port)}/`, { connectTimeoutMs: 300 });
    expect(error).toMatchObject(unreachable('tls-protocol'));
    expect(ms).toBeLessThan(300 + graceMs);
  });

  it('hangs up in the middle of the TLS handshake', async () => {
    const port = await listening((socket) => socket.once('data', () => socket.destroy()));
    expect((await call(`https://127.0.0.1:${String(port)}/`)).error).toMatchObject(unreachable('tls-protocol'));
  });

  it('talks plain text where TLS was agreed', async () => {
    const port = await listening((socket) => {
      // After the greeting was read: closing on unread bytes would reset the connection.
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    });
    expect((await call(`https://127.0.0.1:${String(port)}/`)).error).toMatchObject(unreachable('tls-protocol'));
  });

  it('shows an untrusted certificate', async () => {
    const server = createTlsServer(selfSigned, (socket) => sockets.push(socket.on('error', () => undefined)));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const options = { addresses: () => [{ address: '127.0.0.1', family: 4 }] };
    expect((await call(`https://partner.example:${String(port)}/`, options)).error).toMatchObject(unreachable('tls-certificate'));
  });

  it('talks no HTTP', async () => {
    const port = await listening((socket) => socket.end('220 mail.example ESMTP\r\n'));
    expect((await call(`http://127.0.0.1:${String(port)}/`)).error).toMatchObject(unreachable('not-http'));
  });

  it('has a name that nothing resolves', async () => {
    const { error } = await call('http://no-such-host.invalid/', { networks: ['127.0.0.0/8'] });
    expect(error).toMatchObject(unreachable('dns'));
  });

  it('has a name that turned private since it was stored: no connection is made', async () => {
    let met = 0;
    const port = await listening(() => met++);
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ];
    for (const addresses of answers) {
      // The list holds another network: the name may have any port, its addresses decide.
      const { error } = await call(`http://partner.example:${String(port)}/`, { networks: ['10.9.9.0/24'], addresses: () => addresses });
      expect(error).toMatchObject(unreachable('denied-address'));
    }
    expect(met).toBe(0);
  });

  it('has a name whose addresses are listed: it is called there', async () => {
    http.hostApp.on('/token', json({ access_token: 'a' }));
    const partners = partnerHttp({ addresses: () => [{ address: '127.0.0.1', family: 4 }] });
    const endpoints = { accessToken: `http://partner.example:${String(http.hostApp.port)}/token` };
    const integration = anIntegration({ hostApp: reachableHostApp({ endpoints }) });
    await partners.hostAppSignOn.exchangeCode(aRelay(clock), integration, new Secret('code'));
    expect(http.hostApp.store[0]!.headers.host).toBe(`partner.example:${String(http.hostApp.port)}`);
    partners.close();
  });
});

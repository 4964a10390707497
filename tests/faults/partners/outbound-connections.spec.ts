import { createServer as createTlsServer } from 'node:tls';
import { createServer, type AddressInfo } from 'node:net';
import { PartnerIsolation } from '../../../src/domain/isolation/partner-isolation';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { aDueDelivery, aPendingCompletion } from '../../support/outbox-events';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { aMiniapp, anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { selfSigned } from '../../support/partners/self-signed';
import { failureOf } from '../../support/sso/sign-on-over-http';
import { SocketAttempts } from '../../support/partners/socket-attempts';
import { hangBeforeHeaders, json, redirect } from '../../support/partners/stub-behaviours';
import { StubPartner } from '../../support/partners/stub-partner';

const sockets = new SocketAttempts().watch();
afterAll(() => sockets.stop());

const report = (line: string): void => void process.stdout.write(`${line}\n`);
let partner: StubPartner;
let other: StubPartner;
let partners: ReturnType<typeof partnerHttp>;
beforeEach(async () => {
  [partner, other] = await Promise.all([new StubPartner().start(), new StubPartner().start()]);
  partners = partnerHttp({ addresses: () => [{ address: '127.0.0.1', family: 4 }] });
  sockets.take();
});
afterEach(async () => {
  partners.close();
  await Promise.all([partner.stop(), other.stop()]);
});

const token = json({ access_token: 'a' });
const pairAt = (url: string) =>
  anIntegration({
    // One host app for each slot: the bound is for an endpoint of a partner.
    hostApp: { ...reachableHostApp({ endpoints: { accessToken: `${url}/token`, userData: `${url}/user` } }), id: `host_${url}` },
    miniapp: aMiniapp({ endpoints: { webhook: `${url}/webhook` } }),
  });
const exchange = (url: string, deadlineMs = 10_000) =>
  partners.hostAppSignOn.exchangeCode({ ...aRelay(clock), deadline: clock.now() + deadlineMs }, pairAt(url), new Secret('code'));
const userData = (url: string) => partners.hostAppSignOn.userData(aRelay(clock), pairAt(url), new Secret('user-token'), 1);
const deliver = (url: string) => {
  const content = { kind: 'completion', completion: aPendingCompletion().completion } as const;
  return partners.deliveries.deliver({
    integration: pairAt(url),
    delivery: aDueDelivery(content),
    at: clock.now(),
    deadline: clock.now() + 5000,
  });
};

describe('a redirect', () => {
  const statuses = [300, 301, 302, 303, 305, 307, 308];
  const targets = () => [
    ...[`${other.url}/token`, `http://other.example:${String(other.port)}/`, `//127.0.0.1:${String(other.port)}/token`, '/elsewhere'],
    ...['http://127.0.0.3:9/', 'http://169.254.169.254/latest/meta-data/', 'https://10.0.0.1/', 'http://[::1]:9/', 'file:///etc/passwd'],
    ...['data:application/json,{"access_token":"a"}', 'gopher://127.0.0.1:9/', '\\\\127.0.0.1\\', ''],
  ];

  it('is a failed call, and nothing is sent to its target', async () => {
    let calls = 0;
    for (const status of statuses) {
      for (const to of targets()) {
        partner.always(redirect(to, status));
        for (const call of [exchange, userData]) {
          const failure = await failureOf(call(partner.url));
          expect(failure).toMatchObject({ kind: 'partner-unreachable', details: { cause: 'redirect' } });
        }
        expect((await deliver(partner.url)).status).toBe(status);
        calls += 3;
      }
    }
    const elsewhere = sockets.take().filter(({ address, port }) => address !== '127.0.0.1' || port !== partner.port);
    const strayed = partner.store.filter(({ path }) => !['/token', '/user', '/webhook'].includes(path));
    report(
      `R27: ${String(calls)} redirected calls: ${String(partner.store.length)} requests, ${String(elsewhere.length)} connections elsewhere`,
    );
    expect([partner.store.length, other.store.length, elsewhere, strayed]).toEqual([calls, 0, [], []]);
  });
});

describe('the proxy variables of the process', () => {
  const words = ['http_proxy', 'https_proxy', 'all_proxy', 'npm_config_proxy', 'npm_config_https_proxy', 'npm_config_http_proxy'];
  const names = [...words, ...words.map((word) => word.toUpperCase()), 'NODE_USE_ENV_PROXY', 'no_proxy', 'NO_PROXY'];

  it.each(['', 'partner.example', '*'])('are not looked at, whatever is excepted (%j)', async (except) => {
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = /^no_proxy$/i.test(name) ? except : name.startsWith('NODE_') ? '1' : other.url;
    partners.close();
    partners = partnerHttp({ addresses: () => [{ address: '127.0.0.1', family: 4 }] });
    partner.always(token);
    try {
      await exchange(partner.url);
      await exchange(`http://partner.example:${String(partner.port)}`);
      // No TLS is spoken there: that it was tried there, and not at the proxy, is what counts.
      await failureOf(exchange(`https://partner.example:${String(partner.port)}`));
    } finally {
      names.forEach((name, i) => (before[i] === undefined ? delete process.env[name] : (process.env[name] = before[i])));
    }
    expect([partner.store.length, other.store.length]).toEqual([2, 0]);
    expect(new Set(sockets.take().map(({ port }) => port))).toEqual(new Set([partner.port]));
  });
});

describe('a kept connection', () => {
  it('is used for one host only, though another one has the same address', async () => {
    partner.always(token);
    const hosts = ['a.example', 'b.example', 'c.example'].map((name) => `${name}:${String(partner.port)}`);
    for (let call = 0; call < 60; call++) await exchange(`http://${hosts[call % 3]!}`);
    const hostsOf = new Map<unknown, Set<unknown>>();
    for (const { socket, headers } of partner.store) hostsOf.set(socket, (hostsOf.get(socket) ?? new Set()).add(headers.host));
    expect([...hostsOf.values()].map((seen) => [...seen])).toEqual(hosts.map((host) => [host]));
    expect(sockets.take()).toHaveLength(3);
    report(`60 calls to 3 hosts at one address: ${String(hostsOf.size)} connections, each for one host`);
  });
});

describe('TLS', () => {
  it('verifies the certificate for the host in the URL, and sends no name for an address', async () => {
    const incoming: unknown[] = [];
    const SNICallback = (name: string, done: (error: Error | null) => void): void => {
      incoming.push(name);
      done(null);
    };
    const server = createTlsServer({ ...selfSigned, SNICallback });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    for (const host of ['partner.example', 'other.example', '127.0.0.1']) {
      expect(await failureOf(exchange(`https://${host}:${port}`))).toMatchObject({ details: { cause: 'tls-certificate' } });
    }
    expect(incoming).toEqual(['partner.example', 'other.example']);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a partner that hangs with 500 calls waiting', () => {
  it('does not slow another one, and holds no more than its share of slots', async () => {
    const isolation = new PartnerIsolation({ share: 0.25, now: () => performance.now() });
    partners.close();
    partners = partnerHttp({ addresses: () => [{ address: '127.0.0.1', family: 4 }], isolation });
    other.always(token);
    await timesOf(50);
    const alone = await timesOf(300);
    partner.always(hangBeforeHeaders);
    const waiting = Array.from({ length: 500 }, () => failureOf(exchange(partner.url, 3000)));
    await until(() => partner.store.length === taken);
    const beside = await timesOf(300);
    const failures = await Promise.all(waiting);
    const counts = ['timeout', 'partner-saturated'].map((cause) => failures.filter(({ details }) => details.cause === cause).length);
    report(
      `R8: medians ${median(alone)} and ${median(beside)} ms, p99 ${p99(alone)} and ${p99(beside)} ms; ` +
        `${String(partner.store.length)} of 500 calls on connections, 0 of 300 failed`,
    );
    expect([...counts, partner.store.length]).toEqual([taken, 500 - taken, taken]);
    expect(isolation.calls).toBe(0);
    // Of the machine the tests run on nothing is known; that calls waited for one another would show a hundredfold.
    expect(Number(median(beside))).toBeLessThan(Number(median(alone)) * 5 + 5);
  });

  /** Of 1,024 slots, what one integration may have at one endpoint. */
  const taken = 205;
  const timesOf = async (calls: number): Promise<number[]> => {
    const times: number[] = [];
    for (let call = 0; call < calls; call++) {
      const startedAt = performance.now();
      await exchange(other.url);
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b);
  };
  const median = (times: readonly number[]): string => times[times.length >> 1]!.toFixed(2);
  const p99 = (times: readonly number[]): string => times[Math.floor(times.length * 0.99)]!.toFixed(2);
  const until = async (isSo: () => boolean): Promise<void> => {
    const giveUpAt = performance.now() + 2000;
    while (!isSo() && performance.now() < giveUpAt) await new Promise((resolve) => setImmediate(resolve));
  };
});

describe('an answer without end', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const filler = 'a'.repeat(1000);

  it.each([
    ['of announcements', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'not-http'],
    ['of headers', 'HTTP/1.1 200 OK\r\n', `X-A: ${filler}\r\n`, 'headers-too-large'],
    ['in one header', 'HTTP/1.1 200 OK\r\nX-A: ', filler, 'headers-too-large'],
    ['of tiny chunks', chunked, '1\r\n \r\n', 'timeout'],
    ['in the size of a chunk', `${chunked}1;`, filler, 'timeout'],
    ['of trailers', `${chunked}2\r\n{}\r\n0\r\n`, `X-A: ${filler}\r\n`, 'headers-too-large'],
  ])('%s is broken off in time, and kept nowhere', async (_what, head, piece, cause) => {
    // In turns with who reads it: they share this process.
    const server = createServer((socket) => {
      const more = (): void => {
        if (socket.destroyed) return;
        socket.write(piece.repeat(10));
        setImmediate(more);
      };
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(head);
        more();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const memoryBefore = process.memoryUsage().rss;
    const startedAt = performance.now();
    // An answer that is too large is given up long before its time is over, on a busy machine too.
    const timeoutMs = cause === 'timeout' ? 300 : 5000;
    const failure = await failureOf(exchange(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, timeoutMs));
    const took = performance.now() - startedAt;
    await new Promise((resolve) => server.close(resolve));
    expect(failure.details.cause).toBe(cause);
    expect(took).toBeLessThan(timeoutMs + 500);
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(100 * 1024 * 1024);
  });
});

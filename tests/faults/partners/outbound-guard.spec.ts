import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { Axios } from 'axios';
import { NoAnswer } from '../../../src/adapters/out/partner-http/no-answer';
import { OutboundGuard } from '../../../src/adapters/out/partner-http/outbound-guard';
import { PartnerConnections } from '../../../src/adapters/out/partner-http/partner-connections';
import { undiciAdapter } from '../../../src/adapters/out/partner-http/undici-adapter';
import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';
import type { DomainError } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { hostileUrls } from '../../support/partners/hostile-urls';
import { partnerHttp, clock, type MetricsServerOptions } from '../../support/partners/partner-http';
import { anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { failureOf } from '../../support/sso/sign-on-over-http';
import { SocketAttempts } from '../../support/partners/socket-attempts';
import { allRows, mayBeCalled, samplesOf } from '../../support/partners/special-purpose-networks';

const sockets = new SocketAttempts().watch();
beforeEach(() => void sockets.take());
afterAll(() => sockets.stop());

const report = (line: string): void => void process.stdout.write(`${line}\n`);
const answerOf = (address: string): LookupAddress => ({ address, family: isIP(address) });
const denied = [...new Set(allRows.flatMap(samplesOf).filter((address) => !mayBeCalled(address)))];
const publicOnes = ['8.8.8.8', '2606:4700::1111'];

const integrationOf = (accessToken: string) => anIntegration({ hostApp: reachableHostApp({ endpoints: { accessToken } }) });
const causeOf = (error: unknown): string => String((error as DomainError).details.cause);
/** Why a call failed; the doors stay open to the end, with the connections that they may have kept. */
const opened: ReturnType<typeof partnerHttp>[] = [];
const serverWith = (options: MetricsServerOptions) => {
  const partners = partnerHttp(options);
  opened.push(partners);
  return async (url: string) =>
    causeOf(await failureOf(partners.hostAppSignOn.exchangeCode(aRelay(clock), integrationOf(url), new Secret('code'))));
};
afterAll(() => opened.forEach((partners) => partners.close()));

describe('the socket counter of the tests', () => {
  it('sees a connection by name and by address, plain and with TLS', async () => {
    const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const addresses = () => [answerOf('127.0.0.1')];
    for (const url of ['http://partner.example', 'http://127.0.0.1', 'https://partner.example', 'https://127.0.0.1']) {
      await serverWith({ addresses })(`${url}:${String(port)}/`);
      expect(sockets.take()).toEqual([{ address: '127.0.0.1', port }]);
    }
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('an address that is not public', () => {
  it('is not connected to if a resolver returns it, alone or beside public ones', async () => {
    let calls = 0;
    let answer: readonly LookupAddress[] = [];
    const causeOfCall = serverWith({ networks: [], addresses: () => answer });
    for (const address of denied) {
      const answers = [[address], [...publicOnes, address], [address, ...publicOnes]].map((list) => list.map(answerOf));
      for (answer of answers) {
        for (const url of ['https://partner.example/', 'http://partner.example/']) {
          calls++;
          expect([address, await causeOfCall(url)]).toEqual([address, 'denied-address']);
        }
      }
    }
    const made = sockets.take();
    report(
      `R27: ${String(allRows.length)} rows, ${String(denied.length)} denied addresses, ${String(calls)} calls by name: ${String(made.length)} connections`,
    );
    expect(made).toEqual([]);
  });

  it('is not connected to as the host of a URL that came past the rule', async () => {
    const guard = new OutboundGuard({ addresses: new NodeIpAddressMatcher(), rules: { allowHttp: true, networks: [] } });
    const connections = new PartnerConnections({ guard, connectTimeoutMs: 1000 }).to(reachableHostApp());
    const axios = new Axios({ adapter: undiciAdapter, timeout: 5000, connections });
    let calls = 0;
    for (const address of denied) {
      for (const scheme of ['https', 'http']) {
        const url = `${scheme}://${address.includes(':') ? `[${address}]` : address}/`;
        calls++;
        const sent = axios.request({ method: 'GET', url });
        expect([url, await sent.catch((error: unknown) => (error instanceof NoAnswer ? error.reason : error))]).toEqual([
          url,
          'denied-address',
        ]);
      }
    }
    const made = sockets.take();
    report(`R27: ${String(calls)} calls by address: ${String(made.length)} connections`);
    expect(made).toEqual([]);
  });

  it('is not connected to by a URL that was stored under other rules', async () => {
    const causeOfCall = serverWith({ networks: [], allowHttp: false, addresses: () => [answerOf('127.0.0.1')] });
    for (const [url] of hostileUrls) expect([url, await causeOfCall(url)]).toEqual([url, 'denied-address']);
    const made = sockets.take();
    report(`R27: ${String(hostileUrls.length)} hostile URLs called: ${String(made.length)} connections`);
    expect(made).toEqual([]);
  });
});

describe('a public address', () => {
  it.each([['8.8.8.8'], ['2606:4700::1111'], ['64:ff9b::8.8.8.8'], ['192.31.196.1'], ['2620:4f:8000::1']])(
    '%s passes the guard',
    (address) => {
      const guard = new OutboundGuard({
        addresses: new NodeIpAddressMatcher(),
        rules: { allowHttp: false, networks: [] },
        resolve: (_hostname, done) => done(null, [answerOf(address)]),
      });
      const problems: unknown[] = [];
      guard.lookupFor('443', 'https:')('partner.example', { all: true }, (...answer) => problems.push(answer));
      expect(problems).toEqual([[null, [answerOf(address)]]]);
      expect(sockets.take()).toEqual([]);
    },
  );
});

describe('a name that resolves differently each time', () => {
  // 127.0.0.2 stands for the public address, as it is listed; 127.0.0.1 is not.
  const networks = ['127.0.0.2/32'];
  const meetings = { '127.0.0.1': 0, '127.0.0.2': 0 };
  const servers = (['127.0.0.2', '127.0.0.1'] as const).map((address) => ({
    address,
    server: createServer((_request, response) => {
      meetings[address]++;
      response.setHeader('Connection', 'close').setHeader('Content-Type', 'application/json').end('{"access_token":"a"}');
    }),
  }));
  let port = 0;
  beforeAll(async () => {
    for (const { address, server } of servers) {
      await new Promise<void>((resolve) => server.listen(port, address, resolve));
      ({ port } = server.address() as AddressInfo);
    }
  });
  afterAll(() => Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve)))));

  it('is connected to at the checked address, and looked up once for a connection', async () => {
    let lookups = 0;
    const addresses = () => [answerOf(lookups++ % 2 === 0 ? '127.0.0.2' : '127.0.0.1')];
    const partners = partnerHttp({ networks, addresses });
    const integration = integrationOf(`http://partner.example:${String(port)}/`);
    const ended: Record<string, number> = { answered: 0, 'denied-address': 0 };
    for (let call = 0; call < 100; call++) {
      const exchanged = partners.hostAppSignOn.exchangeCode(aRelay(clock), integration, new Secret('code'));
      const outcome = await exchanged.then(() => 'answered', causeOf);
      ended[outcome] = (ended[outcome] ?? 0) + 1;
    }
    partners.close();
    expect(ended).toEqual({ answered: 50, 'denied-address': 50 });
    expect(lookups).toBe(100);
    expect(meetings).toEqual({ '127.0.0.1': 0, '127.0.0.2': 50 });
    expect(new Set(sockets.take().map(({ address }) => address))).toEqual(new Set(['127.0.0.2']));
    report('R27: rebinding, 100 calls: 50 connections to the checked address, 0 to the other');
  });

  it('is refused when it is stored if it resolves to a refused address', async () => {
    const found: Record<string, readonly LookupAddress[]> = {
      'inside.example': [answerOf('10.0.0.1')],
      'mixed.example': [answerOf('8.8.8.8'), answerOf('127.0.0.1')],
      'outside.example': [answerOf('8.8.8.8')],
      'nowhere.example': [],
    };
    const { guard } = partnerHttp({ networks, addresses: (hostname) => found[hostname]! });
    const problems = await Promise.all(Object.keys(found).map((name) => guard.addressProblem(`https://${name}/`)));
    const refused = 'leads to an address that may not be called';
    expect(problems).toEqual([refused, refused, undefined, refused]);
    expect(await guard.addressProblem('http://127.0.0.2:1/')).toBeUndefined();
    expect(sockets.take()).toEqual([]);
  });
});

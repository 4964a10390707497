import { scrypt } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { caresQuery } from '../../../src/adapters/out/partner-http/names/name-query';
import { NameResolver } from '../../../src/adapters/out/partner-http/names/name-resolver';
import type { SystemNames } from '../../../src/adapters/out/partner-http/names/system-names';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { NameServer, type NameAnswer } from '../../support/partners/name-server';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { failureOf } from '../../support/sso/sign-on-over-http';

const replies = new Map<string, NameAnswer>();
let server: NameServer;
beforeAll(async () => {
  server = await new NameServer((name) => replies.get(name) ?? 'none').start();
});
afterAll(() => server.stop());
beforeEach(() => {
  replies.clear();
  server.names.length = 0;
});

const noFiles: SystemNames = { hosts: new Map(), search: [], ndots: 1, servers: '' };
const resolverWith = (files: Partial<SystemNames> = {}) => {
  const names = () => Promise.resolve({ ...noFiles, ...files });
  return new NameResolver({ query: caresQuery([server.address]), names, deadlineMs: 1_000 });
};
const lookup = (resolver: NameResolver, name: string) =>
  new Promise<readonly LookupAddress[] | string>((resolve) =>
    resolver.resolve(name, (error, addresses) => resolve(error ? (error as NodeJS.ErrnoException).code! : addresses)),
  );

describe('a look-up', () => {
  it('brings the addresses of both families', async () => {
    replies.set('partner.example', ['10.0.0.1', '10.0.0.2', '2001:0db8:0000:0000:0000:0000:0000:0001']);
    const found = (await lookup(resolverWith(), 'partner.example')) as LookupAddress[];
    expect(found.map(({ address, family }) => `${String(family)} ${address}`).sort()).toEqual([
      '4 10.0.0.1',
      '4 10.0.0.2',
      '6 2001:db8::1',
    ]);
  });

  it.each<[string, NameAnswer]>([
    ['that has no address', 'none'],
    ['that the server cannot say', 'failure'],
    ['that nobody answers for, within the deadline', 'silence'],
  ])('of a name %s', async (_which, answer) => {
    replies.set('partner.example', answer);
    const begun = performance.now();
    expect(await lookup(resolverWith(), 'partner.example')).toBe('NAME_NOT_RESOLVED');
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('reads the hosts file first, and sends no query for localhost', async () => {
    const hosts = new Map([['mini', [{ address: '10.9.9.9', family: 4 }]]]);
    expect(await lookup(resolverWith({ hosts }), 'mini')).toEqual([{ address: '10.9.9.9', family: 4 }]);
    expect(await lookup(resolverWith(), 'localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
    expect(server.names).toEqual([]);
  });

  it('goes through the search domains, past one that fails', async () => {
    replies.set('mini.a.local', 'failure');
    replies.set('mini.b.local', ['10.0.0.7']);
    const resolver = resolverWith({ search: ['a.local', 'b.local'], ndots: 5 });
    expect(await lookup(resolver, 'mini')).toEqual([{ address: '10.0.0.7', family: 4 }]);
  });

  it('of names that hang keeps no thread from a password hash', async () => {
    const resolver = resolverWith();
    for (let i = 0; i < 8; i++) replies.set(`hangs-${String(i)}.example`, 'silence');
    const hanging = Array.from({ length: 8 }, (_, i) => lookup(resolver, `hangs-${String(i)}.example`));
    const first = await Promise.race([
      Promise.race(hanging),
      new Promise((resolve) => scrypt('word', 'salt', 16, () => resolve('hashed'))),
    ]);
    expect(first).toBe('hashed');
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['NAME_NOT_RESOLVED']));
  });
});

describe('a partner by name', () => {
  let partner: Server;
  beforeAll(async () => {
    partner = createServer((_request, response) => response.setHeader('Content-Type', 'application/json').end('{"access_token":"a"}'));
    await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => partner.close(resolve)));

  const exchange = async (networks?: readonly string[], name = 'partner.example') => {
    const partners = partnerHttp({ resolve: resolverWith().resolve, ...(networks && { networks }) });
    const accessToken = `http://${name}:${String((partner.address() as AddressInfo).port)}/`;
    const integration = anIntegration({ hostApp: reachableHostApp({ endpoints: { accessToken } }) });
    try {
      return await partners.hostAppSignOn.exchangeCode(aRelay(clock), integration, new Secret('code'));
    } finally {
      partners.close();
    }
  };

  it('is called at its next address if nothing listens at the first', async () => {
    replies.set('partner.example', ['127.0.0.2', '127.0.0.1']);
    expect((await exchange()).accessToken.reveal()).toBe('a');
  });

  it('is not called if one of its addresses is refused, cached or new', async () => {
    replies.set('partner.example', ['127.0.0.1', '127.9.9.9']);
    expect((await failureOf(exchange(['127.0.0.0/16']))).details.cause).toBe('denied-address');
  });

  it.each<NameAnswer>(['none', 'failure', 'silence'])('is not called without an address: %s', async (answer) => {
    replies.set('partner.example', answer);
    const { details } = await failureOf(exchange());
    expect(details).toMatchObject({ cause: 'dns', step: 'exchange' });
    expect(details).not.toHaveProperty('outcome');
  });
});

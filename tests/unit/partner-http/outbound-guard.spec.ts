import type { LookupAddress } from 'node:dns';
import type { Resolve } from '../../../src/adapters/out/partner-http/names/name-resolver';
import { OutboundGuard, type OutboundRules } from '../../../src/adapters/out/partner-http/outbound-guard';
import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';
import { honestUrls, hostileUrls, rules } from '../../support/partners/hostile-urls';

const addresses = new NodeIpAddressMatcher();
const guard = (rules: Partial<OutboundRules> = {}, found: readonly LookupAddress[] = []) =>
  new OutboundGuard({
    addresses,
    rules: { allowHttp: false, networks: [], ...rules },
    resolve: (_hostname, done) => done(null, found),
  });
const production = guard();
const development = guard({ allowHttp: true, networks: ['127.0.0.0/8', '::1'] });

describe('a URL', () => {
  it.each(honestUrls)('can be %s', (url) => {
    expect(production.urlProblem(url)).toBeUndefined();
  });

  it.each(hostileUrls)('cannot be %j: %s', (url, problem) => {
    expect(production.urlProblem(url)).toBe(problem);
  });

  it.each([
    ['http://127.0.0.1:8090/token', undefined],
    ['http://localhost:8090/token', undefined],
    ['http://[::1]:8090/token', undefined],
    ['http://[::ffff:7f00:1]:8090/', undefined],
    ['http://[::ffff:127.0.0.1]:8090/', rules.notPlain],
    ['http://2130706433:8090/', rules.notPlain],
    ['http://127.1:8090/', rules.notPlain],
    ['http://host.docker.internal:8090/', undefined],
    ['http://host-app:8090/', undefined],
    ['http://host-app.:8090/', rules.dot],
    ['https://127.0.0.1:4433/', undefined],
    ['http://partner.example/', undefined],
    ['http://10.0.0.1:8090/', 'must name its host, not an address'],
    ['http://8.8.8.8/', 'must name its host, not an address'],
    ['ftp://127.0.0.1/', 'must be an http or https URL'],
    ['http://user@127.0.0.1/', 'must not hold a user name or password'],
  ])('with http allowed and loopback listed: %s: %s', (url, problem) => {
    expect(development.urlProblem(url)).toBe(problem);
  });
});

describe('a connection', () => {
  it.each([
    ['8.8.8.8', '443', 'https:', true],
    ['8.8.8.8', '8443', 'https:', true],
    ['8.8.8.8', '22', 'https:', false],
    ['8.8.8.8', '80', 'http:', true],
    ['8.8.8.8', '25', 'http:', false],
    ['127.0.0.1', '25', 'http:', true],
    ['::ffff:127.0.0.1', '9000', 'https:', true],
    ['10.0.0.1', '443', 'https:', false],
  ])('to %s, port %s, %s: %s', (address, port, protocol, allowed) => {
    expect(development.allows(address, port, protocol)).toBe(allowed);
  });

  const lookup = (found: LookupAddress[], all: boolean, port = '443', rules: Partial<OutboundRules> = {}) =>
    new Promise((resolve, reject) => {
      guard(rules, found).lookupFor(port, 'https:')('partner.example', { all }, (error, ...answer) => {
        if (error) reject(error);
        else resolve(answer);
      });
    });
  const publicOne = { address: '8.8.8.8', family: 4 };
  const publicSix = { address: '2606:4700::1111', family: 6 };
  const privateOne = { address: '10.0.0.1', family: 4 };

  it('goes to the addresses that were checked', async () => {
    expect(await lookup([publicOne, publicSix], true)).toEqual([[publicOne, publicSix]]);
    expect(await lookup([publicOne, publicSix], false)).toEqual(['8.8.8.8', 4]);
  });

  it.each([
    ['one of them is private', [publicOne, privateOne]],
    ['the only one is private', [privateOne]],
    ['one of them only stands for a private one', [publicOne, { address: '64:ff9b::a00:1', family: 6 }]],
    ['there is none', []],
  ])('is not made where %s', async (_what, found) => {
    await expect(lookup(found, true)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    await expect(lookup(found, false)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
  });

  it('may use another port only if every address is listed', async () => {
    const rules = { networks: ['10.0.0.0/8'] };
    expect(await lookup([privateOne], true, '9000', rules)).toEqual([[privateOne]]);
    await expect(lookup([privateOne, publicOne], true, '9000', rules)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(await lookup([privateOne, publicOne], true, '443', rules)).toEqual([[privateOne, publicOne]]);
  });

  it('fails as the resolver fails', async () => {
    const failing = new OutboundGuard({
      addresses,
      rules: { allowHttp: false, networks: [] },
      resolve: (_hostname, done) => done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []),
    });
    const judged = new Promise((resolve) => {
      failing.lookupFor('443', 'https:')('partner.example', { all: true }, (error) => resolve(error));
    });
    await expect(judged).resolves.toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('a URL that is to be stored', () => {
  const problemOf = (answer: readonly string[] | Error, url = 'https://partner.example/', rules: Partial<OutboundRules> = {}) => {
    const found = answer instanceof Error ? [] : answer.map((address) => ({ address, family: 4 }));
    const resolve: Resolve = (_hostname, done) => done(answer instanceof Error ? answer : null, found);
    return new OutboundGuard({ addresses, rules: { allowHttp: false, networks: [], ...rules }, resolve }).addressProblem(url);
  };
  const refused = 'leads to an address that may not be called';

  it.each([
    [['8.8.8.8'], undefined],
    [['8.8.8.8', '2606:4700::1111'], undefined],
    [['10.0.0.1'], refused],
    [['8.8.8.8', '10.0.0.1'], refused],
    [['10.0.0.1', '8.8.8.8'], refused],
    [new Error('ENOTFOUND'), undefined],
  ])('whose name leads to %j: %s', async (answer, problem) => {
    expect(await problemOf(answer)).toBe(problem);
  });

  it('may have any port if its address is listed, but not if it is public', async () => {
    const rules = { networks: ['10.0.0.0/8'] };
    expect(await problemOf(['10.0.0.1'], 'https://partner.example:9000/', rules)).toBeUndefined();
    expect(await problemOf(['8.8.8.8'], 'https://partner.example:9000/', rules)).toBe(refused);
    expect(await problemOf(['8.8.8.8'], 'https://partner.example:8443/', rules)).toBeUndefined();
  });

  it('is not judged up where it names an address', async () => {
    expect(await problemOf(['8.8.8.8'], 'https://10.0.0.1/', { networks: ['10.0.0.0/8'] })).toBeUndefined();
  });

  it('is stored if the resolver does not answer for two seconds', async () => {
    jest.useFakeTimers();
    try {
      const silent = new OutboundGuard({ addresses, rules: { allowHttp: false, networks: [] }, resolve: () => undefined });
      const problems: unknown[] = [];
      void silent.addressProblem('https://partner.example/').then((problem) => problems.push(problem));
      await jest.advanceTimersByTimeAsync(1999);
      expect(problems).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(problems).toEqual([undefined]);
    } finally {
      jest.useRealTimers();
    }
  });
});

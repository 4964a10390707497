import type { LookupAddress } from 'node:dns';
import { isGloballyReachable } from '../../../src/adapters/out/partner-http/reachable';
import { OutboundGuard, type OutboundRules } from '../../../src/adapters/out/partner-http/outbound-guard';
import { IpAddressBook } from '../../../src/adapters/out/system/addresses';

const addresses = new IpAddressBook();
const guard = (rules: Partial<OutboundRules> = {}, found: readonly LookupAddress[] = []) =>
  new OutboundGuard({
    addresses,
    rules: { allowHttp: false, networks: [], ...rules },
    resolve: (_hostname, done) => done(null, found),
  });
const production = guard();
const development = guard({ allowHttp: true, networks: ['127.0.0.0/8', '::1'] });

/** The IANA special-purpose address registries, with the networks of multicast and what is not allocated. */
const special = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...[
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.8',
    '192.0.0.170',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
  ],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::1.2.3.4', '::ffff:10.0.0.1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:1.2.3.4', '64:ff9b::10.0.0.1'],
  ...[
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::1',
    '64:ff9b:1:a00:1::',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:1::1',
    '2001:2::1',
    '2001:10::1',
  ],
  ...['2001:20::1', '2001:30::1', '2001:db8::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2002:a00:1::', '2002:7f00:1::', '2002:808:808::'],
  ...[
    '3fff::1',
    '3fff:fff::1',
    '5f00::1',
    '4000::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'feff::1',
    'ff02::1',
    'ff0e::1',
  ],
  ...['', 'localhost', '1.2.3', '2130706433', '0x7f.1', '1.2.3.04'],
];
const ordinary = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
  ],
  ...[
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '203.0.112.255',
    '223.255.255.255',
  ],
  ...['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '2003::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
];

describe('reachability', () => {
  it.each(special)('%s is not of the public net', (address) => {
    expect(isGloballyReachable(address)).toBe(false);
    expect(production.allows(address, '443', 'https:')).toBe(false);
  });

  it.each(ordinary)('%s is', (address) => {
    expect(isGloballyReachable(address)).toBe(true);
    expect(production.allows(address, '443', 'https:')).toBe(true);
  });
});

describe('a URL', () => {
  it.each([
    'https://partner.example/path?query=1',
    'https://partner.example:443/',
    'https://partner.example:8443/',
    'https://xn--mnchen-3ya.example/a',
    'https://partner.example',
    'HTTPS://PARTNER.EXAMPLE/',
    'https://partner.example/%C3%A9',
    `https://partner.example/${'a'.repeat(476)}`,
  ])('can be %s', (url) => {
    expect(production.urlProblem(url)).toBeUndefined();
  });

  it.each([
    ['', 'must be an absolute URL'],
    ['partner.example', 'must be an absolute URL'],
    ['/path', 'must be an absolute URL'],
    ['//partner.example/', 'must be an absolute URL'],
    ['https://', 'must be an absolute URL'],
    ['https://partner.example:99999/', 'must be an absolute URL'],
    [' https://partner.example/', 'must be an absolute URL'],
    ['https://partner.example/\n', 'must be an absolute URL'],
    ['https://part\tner.example/', 'must be an absolute URL'],
    ['https://partner.example/a b', 'must be an absolute URL'],
    ['https:\\\\partner.example\\', 'must be an absolute URL'],
    ['https://münchen.example/', 'must be an absolute URL'],
    [`https://partner.example/${'a'.repeat(477)}`, 'at most 500 characters'],
    ['http://partner.example/', 'must be an https URL'],
    ['ftp://partner.example/', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['data:application/json,{}', 'must be an https URL'],
    ['javascript:alert(1)', 'must be an https URL'],
    ['https://user@partner.example/', 'must not hold a user name or password'],
    ['https://user:secret@partner.example/', 'must not hold a user name or password'],
    ['https://:secret@partner.example/', 'must not hold a user name or password'],
    ['https://partner.example/#part', 'must not hold a fragment'],
    ['https://partner.example/#', 'must not hold a fragment'],
    ['https://partner.example:8080/', 'must use port 443 or 8443'],
    ['https://partner.example:22/', 'must use port 443 or 8443'],
    ['https://8.8.8.8/', 'must name its host, not an address'],
    ['https://127.0.0.1/', 'must name its host, not an address'],
    ['https://2130706433/', 'must name its host, not an address'],
    ['https://0x7f.1/', 'must name its host, not an address'],
    ['https://0177.0.0.1/', 'must name its host, not an address'],
    ['https://127.1/', 'must name its host, not an address'],
    ['https://[::1]/', 'must name its host, not an address'],
    ['https://[::ffff:127.0.0.1]/', 'must name its host, not an address'],
    ['https://１２７.0.0.1/', 'must be an absolute URL'],
  ])('cannot be %j: %s', (url, problem) => {
    expect(production.urlProblem(url)).toBe(problem);
  });

  it.each([
    ['http://127.0.0.1:8090/token', undefined],
    ['http://localhost:8090/token', undefined],
    ['http://[::1]:8090/token', undefined],
    ['http://[::ffff:127.0.0.1]:8090/', undefined],
    ['http://2130706433:8090/', undefined],
    ['https://127.0.0.1:4433/', undefined],
    ['http://partner.example/', undefined],
    ['http://10.0.0.1:8090/', 'must name its host, not an address'],
    ['http://8.8.8.8/', 'must name its host, not an address'],
    ['ftp://127.0.0.1/', 'must be an http or https URL'],
    ['http://user@127.0.0.1/', 'must not hold a user name or password'],
  ])('where http is allowed and loopback is listed: %s: %s', (url, problem) => {
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

  const lookUp = (found: LookupAddress[], all: boolean, port = '443', rules: Partial<OutboundRules> = {}) =>
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
    expect(await lookUp([publicOne, publicSix], true)).toEqual([[publicOne, publicSix]]);
    expect(await lookUp([publicOne, publicSix], false)).toEqual(['8.8.8.8', 4]);
  });

  it.each([
    ['one of them is private', [publicOne, privateOne]],
    ['the only one is private', [privateOne]],
    ['one of them only stands for a private one', [publicOne, { address: '64:ff9b::a00:1', family: 6 }]],
    ['there is none', []],
  ])('is not made where %s', async (_what, found) => {
    await expect(lookUp(found, true)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    await expect(lookUp(found, false)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
  });

  it('takes another port only where every address is listed', async () => {
    const rules = { networks: ['10.0.0.0/8'] };
    expect(await lookUp([privateOne], true, '9000', rules)).toEqual([[privateOne]]);
    await expect(lookUp([privateOne, publicOne], true, '9000', rules)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(await lookUp([privateOne, publicOne], true, '443', rules)).toEqual([[privateOne, publicOne]]);
  });

  it('fails as the resolver fails', async () => {
    const failing = new OutboundGuard({
      addresses,
      rules: { allowHttp: false, networks: [] },
      resolve: (_hostname, done) => done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []),
    });
    const looked = new Promise((resolve) => {
      failing.lookupFor('443', 'https:')('partner.example', { all: true }, (error) => resolve(error));
    });
    await expect(looked).resolves.toMatchObject({ code: 'ENOTFOUND' });
  });
});

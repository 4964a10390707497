import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';

const matcher = new NodeIpAddressMatcher();

describe('an entry of an allowlist', () => {
  it.each([
    '1.2.3.4',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '255.255.255.255/32',
    '::1',
    '2001:db8::/32',
    '::/0',
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.0/104',
  ])('can be %s', (entry) => {
    expect(matcher.problem(entry)).toBeUndefined();
  });

  it.each([
    ['', 'must be an address or a network'],
    ['partner.example', 'must be an address or a network'],
    ['1.2.3', 'must be an address or a network'],
    ['1.2.3.04', 'must be an address or a network'],
    ['0x7f.0.0.1', 'must be an address or a network'],
    ['2130706433', 'must be an address or a network'],
    ['1.2.3.256', 'must be an address or a network'],
    [' 1.2.3.4', 'must be an address or a network'],
    ['1.2.3.4 ', 'must be an address or a network'],
    ['1.2.3.4/', 'must be an address or a network'],
    ['1.2.3.4/33', 'must be an address or a network'],
    ['1.2.3.4/-1', 'must be an address or a network'],
    ['1.2.3.4/08', 'must be an address or a network'],
    ['1.2.3.4/24/8', 'must be an address or a network'],
    ['1.2.3.4/255.255.255.0', 'must be an address or a network'],
    ['::/129', 'must be an address or a network'],
    ['[::1]', 'must be an address or a network'],
    ['1:2', 'must be an address or a network'],
    ['::ffff:10.0.0.0/95', 'must be an address or a network'],
    ['fe80::1%eth0', 'must not have a zone'],
    ['1.2.3.4/0', 'must not set bits behind the prefix'],
    ['10.0.0.1/8', 'must not set bits behind the prefix'],
    ['10.0.0.128/24', 'must not set bits behind the prefix'],
    ['2001:db8::1/32', 'must not set bits behind the prefix'],
    ['::ffff:10.0.0.1/104', 'must not set bits behind the prefix'],
  ])('cannot be %j: %s', (entry, problem) => {
    expect(matcher.problem(entry)).toBe(problem);
  });
});

describe('a list', () => {
  it.each([
    [['1.2.3.4'], '1.2.3.4', true],
    [['1.2.3.4'], '1.2.3.5', false],
    [['1.2.3.4'], '::ffff:1.2.3.4', true],
    [['1.2.3.4'], '::ffff:102:304', true],
    [['::ffff:1.2.3.4'], '1.2.3.4', true],
    [['::ffff:10.0.0.0/104'], '10.200.0.1', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.0.0.0/9'], '10.128.0.0', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '1.2.3.4', false],
    [['::/0'], '2001:db8::1', true],
    [['2001:db8::/33'], '2001:db8:8000::', false],
    [['2001:db8::/33'], '2001:0db8:7fff:0::0:1', true],
    [['5.6.7.8', '1.2.3.0/24'], '1.2.3.9', true],
    [[], '1.2.3.4', false],
    [['not an entry', '1.2.3.4'], '1.2.3.4', true],
    [['not an entry'], 'not an entry', false],
    [['1.2.3.4'], '', false],
    [['1.2.3.4'], '1.2.3.04', false],
    [['fe80::/10'], 'fe80::1%eth0', false],
    [['127.0.0.1'], '2130706433', false],
    [['1.2.3.4'], '::1.2.3.4', false],
    [['::1.2.3.4'], '1.2.3.4', false],
  ])('%j and %s: %s', (list, address, contained) => {
    expect(matcher.contains(list, address)).toBe(contained);
    expect(matcher.contains(list, address)).toBe(contained);
  });
});

describe('an address in its one form', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:102:304', '1.2.3.4'],
    ['2001:DB8:0::0:1', '2001:db8::1'],
    ['::', '::'],
    ['::1.2.3.4', undefined],
    ['fe80::1%eth0', undefined],
    ['1.2.3.04', undefined],
    ['[::1]', undefined],
    ['1.2.3.4/32', undefined],
    ['', undefined],
  ])('%s: %s', (address, plain) => {
    expect(matcher.plain(address)).toBe(plain);
  });
});

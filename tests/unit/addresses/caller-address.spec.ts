import type { Socket } from 'node:net';
import { callerAddress } from '../../../src/adapters/in/http/reading/caller-address';
import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';

const proxies = ['10.0.0.0/24', '2001:db8:1::/48'];
const addressOf = callerAddress(proxies, new NodeIpAddressMatcher());

const caller = (remoteAddress: string | undefined, ...forwardedFor: string[]): string =>
  addressOf({
    socket: { remoteAddress } as Socket,
    rawHeaders: ['Host', 'a.example', ...forwardedFor.flatMap((value, i) => [i % 2 === 0 ? 'X-Forwarded-For' : 'x-forwarded-for', value])],
  });

describe('the address of who calls', () => {
  it.each([
    ['203.0.113.7', [], '203.0.113.7'],
    ['::ffff:203.0.113.7', [], '203.0.113.7'],
    ['::ffff:cb00:7107', [], '203.0.113.7'],
    ['2001:db8::7', [], '2001:db8::7'],
    ['fe80::1%eth0', [], ''],
    [undefined, [], ''],
  ])('is that of the socket: %s', (remoteAddress, headers, expected) => {
    expect(caller(remoteAddress, ...headers)).toBe(expected);
  });

  it.each([[['1.2.3.4']], [['10.0.0.2']], [['1.2.3.4, 10.0.0.2', '5.6.7.8']], [['127.0.0.1']], [['']], [['garbage']]])(
    'is that of a socket that is no proxy, whatever it says: %j',
    (headers) => {
      expect(caller('203.0.113.7', ...headers)).toBe('203.0.113.7');
      expect(caller('10.0.1.1', ...headers)).toBe('10.0.1.1');
    },
  );

  it.each([
    [['1.2.3.4'], '1.2.3.4'],
    [['9.9.9.9, 1.2.3.4'], '1.2.3.4'],
    [['1.2.3.4, 10.0.0.2'], '1.2.3.4'],
    [['9.9.9.9, 1.2.3.4, 10.0.0.2, 10.0.0.3'], '1.2.3.4'],
    [['9.9.9.9', '1.2.3.4'], '1.2.3.4'],
    [['9.9.9.9, 8.8.8.8', '1.2.3.4', '10.0.0.2'], '1.2.3.4'],
    [['1.2.3.4,10.0.0.2'], '1.2.3.4'],
    [['\t1.2.3.4 \t,\t10.0.0.2 '], '1.2.3.4'],
    [['1.2.3.4,'], '1.2.3.4'],
    [['1.2.3.4, , 10.0.0.2,,'], '1.2.3.4'],
    [['1.2.3.4:51234'], '1.2.3.4'],
    [['1.2.3.4, 10.0.0.2:80'], '1.2.3.4'],
    [['2001:db8::7'], '2001:db8::7'],
    [['2001:DB8:0:0::7'], '2001:db8::7'],
    [['[2001:db8::7]'], '2001:db8::7'],
    [['[2001:db8::7]:443'], '2001:db8::7'],
    [['1.2.3.4, [2001:db8:1::9]:80'], '1.2.3.4'],
    [['::ffff:1.2.3.4'], '1.2.3.4'],
    [['[::ffff:1.2.3.4]:80'], '1.2.3.4'],
    [['1.2.3.4, ::ffff:10.0.0.2'], '1.2.3.4'],
    [['::ffff:10.0.0.2'], '10.0.0.2'],
  ])('is the right-most behind a proxy that is none: %j', (headers, expected) => {
    expect(caller('10.0.0.1', ...headers)).toBe(expected);
    expect(caller('::ffff:10.0.0.1', ...headers)).toBe(expected);
    expect(caller('2001:db8:1::1', ...headers)).toBe(expected);
  });

  it.each([[[]], [['']], [[' , ,']]])('is that of the proxy where it tells of nobody: %j', (headers) => {
    expect(caller('10.0.0.1', ...headers)).toBe('10.0.0.1');
  });

  it.each(['10.0.0.2', '10.0.0.9, 10.0.0.2'])('is the left-most where all are proxies: %s', (header) => {
    expect(caller('10.0.0.1', header)).toBe(header.split(',')[0]);
  });

  it.each([
    ...[
      'unknown',
      '_hidden',
      '1.2.3.4.5',
      '1.2.3',
      '01.2.3.4',
      '0x7f.0.0.1',
      '16909060',
      '1.2.3.4/32',
      '1.2.3.4 5.6.7.8',
      'partner.example',
    ],
    ...[
      'fe80::1%eth0',
      '[fe80::1%eth0]:80',
      '"1.2.3.4"',
      '[1.2.3.4',
      '1.2.3.4]',
      '1.2.3.4:',
      '1.2.3.4:123456',
      '1.2.3.4:80:80',
      'for=1.2.3.4',
    ],
    ...['[]', '[]:80', '[1.2.3.4]x', '::1.2.3.4', '１.2.3.4', '-', '%', "' or 1=1", '1.2.3.4;5.6.7.8'],
  ])('is unknown if the right-most entry is %j', (garbage) => {
    expect(caller('10.0.0.1', `1.2.3.4, ${garbage}`)).toBe('');
    expect(caller('10.0.0.1', `1.2.3.4, ${garbage}, 10.0.0.2`)).toBe('');
  });

  it('is found behind 31 proxies, and is unknown behind a longer chain', () => {
    expect(caller('10.0.0.1', `1.2.3.4${', 10.0.0.2'.repeat(31)}`)).toBe('1.2.3.4');
    expect(caller('10.0.0.1', `1.2.3.4${', 10.0.0.2'.repeat(32)}`)).toBe('');
    expect(caller('10.0.0.1', `1.2.3.4, ${'1'.repeat(65)}`)).toBe('');
  });

  it.each(['203.0.113.7', '10.0.0.1'])('costs next to nothing, whatever the header of %s holds', (peer) => {
    const headers = [`1${' '.repeat(15_900)}1`, ','.repeat(16_000), ' '.repeat(16_000), '1,'.repeat(8_000), '10.0.0.2,'.repeat(1_700)];
    const before = process.cpuUsage();
    for (let i = 0; i < 20; i++) for (const header of headers) caller(peer, header);
    const { user, system } = process.cpuUsage(before);
    // 280 ms for each of the first kind, when an expression read it.
    expect((user + system) / 1000).toBeLessThan(500);
  });

  it('is read from no header of a peer that is no trusted proxy', () => {
    const touched: string[] = [];
    const rawHeaders = new Proxy(['X-Forwarded-For', '1.2.3.4'], {
      get: (target, name) => {
        touched.push(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(addressOf({ socket: { remoteAddress: '203.0.113.7' } as Socket, rawHeaders })).toBe('203.0.113.7');
    expect(touched).toEqual([]);
  });
});

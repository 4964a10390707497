import { candidatesOf, readHosts, readResolvConf } from '../../../../src/adapters/out/partner-http/names/system-names';

it('reads the hosts file: names in any case, several addresses and several names', () => {
  const hosts = readHosts(
    '# own\n127.0.0.1\tlocalhost\n10.0.0.5 Mini.internal mini # the miniapp\r\nfd00::5 mini\nnonsense mini\nfe80::1%lo0 x\n',
  );
  expect([...hosts]).toEqual([
    ['localhost', [{ address: '127.0.0.1', family: 4 }]],
    ['mini.internal', [{ address: '10.0.0.5', family: 4 }]],
    [
      'mini',
      [
        { address: '10.0.0.5', family: 4 },
        { address: 'fd00::5', family: 6 },
      ],
    ],
  ]);
});

it.each([
  ['', { search: [], ndots: 1, servers: '' }],
  [
    'nameserver 10.0.0.10\nsearch a.svc.cluster.local svc.cluster.local\noptions ndots:5 timeout:1\n',
    { search: ['a.svc.cluster.local', 'svc.cluster.local'], ndots: 5, servers: '10.0.0.10' },
  ],
  ['search old.example\ndomain new.example.\n; search no.example\noptions ndots:99', { search: ['new.example'], ndots: 15, servers: '' }],
])('reads resolv.conf: %j', (text, read) => {
  expect(readResolvConf(text)).toEqual(read);
});

it.each([
  ['mini', { search: ['a.local', 'b.local'], ndots: 1 }, ['mini.a.local', 'mini.b.local', 'mini']],
  ['api.partner.example', { search: ['a.local'], ndots: 1 }, ['api.partner.example', 'api.partner.example.a.local']],
  ['api.partner.example', { search: ['a.local'], ndots: 5 }, ['api.partner.example.a.local', 'api.partner.example']],
  ['mini', { search: [], ndots: 1 }, ['mini']],
])('asks for %s, with %j, in order', (name, rules, candidates) => {
  expect(candidatesOf(name, rules)).toEqual(candidates);
});

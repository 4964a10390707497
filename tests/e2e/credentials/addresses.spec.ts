import { request } from 'node:http';
import { listen } from '../../../src/composition/processes/http-server';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';

const env = { PLATFORM_ADDRESSES: '198.51.100.0/24,2001:db8:ffff::/48' };
let direct: TestService;
let behind: TestService;
beforeAll(async () => {
  direct = await startTestService({ env });
  behind = await startTestService({ env: { ...env, TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/24' }, database: direct.database });
});
afterAll(async () => {
  await behind.close();
  await direct.close();
});

const pairWith = (addresses: readonly string[]) => aPair(direct, { miniapp: { ip_whitelist: { enabled: true, addresses } } });

/** Asks for a payment that there is none of: who passes the allowlist hears that, everybody else NOT_A_WHITELISTED_IP. */
async function passes(url: string, { clientId, appId }: Pair, forwardedFor: readonly string[]): Promise<boolean> {
  const body = JSON.stringify({ app_id: appId, client_id: clientId, order_payment_id: 'none' });
  const headers = [
    'Content-Type',
    'application/json',
    'Host',
    new URL(url).host,
    ...forwardedFor.flatMap((value) => ['X-Forwarded-For', value]),
  ];
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(`${url}/api/v1/orders/get-payment-status/`, { method: 'POST', headers }, (response) => {
      let text = `${String(response.statusCode)} `;
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('end', () => resolve(text));
    });
    sent.once('error', reject).end(body);
  });
  if (answer.startsWith('400 ') && answer.includes('ORDER_NOT_FOUND')) return true;
  if (answer.startsWith('403 ') && answer.includes('NOT_A_WHITELISTED_IP')) return false;
  throw new Error(`Neither answer: ${answer}`);
}

/** What callers write who want to be somebody else. */
const spoofed = [
  ...[['203.0.113.7'], ['203.0.113.7, 203.0.113.7'], ['9.9.9.9', '203.0.113.7'], ['::ffff:203.0.113.7'], ['127.0.0.1, 203.0.113.7']],
  ...[['198.51.100.1'], ['203.0.113.7:80'], ['[::ffff:203.0.113.7]'], ['unknown, 203.0.113.7'], ['']],
];

describe('an allowlist without trusted proxies', () => {
  it("checks the socket's address: a spoofed header neither admits nor blocks a caller", async () => {
    const elsewhere = await pairWith(['203.0.113.7', '203.0.113.0/24']);
    const here = await pairWith(['127.0.0.1']);
    for (const header of spoofed) {
      expect([header, await passes(direct.url, elsewhere, header)]).toEqual([header, false]);
      expect([header, await passes(direct.url, here, header)]).toEqual([header, true]);
    }
    expect(await passes(direct.url, here, [])).toBe(true);
  });

  it('treats an IPv4-mapped address as the IPv4 address', async () => {
    const server = await listen(direct.composed.app, { host: '::', port: 0 });
    const url = `http://127.0.0.1:${String(server.port)}`;
    try {
      expect(await passes(url, await pairWith(['127.0.0.1']), [])).toBe(true);
      expect(await passes(url, await pairWith(['::ffff:127.0.0.0/104']), [])).toBe(true);
      expect(await passes(url, await pairWith(['::/0']), [])).toBe(false);
    } finally {
      await server.close(1000);
    }
  });
});

describe('an allowlist behind proxies', () => {
  it.each<[readonly string[], boolean]>([
    [['203.0.113.7'], true],
    [['203.0.113.8'], false],
    [['9.9.9.9, 203.0.113.7'], true],
    [['203.0.113.7, 9.9.9.9'], false],
    [['203.0.113.7', '9.9.9.9'], false],
    [['9.9.9.9', '203.0.113.7'], true],
    [['203.0.113.7, 10.0.0.9'], true],
    [['203.0.113.7', '10.0.0.9', '127.0.0.1'], true],
    [['203.0.113.7, 10.0.1.9'], false],
    [['203.0.113.7:4711'], true],
    [['203.0.113.7, 10.0.0.9:80'], true],
    [['::ffff:203.0.113.7'], true],
    [['[::ffff:203.0.113.7]:80'], true],
    [['2001:db8::7'], true],
    [['[2001:db8::7]:443'], true],
    [['2001:db8::7%eth0'], false],
    [['203.0.113.7, unknown'], false],
    [['203.0.113.7, 203.0.113.07'], false],
    [['203.0.113.7/32'], false],
    [['partner.example'], false],
    [['203.0.113.7,,'], true],
    [[''], false],
    [[], false],
    [['198.51.100.9'], true],
    [['2001:db8:ffff::1'], true],
  ])('X-Forwarded-For %j: %s', async (header, expected) => {
    listed ??= await pairWith(['203.0.113.7', '2001:db8::/64']);
    expect(await passes(behind.url, listed, header)).toBe(expected);
  });
  let listed: Pair | undefined;

  it('that is enabled and empty admits only the platform itself', async () => {
    const nobody = await pairWith([]);
    for (const header of [...spoofed, ['127.0.0.1'], ['0.0.0.0'], ['::']]) {
      const isPlatform = header.length === 1 && header[0]!.startsWith('198.51.100.');
      expect([header, await passes(behind.url, nobody, header)]).toEqual([header, isPlatform]);
      expect([header, await passes(direct.url, nobody, header)]).toEqual([header, false]);
    }
  });
});

describe('an entry', () => {
  it.each([
    '1.2.3.4/0',
    '10.0.0.1/8',
    '1.2.3.04',
    '1.2.3',
    '0x7f.0.0.1',
    '2130706433',
    'partner.example',
    ' 1.2.3.4',
    'fe80::1%eth0',
    '[::1]',
  ])('of %j is refused, and nothing changes', async (entry) => {
    const { appId } = await pairWith(['203.0.113.7']);
    const before = (await direct.manage('GET', `miniapps/${appId}`)).text;
    const reply = await direct.manage('PATCH', `miniapps/${appId}`, { ip_whitelist: { addresses: ['203.0.113.7', entry] } });
    expect([reply.status, reply.body.errors]).toEqual([400, [{ path: 'ip_whitelist.addresses[1]', rule: expect.any(String) }]]);
    expect((await direct.manage('GET', `miniapps/${appId}`)).text).toBe(before);
  });

  it.each([
    ['0.0.0.0/0', true],
    ['8.0.0.0/7', true],
    ['10.0.0.0/8', false],
    ['::/0', true],
    ['2000::/3', true],
    ['2001:db8::/32', false],
    ['::ffff:0.0.0.0/96', true],
    ['::ffff:10.0.0.0/104', false],
  ])('of %s is stored, and warned of: %s', async (entry, warned) => {
    const { body } = await direct.manage('POST', 'miniapps', { name: 'Wide', ip_whitelist: { enabled: true, addresses: [entry] } });
    const paths = (body.warnings as { path: string }[]).map(({ path }) => path);
    expect(paths.includes('ip_whitelist.addresses[0]')).toBe(warned);
  });
});

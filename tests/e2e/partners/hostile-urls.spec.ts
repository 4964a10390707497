import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { tidyUrls } from '../../../src/adapters/in/http/manage/http/tidy-urls';
import { OutboundGuard } from '../../../src/adapters/out/partner-http/outbound-guard';
import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';
import { T } from '../../../src/composition/tokens/tokens';
import { JsonObject } from '../../../src/domain/shared/json';
import { honestUrls, hostileUrls, rules } from '../../support/partners/hostile-urls';
import { startTestService, type TestService } from '../../support/service/service';
import { SocketAttempts } from '../../support/partners/socket-attempts';
import { allRows, mayBeCalled, samplesOf } from '../../support/partners/special-purpose-networks';

const sockets = new SocketAttempts();
const report = (line: string): void => void process.stdout.write(`${line}\n`);
const denied = [...new Set(allRows.flatMap(samplesOf).filter((address) => !mayBeCalled(address)))];

/** The addresses of names, set by each test. */
let found: readonly string[] = [];
const resolved: string[] = [];
const guard = new OutboundGuard({
  addresses: new NodeIpAddressMatcher(),
  rules: { allowHttp: false, networks: [] },
  resolve: (hostname, done) => {
    resolved.push(hostname);
    const addresses: LookupAddress[] = found.map((address) => ({ address, family: isIP(address) }));
    setImmediate(() => done(addresses.length === 0 ? Object.assign(new Error('x'), { code: 'ENOTFOUND' }) : null, addresses));
  },
});

const members = {
  'host-apps': [
    ...['access_token_url', 'refresh_token_url', 'user_data_url', 'create_order_payment_url', 'get_order_payment_status_url'],
    ...['events_bridge_url', 'client_access_token_url'],
  ],
  miniapps: ['get_auth_token_url', 'webhook_url', 'events_bridge_url'],
};
const kinds = Object.keys(members) as (keyof typeof members)[];

let service: TestService;
const paths: Record<string, string> = {};
beforeAll(async () => {
  service = await startTestService({ change: (container) => void container.rebind(T.outboundGuard).toConstantValue(guard) });
  for (const kind of kinds) {
    const { body } = await service.manage('POST', kind, { name: 'Present' });
    paths[kind] = `${kind}/${(body.client_id ?? body.app_id) as string}`;
  }
  sockets.watch();
});
beforeEach(() => {
  found = ['8.8.8.8'];
});
afterAll(async () => {
  sockets.stop();
  await service.close();
});

const kept = async (): Promise<string> => {
  const tables = ['host_apps', 'miniapps', 'audit_log'];
  return JSON.stringify(await Promise.all(tables.map((table) => service.database.db.query(`select * from ${table} order by 1`))));
};
/** Connections to elsewhere than this test's own service and its database. */
const strayed = () => sockets.take().filter(({ address }) => address !== '127.0.0.1');

const storedFormOf = (url: string): string =>
  tidyUrls(JsonObject.of({ webhook_url: url }), { allowHttp: false }).body.get('webhook_url') as string;

/** A new host app and a present miniapp with the URL in every member that is called: refused by the rule, each member named. */
async function expectRefused(url: string, rule: string): Promise<void> {
  const urlsOf = (kind: keyof typeof members) => Object.fromEntries(members[kind].map((member) => [member, url]));
  const created = await service.manage('POST', 'host-apps', { name: 'New', ...urlsOf('host-apps') });
  const changed = await service.manage('PATCH', paths['miniapps']!, urlsOf('miniapps'));
  for (const [kind, reply] of [['host-apps', created] as const, ['miniapps', changed] as const]) {
    expect([url, reply.status]).toEqual([url, 400]);
    const problems = (reply.body.errors as { path: string; rule: string }[]).map((problem) => [problem.path, problem.rule]);
    expect([url, problems.sort()]).toEqual([url, members[kind].map((member) => [member, rule]).sort()]);
  }
}

describe('a URL that a partner is to be called at', () => {
  it('is refused with the broken rule if it is hostile, and nothing changes', async () => {
    const before = await kept();
    // Of its length the body's own rule tells first.
    const harmless: string[] = [];
    for (const [url, rule] of hostileUrls) {
      const stored = storedFormOf(url);
      const broken = stored === url ? rule : guard.urlProblem(stored);
      if (broken === undefined) harmless.push(url);
      else await expectRefused(url, broken === rules.long ? 'must have 1 to 500 characters' : broken);
    }
    // Disguises that the stored form has lost (contract/resources#urls-of-partners).
    expect(harmless.map(storedFormOf)).toEqual(
      ['xn--mnchen-3ya', ...Array<string>(3).fill('partner')].map((host) => `https://${host}.example/`),
    );
    expect(await kept()).toBe(before);
    expect(strayed()).toEqual([]);
    report(`R27: ${String(hostileUrls.length)} hostile URLs in ${String(hostileUrls.length * 2)} requests: 0 stored`);
  });

  it('is refused if its name resolves to an internal address, alone or beside public ones', async () => {
    const before = await kept();
    const sampled = denied.filter((_, i) => i % 12 === 0);
    for (const address of sampled) {
      for (const answer of [[address], ['8.8.8.8', address]]) {
        found = answer;
        await expectRefused('https://partner.example/', 'leads to an address that may not be called');
      }
    }
    expect(await kept()).toBe(before);
    expect(strayed()).toEqual([]);
    report(`R27: a name that leads to one of ${String(sampled.length)} denied addresses: 0 stored`);
  });

  it('is stored as written if it is harmless, even if its name is not known yet', async () => {
    for (const url of honestUrls) {
      found = url === honestUrls[0] ? [] : ['8.8.8.8', '2606:4700::1111'];
      for (const kind of kinds) {
        const urls = Object.fromEntries(members[kind].map((member) => [member, url]));
        const reply = await service.manage('PATCH', paths[kind]!, urls);
        expect([url, reply.status]).toEqual([url, 200]);
        expect(reply.body).toMatchObject(urls);
      }
    }
    expect(strayed()).toEqual([]);
  });

  it('is looked up only if it was sent, not when another member changes', async () => {
    resolved.length = 0;
    found = ['127.0.0.1'];
    expect((await service.manage('PATCH', paths['miniapps']!, { name: 'Other' })).status).toBe(200);
    expect((await service.manage('PATCH', paths['miniapps']!, { webhook_url: null })).status).toBe(200);
    expect(resolved).toEqual([]);
  });
});

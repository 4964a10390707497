import { scrypt } from 'node:crypto';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { NameServer } from '../../support/partners/name-server';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { inThisForm, within } from '../harness/fault-run';

const report = (line: string): void => void process.stdout.write(`${line}\n`);

const others = 4;
/** Calls a second to each of the four, and to the one that is well; for how many seconds. */
const load = { each: 5, well: 25, seconds: inThisForm({ short: 4, long: 40 }) };
/** Milliseconds that a call may take longer; the short form runs beside other tests. A call that waits for such a name takes seconds. */
const slackMs = inThisForm({ short: 1000, long: 20 });

describe('four partners whose name servers never answer', () => {
  let names: NameServer;
  let service: TestService;
  let miniapp: StubMiniapp;
  let areSilent = false;
  let well: Pair;
  let four: readonly Pair[];

  beforeAll(async () => {
    names = await new NameServer((name) => (areSilent && name.startsWith('silent') ? 'silence' : ['127.0.0.1'])).start();
    names.ttlS = 1;
    service = await startTestService({ env: { DNS_SERVERS: names.address } });
    miniapp = await new StubMiniapp().start();
    const pairOf = (name: string) => aPair(service, { miniappUrl: `http://${name}.example:${String(miniapp.port)}` });
    well = await pairOf('well');
    four = await Promise.all(Array.from({ length: others }, (_, i) => pairOf(`silent-${String(i)}`)));
  });
  afterAll(async () => {
    await service.close();
    await miniapp.stop();
    await names.stop();
  });

  const connect = async ({ clientId, appId, basic }: Pair, reference: string): Promise<Reply & { ms: number }> => {
    const begun = performance.now();
    const body = { client_id: clientId, app_id: appId, user_data: { reference } };
    const reply = await service.call('POST', '/api/v1/connect/', { headers: basic, body });
    return { ...reply, ms: performance.now() - begun };
  };

  const hashMs = (): Promise<number> => {
    const begun = performance.now();
    return new Promise((resolve) => scrypt('word', 'salt', 32, () => resolve(performance.now() - begun)));
  };

  /** Calls at their pace, whatever the answers before them take. */
  const run = async (turn: string) => {
    const replies = { well: [] as Promise<Reply & { ms: number }>[], four: [] as Promise<Reply & { ms: number }>[] };
    const hashes: Promise<number>[] = [];
    const ticks = load.seconds * load.well;
    const begun = performance.now();
    for (let tick = 0; tick < ticks; tick++) {
      replies.well.push(connect(well, `well-${turn}-${String(tick % 50)}`));
      if (tick % (load.well / load.each) === 0) four.forEach((pair) => replies.four.push(connect(pair, `u-${turn}`)));
      if (tick % load.well === 0) hashes.push(hashMs());
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + ((tick + 1) * 1000) / load.well - performance.now())));
    }
    const ended = { well: await Promise.all(replies.well), four: await Promise.all(replies.four), hashes: await Promise.all(hashes) };
    const times = ended.well.map(({ ms }) => ms).sort((a, b) => a - b);
    return { ...ended, p99: times[Math.floor(times.length * 0.99)] ?? NaN };
  };

  it('delay no other look-up and no password hash', delayNobody, within(60_000));

  async function delayNobody(): Promise<void> {
    await run('warm');
    const calm = await run('calm');
    areSilent = true;
    // Their cached answers would hold for ten minutes more: these are names that nobody has asked for yet.
    four = await Promise.all(
      Array.from({ length: others }, (_, i) =>
        aPair(service, { miniappUrl: `http://silent-anew-${String(i)}.example:${String(miniapp.port)}` }),
      ),
    );
    const beside = await run('beside');
    const causes = new Set(beside.four.map(({ body }) => body.custom_attributes?.cause as string));
    report(
      `A16: ${String(beside.well.length)} calls of the pair that is well, ${String(beside.well.filter(({ status }) => status === 200).length)} answered; ` +
        `p99 ${beside.p99.toFixed(1)} ms beside ${String(others)} silent names, ${calm.p99.toFixed(1)} ms beside the same calls that are answered; ` +
        `longest hash ${Math.max(...beside.hashes).toFixed(0)} ms, calm ${Math.max(...calm.hashes).toFixed(0)} ms; the four: ${[...causes].join(', ')}`,
    );
    expect(calm.four.every(({ status }) => status === 200)).toBe(true);
    expect(beside.four.every(({ status }) => status === 400)).toBe(true);
    expect([...causes].every((cause) => cause === 'dns' || cause === 'circuit-open')).toBe(true);
    expect(causes).toContain('dns');
    expect(beside.well.every(({ status }) => status === 200)).toBe(true);
    expect(beside.p99).toBeLessThan(Math.max(calm.p99 * 1.5, calm.p99 + slackMs));
    expect(Math.max(...beside.hashes)).toBeLessThan(Math.max(...calm.hashes) * 1.5 + slackMs * 2);
  }
});

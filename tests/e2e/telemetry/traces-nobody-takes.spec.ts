import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, until, type TestService } from '../../support/service/service';
import { bytes, hangBeforeHeaders, reset, type Behaviour } from '../../support/partners/stub-behaviours';
import { StubCollector } from '../../support/service/stub-collector';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

// Read by the exporter: how long it waits for an answer, in milliseconds.
process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '400';

let collector: StubCollector;
let miniapp: StubMiniapp;
let traced: TestService;
let untraced: TestService;
let pairs: Map<TestService, Pair>;
let open: readonly TestService[];
beforeEach(async () => {
  collector = await new StubCollector().start();
  miniapp = await new StubMiniapp().start();
  traced = await startTestService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  untraced = await startTestService();
  pairs = new Map();
  open = [traced, untraced];
  for (const service of open) pairs.set(service, await aPair(service, { miniappUrl: miniapp.url }));
});
afterEach(async () => {
  await Promise.all(open.map((service) => service.close()));
  await collector.stop();
  await miniapp.stop();
});

/** Milliseconds that a sign-on takes. */
async function connectMs(service: TestService): Promise<number> {
  const { clientId, appId, basic } = pairs.get(service)!;
  const beganAt = performance.now();
  const body = { client_id: clientId, app_id: appId, user_data: { reference: 'user-9' } };
  expect((await service.call('POST', '/api/v1/connect/', { headers: basic, body })).status).toBe(200);
  return performance.now() - beganAt;
}

const median = (of: readonly number[]): number => [...of].sort((a, b) => a - b)[of.length >> 1] ?? NaN;

const collectors: [string, Behaviour][] = [
  ['hangs', hangBeforeHeaders],
  ['resets connections', reset],
  ['refuses', bytes('text/plain', 'no', { status: 500 })],
];

describe('traces that nobody takes', () => {
  it.each(collectors)('neither fail nor slow down a call if the collector %s, and are logged', async (_how, behaviour) => {
    collector.always(behaviour);
    const took = { traced: [] as number[], untraced: [] as number[] };
    for (let i = 0; i < 60; i++) {
      took.untraced.push(await connectMs(untraced));
      took.traced.push(await connectMs(traced));
    }
    await until(
      async () => traced.logText(),
      (text) => text.includes('"traces.lost"'),
    );
    for (let i = 0; i < 60; i++) took.traced.push(await connectMs(traced));
    const [with_, without] = [median(took.traced), median(took.untraced)];
    process.stdout.write(`a sign-on takes ${with_.toFixed(1)} ms traced and ${without.toFixed(1)} ms untraced\n`);
    // Whoever waited for the collector would wait for 400 ms; twice is what a machine with other work may differ by.
    expect(with_).toBeLessThan(2 * without + 20);
    open = [untraced];
    const closingAt = performance.now();
    await traced.close();
    expect(performance.now() - closingAt).toBeLessThan(5000);
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions } from './bench-options';
import { setUpPairs, type BenchPairs } from './bench-partners';
import { BenchService } from './bench-service';
import type { BenchDatabase } from './bench-database';
import type { Sections } from './figures';
import { paceOf, type Delays, type PairedFigures } from './load-driver';
import { connects, type PreparedRequest } from './prepared-calls';
import { leadInS, measure, median, overRounds, tell, type Round } from './round';
import type { Stage, Surroundings } from './stage';

const warmUpS = 5;
/** How long it is asked what can be done. What full load writes is brought to the disk while half of it is measured: no more than is needed. */
const paceS = 3;
/** The pace of a machine that others share changes within seconds: so there are more rounds than of others. */
const latencyRounds = 3;
/** Of the calls through the service, so many are made at the partner beside them: enough for a p99 of each second. */
const directPart = 1 / 4;

/**
 * What a call through the service takes longer than one made at the partner, with half as many calls as there could be. How many that are is
 * asked anew for every round: on a machine that others share, half of what could be done a minute ago is two thirds of what can be now. Both
 * are made at the same time, so that what holds up the machine holds up both, and compared second by second, so that it counts in that second alone.
 */
export async function measureLatency({ around, service, pairs }: Stage, options: BenchOptions): Promise<Sections['latency']> {
  const { rounds, seconds, connections } = options;
  const requests = connects(pairs.basic);
  const full = { url: service.url, requests, connections };
  const direct = { url: around.stub.url, requests: requests.map(atPartner) };
  await around.driver.run({ ...full, seconds: warmUpS * 2 });
  const paces: number[] = [];
  const found: SecondOfCalls[] = [];
  for (let n = 0; n < rounds * latencyRounds; n++) {
    const perSecond = Math.round(paceOf(await around.driver.run({ ...full, seconds: paceS })) / 2);
    const beside = { ...direct, perSecond: Math.round(perSecond * directPart) };
    const ofRound = secondsOf(await around.driver.runBoth({ ...full, seconds: leadInS + seconds, leadInS, perSecond }, beside));
    const told = medianDelays(ofRound.map(({ added }) => added));
    tell(`round ${n + 1}: ${perSecond} a second, added p50 ${told.p50.toFixed(2)} ms, p99 ${told.p99.toFixed(2)} ms`);
    paces.push(perSecond);
    found.push(...ofRound);
  }
  const over = (kind: keyof SecondOfCalls): Delays => medianDelays(found.map(({ [kind]: delays }) => delays));
  return { perSecond: median(paces), direct: over('direct'), through: over('through'), added: over('added') };
}

type SecondOfCalls = Readonly<Record<'direct' | 'through' | 'added', Delays>>;

/** Throws where a call failed, of either kind. */
function secondsOf({ beside, ...went }: PairedFigures): SecondOfCalls[] {
  for (const { ok, requests, statuses } of [went, beside]) {
    if (ok < requests) throw new Error(`At half load ${requests - ok} calls of ${requests} failed: ${JSON.stringify(statuses)}`);
  }
  return went.bySecond.map((through, nth) => {
    const direct = beside.bySecond[nth]!;
    return { direct, through, added: { p50: through.p50 - direct.p50, p99: through.p99 - direct.p99 } };
  });
}

const medianDelays = (of: readonly Delays[]): Delays => ({ p50: median(of.map(({ p50 }) => p50)), p99: median(of.map(({ p99 }) => p99)) });

/** The call that the service makes for a connect. */
function atPartner({ body, ...request }: PreparedRequest): PreparedRequest {
  return { ...request, path: '/auth', body: JSON.stringify((JSON.parse(body) as { user_data: unknown }).user_data) };
}

/** Start to ready: on a migrated database, and on a new embedded one; and the demo, which has one of its own. */
export async function measureStart(database: BenchDatabase, { rounds, builds }: BenchOptions): Promise<Sections['start']> {
  const [build = ''] = builds;
  const times = { postgres: [] as number[], embedded: [] as number[], demo: [] as number[] };
  for (let n = 0; n < rounds; n++) {
    const services = { postgres: () => BenchService.onPostgres(build, database.url), embedded: () => BenchService.embedded(build) };
    for (const kind of ['postgres', 'embedded'] as const) {
      const service = await services[kind]();
      times[kind].push(service.startMs);
      await service.stop();
    }
    times.demo.push(await BenchService.demo(build));
  }
  return { postgres: median(times.postgres), embedded: median(times.embedded), demo: median(times.demo) };
}

/**
 * One serving process against two, by turns; each is started anew, so that never both keep connections to the database. What a request costs
 * depends on how many come at once, as they share statements: so both are measured with as many for each process (a quarter of what one
 * can do, which leaves room for the load and the partners on the same cores), and under full load besides.
 */
export async function measureWorkers(around: Surroundings, database: BenchDatabase, options: BenchOptions): Promise<Sections['workers']> {
  const { rounds, seconds, connections, builds } = options;
  const [build = ''] = builds;
  const full: Record<'1' | '2', Round[]> = { 1: [], 2: [] };
  const paced: Record<'1' | '2', Round[]> = { 1: [], 2: [] };
  let pairs: BenchPairs | undefined;
  let perSecond = 0;
  for (let n = 0; n < rounds; n++) {
    for (const WORKERS of ['1', '2'] as const) {
      const service = await BenchService.onPostgres(build, database.url, { WORKERS });
      try {
        pairs ??= await setUpPairs(service.url, around.stub.url);
        const job = { url: service.url, requests: connects(pairs.basic), connections };
        // Every process is to be as warm as one alone.
        await around.driver.run({ ...job, seconds: warmUpS * 2 * Number(WORKERS) });
        const loaded = { pid: service.pid, ...around.on(database) };
        const most = await measure(loaded, { ...job, seconds });
        full[WORKERS].push(most);
        perSecond ||= Math.round(most.perSecond / 4);
        paced[WORKERS].push(await measure(loaded, { ...job, seconds, perSecond: perSecond * Number(WORKERS) }));
      } finally {
        await service.stop();
      }
    }
  }
  return {
    perSecond,
    one: overRounds(paced['1']),
    two: overRounds(paced['2']),
    full: { one: overRounds(full['1']), two: overRounds(full['2']) },
  };
}

const sampleEveryMs = 5000;

/** Memory under as much load as is answered, for some minutes. */
export async function measureMemory(
  { around, service, pairs }: Stage,
  { minutes, connections }: BenchOptions,
): Promise<Sections['memory']> {
  const samples: { minute: number; mb: number }[] = [];
  const startedAt = performance.now();
  const minute = (): number => (performance.now() - startedAt) / 60_000;
  const load = around.driver.run({ url: service.url, requests: connects(pairs.basic), connections, seconds: Math.ceil(minutes * 60) });
  const state = { running: true };
  void load.finally(() => (state.running = false)).catch(() => undefined);
  while (state.running) {
    samples.push({ minute: minute(), mb: service.residentMb });
    await pause(sampleEveryMs);
  }
  const perSecond = paceOf(await load);
  const half = samples.slice(samples.length >> 1);
  const sizes = samples.map(({ mb }) => mb);
  return { minutes, perSecond, mostMb: Math.max(...sizes), lastMb: sizes.at(-1) ?? 0, mbAMinute: slopeOf(half) };
}

/** The slope of the straight line that lies closest (least squares). */
function slopeOf(samples: readonly { readonly minute: number; readonly mb: number }[]): number {
  const mean = (of: (one: (typeof samples)[number]) => number): number => samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [x, y] = [mean(({ minute }) => minute), mean(({ mb }) => mb)];
  const along = samples.reduce((sum, one) => sum + (one.minute - x) * (one.mb - y), 0);
  const across = samples.reduce((sum, one) => sum + (one.minute - x) ** 2, 0);
  return across === 0 ? 0 : along / across;
}

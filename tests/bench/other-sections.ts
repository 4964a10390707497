import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions } from './bench-options';
import { setUpPairs, type BenchPairs } from './bench-partners';
import { BenchService } from './bench-service';
import type { BenchDatabase } from './bench-database';
import type { Sections } from './page/figures';
import { paceOf } from './load/load-driver';
import { connects } from './calls/prepared-calls';
import { measure, median, overRounds, type Round } from './round';
import type { Stage, Surroundings } from './stage';

const warmUpS = 5;
/** Each round starts processes anew. */
const maxRounds = 3;

/** Start to ready: on a migrated database, and on a new embedded one; and the demo, which has one of its own. */
export async function measureStart(database: BenchDatabase, { rounds, builds }: BenchOptions): Promise<Sections['start']> {
  const [build = ''] = builds;
  const times = { postgres: [] as number[], embedded: [] as number[], demo: [] as number[] };
  for (let n = 0; n < Math.min(rounds, maxRounds); n++) {
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
 * One serving process against two, in turn; each is started anew, so that never both keep connections to the database. What a request costs
 * depends on how many come at once, as they share statements: so both are measured with as many for each process (a quarter of what one
 * can do, which leaves room for the load and the partners on the same cores), and under full load besides.
 */
export async function measureWorkers(context: Surroundings, database: BenchDatabase, options: BenchOptions): Promise<Sections['workers']> {
  const { seconds, connections, builds } = options;
  const rounds = Math.min(options.rounds, maxRounds);
  const [build = ''] = builds;
  const full: Record<'1' | '2', Round[]> = { 1: [], 2: [] };
  const paced: Record<'1' | '2', Round[]> = { 1: [], 2: [] };
  let pairs: BenchPairs | undefined;
  let perSecond = 0;
  for (let n = 0; n < rounds; n++) {
    for (const WORKERS of ['1', '2'] as const) {
      const service = await BenchService.onPostgres(build, database.url, { WORKERS });
      try {
        pairs ??= await setUpPairs(service.url, context.stub.url);
        const job = { url: service.url, requests: connects(pairs.basic), connections };
        // Every process is to be as warm as one alone.
        await context.driver.run({ ...job, seconds: warmUpS * 2 * Number(WORKERS) });
        const loaded = { pid: service.pid, ...context.on(database) };
        const fastest = await measure(loaded, { ...job, seconds });
        full[WORKERS].push(fastest);
        perSecond ||= Math.round(fastest.perSecond / 4);
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
  { context, service, pairs }: Stage,
  { minutes, connections }: BenchOptions,
): Promise<Sections['memory']> {
  const samples: { minute: number; mb: number }[] = [];
  const startedAt = performance.now();
  const minute = (): number => (performance.now() - startedAt) / 60_000;
  const load = context.driver.run({ url: service.url, requests: connects(pairs.basic), connections, seconds: Math.ceil(minutes * 60) });
  const state = { running: true };
  void load.finally(() => (state.running = false)).catch(() => undefined);
  while (state.running) {
    samples.push({ minute: minute(), mb: service.residentMb });
    await pause(sampleEveryMs);
  }
  const perSecond = paceOf(await load);
  const half = samples.slice(samples.length >> 1);
  const sizes = samples.map(({ mb }) => mb);
  return { minutes, perSecond, maxMb: Math.max(...sizes), lastMb: sizes.at(-1) ?? 0, mbAMinute: slopeOf(half) };
}

/** The slope of the straight line that lies closest (least squares). */
function slopeOf(samples: readonly { readonly minute: number; readonly mb: number }[]): number {
  const mean = (of: (one: (typeof samples)[number]) => number): number => samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [x, y] = [mean(({ minute }) => minute), mean(({ mb }) => mb)];
  const along = samples.reduce((sum, one) => sum + (one.minute - x) * (one.mb - y), 0);
  const across = samples.reduce((sum, one) => sum + (one.minute - x) ** 2, 0);
  return across === 0 ? 0 : along / across;
}

import type { BenchDatabase } from './bench-database';
import { usedBetween } from './bench-database';
import { paceOf, type LoadDriver, type LoadFigures, type LoadJob } from './load/load-driver';
import { cpuMsOfTree } from './process-cost';

/** What one round of one call has shown. */
export interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of processor time for a request, of the server's processes and of the database's connections. */
  readonly cpuMs: number;
  readonly databaseMs: number;
  /** The same of what makes the load and of the partners, which share the cores. */
  readonly loadMs: number;
  /** Answers other than 200, and calls without one. */
  readonly errors: number;
}

/** The loaded server, and the source of its cost. */
export interface Loaded {
  readonly pid: number;
  readonly database: BenchDatabase;
  readonly driver: LoadDriver;
  /** What makes the load, and the partners. */
  readonly others: readonly number[];
}

/**
 * Makes a load and tells what it has cost. `afterwards`: waits for what the requests have caused and that counts as well, such as
 * deliveries; resolves to when that was, in milliseconds since the epoch.
 */
export async function measure(
  { pid, database, driver, others }: Loaded,
  job: LoadJob,
  afterwards?: () => Promise<number>,
): Promise<Round & LoadFigures> {
  const othersCpu = (): number => others.reduce((sum, one) => sum + cpuMsOfTree(one), 0);
  const before = { cpu: cpuMsOfTree(pid), others: othersCpu(), database: await database.cpuMs() };
  const went = await driver.run(job);
  const endedAt = Math.max(went.endedAt, (await afterwards?.()) ?? 0);
  const [cpu, load] = [cpuMsOfTree(pid) - before.cpu, othersCpu() - before.others];
  const databaseCpu = usedBetween(before.database, await database.cpuMs());
  return {
    ...went,
    perSecond: paceOf({ ...went, endedAt }),
    cpuMs: cpu / went.requests,
    databaseMs: databaseCpu / went.requests,
    loadMs: load / went.requests,
    errors: went.requests - went.ok + went.broken,
  };
}

/** Progress, for those who wait: not part of the result. */
export const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

/** Seconds before a round, uncounted: connections are new, and what others did meanwhile has driven things out of the caches. */
export const leadInS = 1;

/** As `measure`, after a lead-in of the same load. */
export async function measureSteady(loaded: Loaded, job: LoadJob, seconds = leadInS): Promise<Round> {
  await loaded.driver.run({ ...job, seconds });
  return measure(loaded, job);
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The median of each member over the rounds; of the errors, the sum. */
export function overRounds(rounds: readonly Round[]): Round {
  const of = (member: keyof Round): number => median(rounds.map((round) => round[member]));
  const times = { p50: of('p50'), p99: of('p99'), cpuMs: of('cpuMs'), databaseMs: of('databaseMs'), loadMs: of('loadMs') };
  return { perSecond: of('perSecond'), ...times, errors: rounds.reduce((sum, { errors }) => sum + errors, 0) };
}

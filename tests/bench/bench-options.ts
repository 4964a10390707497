import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** How a benchmark run is made: from the environment, and the names of calls on the command line. */
export interface BenchOptions {
  /** Beginnings of names of calls and sections; empty: all. */
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Builds of the service, one or several to be compared; the first one's figures count. */
  readonly builds: readonly string[];
  readonly growth: 'off' | 'small' | 'on';
  /** How long memory is watched; 0: not at all. */
  readonly minutes: number;
  /** Write the figures down, and the page. */
  readonly keep: boolean;
  readonly cores: number;
}

/** Reads the options. Throws where one cannot be used. */
export function readOptions(names: readonly string[], env: NodeJS.ProcessEnv = process.env): BenchOptions {
  const growth = env['BENCH_GROWTH'] ?? 'off';
  if (growth !== 'off' && growth !== 'small' && growth !== 'on') throw new Error('BENCH_GROWTH must be off, small or on');
  const listed = (value = ''): string[] => value.split(',').filter((one) => one !== '');
  const builds = listed(env['BENCH_DIST']);
  return {
    only: [...names, ...listed(env['BENCH_ONLY'])],
    rounds: positive(env, 'BENCH_ROUNDS', 5),
    seconds: positive(env, 'BENCH_SECONDS', 3),
    connections: positive(env, 'BENCH_CONNECTIONS', 64),
    builds: builds.length > 0 ? builds : [join(__dirname, '../../dist')],
    growth,
    minutes: env['BENCH_MINUTES'] === undefined ? 0 : positive(env, 'BENCH_MINUTES', 10),
    keep: env['BENCH_KEEP'] === 'on',
    cores: availableParallelism(),
  };
}

/** Whether a call or a section is to be measured: all are, where none is named. */
export const isWanted = ({ only }: Pick<BenchOptions, 'only'>, name: string): boolean =>
  only.length === 0 || only.some((part) => name.startsWith(part));

function positive(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const value = Number(env[name] ?? fallback);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a number above 0`);
  return value;
}

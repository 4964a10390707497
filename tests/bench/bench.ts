import { loadavg } from 'node:os';
import { BenchDatabase } from './bench-database';
import { isAskedFor, readOptions, type BenchOptions } from './bench-options';
import { callPlans } from './calls/call-plans';
import { measureCalls } from './calls/calls-section';
import { dated, keep, keptFigures, machineWith, type Figures, type Sections } from './page/figures';
import { measureGrowth } from './growth-section';
import { measureLatency } from './calls/latency-section';
import { measureMemory, measureStart, measureWorkers } from './other-sections';
import { otherRuns, writePage } from './page/performance-page';
import { measureProfile } from './profile/profile-section';
import { Stage, Surroundings } from './stage';
import { measureStatements } from './calls/statements-section';
import { callRows, peerRows, table, targetRows } from './page/tables';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs the benchmark; the names of calls or sections, or their beginnings, choose from it. `page`: writes the page anew, alone. */
export async function main(names: readonly string[]): Promise<void> {
  if (names[0] === 'page') {
    writePage(keptFigures());
    return;
  }
  const options = readOptions(names);
  const [loadBefore = 0] = loadavg();
  const around = await Surroundings.start();
  try {
    const figures = await measureAll(around, options, loadBefore);
    if (figures.calls) say(`${table(callRows(figures))}\n\n${table(peerRows(figures))}`);
    say(`\n${table(targetRows(figures).filter(([, , , found]) => found !== 'not measured'))}`);
    say(`\n${otherRuns(figures).join('\n')}`);
    if (options.keep) writePage(keptFigures());
  } finally {
    await around.stop();
  }
}

/** Section by section, each kept as soon as it is measured. A section with a service of its own is independent of the others' rows. */
async function measureAll(around: Surroundings, options: BenchOptions, loadBefore: number): Promise<Figures> {
  let figures: Figures = {};
  const add = (section: Figures): void => {
    figures = { ...figures, ...section };
    if (options.keep) keep(section);
  };
  // Before the calls: what those leave is written by the checkpoints and vacuums of the minutes after them, on the same disk.
  if (isAskedFor(options, 'latency')) add({ latency: dated(await onItsOwnStage(around, options, 'latency', measureLatency)) });
  if (isAskedFor(options, 'workers'))
    add({ workers: dated(await onItsOwnDatabase((database) => measureWorkers(around, database, options))) });
  if (isAskedFor(options, 'start')) add({ start: dated(await onItsOwnDatabase((database) => measureStart(database, options))) });
  if (isAskedFor(options, 'profile')) add({ profile: dated(await measureProfile(around, options)) });
  if (isAskedFor(options, 'statements')) add({ statements: dated(await measureStatements(around, options)) });
  const calls = await callsOnStages(around, options, loadBefore);
  if (calls) add({ calls: dated(calls) });
  if (options.minutes > 0) add({ memory: dated(await onItsOwnStage(around, options, 'memory', measureMemory)) });
  if (options.growth !== 'off') add({ growth: dated(await measureGrowth(around, options, options.growth)) });
  return figures;
}

/** The calls, on all builds in turn; undefined where none is asked for. */
async function callsOnStages(around: Surroundings, options: BenchOptions, loadBefore: number): Promise<Sections['calls'] | undefined> {
  const stages: Stage[] = [];
  try {
    for (const [index, build] of options.builds.entries()) stages.push(await Stage.open(around, build, `calls${index}`));
    const [first] = stages;
    if (!first || !callPlans(first).some(({ name }) => isAskedFor(options, name))) return undefined;
    const calls = await measureCalls(stages, options);
    for (const stage of stages) await tell(stage);
    return { ...calls, machine: machineWith(first.database.version, loadBefore) };
  } finally {
    for (const stage of stages) await stage.close();
  }
}

type Measure<Result> = (stage: Stage, options: BenchOptions) => Promise<Result>;

async function onItsOwnStage<Result>(around: Surroundings, options: BenchOptions, name: string, measure: Measure<Result>): Promise<Result> {
  const [build = ''] = options.builds;
  const stage = await Stage.open(around, build, name);
  try {
    const result = await measure(stage, options);
    await tell(stage);
    return result;
  } finally {
    await stage.close();
  }
}

async function onItsOwnDatabase<Result>(measure: (database: BenchDatabase) => Promise<Result>): Promise<Result> {
  const database = await BenchDatabase.open('processes');
  try {
    return await measure(database);
  } finally {
    await database.close();
  }
}

async function tell({ service }: Stage): Promise<void> {
  const said = [...(await service.complaints())].map(([event, times]) => `${event} ${times} times`).join(', ');
  say(`Memory of a serving process at the end: ${service.residentMb.toFixed(0)} MB. Complaints in its log: ${said || 'none'}.`);
}

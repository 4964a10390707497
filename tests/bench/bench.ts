import { loadavg } from 'node:os';
import { BenchDatabase } from './bench-database';
import { isWanted, readOptions, type BenchOptions } from './bench-options';
import { callPlans } from './calls/call-plans';
import { measureCalls } from './calls/calls-section';
import { dated, keep, keptFigures, machineWith, type FigureReader, type Sections } from './page/figures';
import { measureGrowth } from './growth-section';
import { measureLatency } from './calls/latency-section';
import { measureMemory, measureStart, measureWorkers } from './other-sections';
import { otherRuns, writePage } from './page/performance-page';
import { measureProfile } from './profile/profile-section';
import { Stage, Surroundings } from './stage';
import { measureStatements } from './calls/statements-section';
import { callRows, peerRows, table, targetRows } from './page/tables';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs the benchmark; the names of calls or sections, or their beginnings, choose from it. `page`: writes the page anew, alone. */
export async function main(names: readonly string[]): Promise<void> {
  if (names[0] === 'page') {
    writePage(keptFigures());
    return;
  }
  const options = readOptions(names);
  const [loadBefore = 0] = loadavg();
  const context = await Surroundings.start();
  try {
    const figures = await measureAll(context, options, loadBefore);
    if (figures.calls) print(`${table(callRows(figures))}\n\n${table(peerRows(figures))}`);
    print(`\n${table(targetRows(figures).filter(([, , , found]) => found !== 'not measured'))}`);
    print(`\n${otherRuns(figures).join('\n')}`);
    if (options.keep) writePage(keptFigures());
  } finally {
    await context.stop();
  }
}

/** Section by section, each kept as soon as it is measured. A section with a service of its own is independent of the others' rows. */
async function measureAll(context: Surroundings, options: BenchOptions, loadBefore: number): Promise<FigureReader> {
  let figures: FigureReader = {};
  const add = (section: FigureReader): void => {
    figures = { ...figures, ...section };
    if (options.keep) keep(section);
  };
  // Before the calls: what those leave is written by the checkpoints and vacuums of the minutes after them, on the same disk.
  if (isWanted(options, 'latency')) add({ latency: dated(await onItsOwnStage(context, options, 'latency', measureLatency)) });
  if (isWanted(options, 'workers'))
    add({ workers: dated(await onItsOwnDatabase((database) => measureWorkers(context, database, options))) });
  if (isWanted(options, 'start')) add({ start: dated(await onItsOwnDatabase((database) => measureStart(database, options))) });
  if (isWanted(options, 'profile')) add({ profile: dated(await measureProfile(context, options)) });
  if (isWanted(options, 'statements')) add({ statements: dated(await measureStatements(context, options)) });
  const calls = await callsOnStages(context, options, loadBefore);
  if (calls) add({ calls: dated(calls) });
  if (options.minutes > 0) add({ memory: dated(await onItsOwnStage(context, options, 'memory', measureMemory)) });
  if (options.growth !== 'off') add({ growth: dated(await measureGrowth(context, options, options.growth)) });
  return figures;
}

/** The calls, on all builds in turn; undefined where none is asked for. */
async function callsOnStages(context: Surroundings, options: BenchOptions, loadBefore: number): Promise<Sections['calls'] | undefined> {
  const stages: Stage[] = [];
  try {
    for (const [index, build] of options.builds.entries()) stages.push(await Stage.open(context, build, `calls${index}`));
    const [first] = stages;
    if (!first || !callPlans(first).some(({ name }) => isWanted(options, name))) return undefined;
    const calls = await measureCalls(stages, options);
    for (const stage of stages) await printEnd(stage);
    return { ...calls, machine: machineWith(first.database.version, loadBefore) };
  } finally {
    for (const stage of stages) await stage.close();
  }
}

type Measure<Result> = (stage: Stage, options: BenchOptions) => Promise<Result>;

async function onItsOwnStage<Result>(
  context: Surroundings,
  options: BenchOptions,
  name: string,
  measure: Measure<Result>,
): Promise<Result> {
  const [build = ''] = options.builds;
  const stage = await Stage.open(context, build, name);
  try {
    const result = await measure(stage, options);
    await printEnd(stage);
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

async function printEnd({ service }: Stage): Promise<void> {
  const complaints = [...(await service.complaints())].map(([event, times]) => `${event} ${times} times`).join(', ');
  print(`Memory of a serving process at the end: ${service.residentMb.toFixed(0)} MB. Complaints in its log: ${complaints || 'none'}.`);
}

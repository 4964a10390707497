import { loadavg } from 'node:os';
import { BenchDatabase } from './bench-database';
import { isAskedFor, readOptions, type BenchOptions } from './bench-options';
import { callPlans } from './call-plans';
import { measureCalls } from './calls-section';
import { dated, keep, keptFigures, machineWith, type Figures } from './figures';
import { measureGrowth } from './growth-section';
import { measureLatency, measureMemory, measureStart, measureWorkers } from './other-sections';
import { otherRuns, writePage } from './performance-page';
import { measureProfile } from './profile-section';
import { Stage, Surroundings } from './stage';
import { callRows, table, targetRows } from './tables';

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
    // What needs processes of its own comes first: then no other keeps connections to the database.
    const figures = { ...(await withoutStage(around, options)), ...(await onStages(around, options, loadBefore)) };
    if (figures.calls) say(table(callRows(figures.calls.all)));
    say(`\n${table(targetRows(figures).filter(([, , , found]) => found !== 'not measured'))}`);
    say(`\n${otherRuns(figures).join('\n')}`);
    if (options.keep) writePage(keep(figures));
  } finally {
    await around.stop();
  }
}

async function withoutStage(around: Surroundings, options: BenchOptions): Promise<Figures> {
  const [wantsStart, wantsWorkers] = [isAskedFor(options, 'start'), isAskedFor(options, 'workers')];
  let figures: Figures = {};
  if (wantsStart || wantsWorkers) {
    const database = await BenchDatabase.open('processes');
    try {
      const workers = wantsWorkers ? { workers: dated(await measureWorkers(around, database, options)) } : {};
      figures = { ...workers, ...(wantsStart && { start: dated(await measureStart(database, options)) }) };
    } finally {
      await database.close();
    }
  }
  if (isAskedFor(options, 'profile')) figures = { ...figures, profile: dated(await measureProfile(around, options)) };
  const { growth } = options;
  return growth === 'off' ? figures : { ...figures, growth: dated(await measureGrowth(around, options, growth)) };
}

async function onStages(around: Surroundings, options: BenchOptions, loadBefore: number): Promise<Figures> {
  const stages: Stage[] = [];
  try {
    for (const [index, build] of options.builds.entries()) stages.push(await Stage.open(around, build, `calls${index}`));
    const [first] = stages;
    if (!first) return {};
    const machine = machineWith(first.database.version, loadBefore);
    const hasCalls = callPlans(first).some(({ name }) => isAskedFor(options, name));
    // Before the calls: what those leave is written by the checkpoints and vacuums of the minutes after them, on the same disk.
    const latency = isAskedFor(options, 'latency') ? { latency: dated(await measureLatency(first, options)) } : {};
    const calls = hasCalls ? { calls: dated({ ...(await measureCalls(stages, options)), machine }) } : {};
    const memory = options.minutes > 0 ? { memory: dated(await measureMemory(first, options)) } : {};
    for (const { service } of stages) tell(service.residentMb, await service.complaints());
    return { ...calls, ...latency, ...memory };
  } finally {
    for (const stage of stages) await stage.close();
  }
}

function tell(mb: number, complaints: ReadonlyMap<string, number>): void {
  const said = [...complaints].map(([event, times]) => `${event} ${times} times`).join(', ');
  say(`Memory of a serving process at the end: ${mb.toFixed(0)} MB. Complaints in its log: ${said || 'none'}.`);
}

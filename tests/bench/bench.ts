import { loadavg } from 'node:os';
import { isAskedFor, readOptions, type BenchOptions } from './bench-options';
import { callPlans } from './call-plans';
import { overRounds, type Round } from './round';
import { Stage, Surroundings } from './stage';
import { callOf, floorOf, peerOf, type Subject } from './subject';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the benchmark; the names of calls or sections, or their beginnings, choose from it. */
export async function main(names: readonly string[]): Promise<void> {
  const options = readOptions(names);
  say(
    `load before: ${loadavg()
      .map((one) => one.toFixed(2))
      .join(' ')}`,
  );
  const around = await Surroundings.start();
  const stages: Stage[] = [];
  try {
    for (const [index, build] of options.builds.entries()) stages.push(await Stage.open(around, build, `calls${index}`));
    await calls(stages, options);
  } finally {
    for (const stage of stages) await stage.close();
    await around.stop();
  }
}

async function calls(stages: readonly Stage[], options: BenchOptions): Promise<void> {
  const [first] = stages;
  if (!first) return;
  const subjects: Subject[] = [await floorOf(first, options)];
  if (options.peers) subjects.push(...['limit', 'tuned', 'naive'].map((name) => peerOf(first, name, options)));
  for (const [index, stage] of stages.entries()) {
    for (const plan of callPlans(stage).filter(({ name }) => isAskedFor(options, name))) {
      const subject = callOf(stage, plan, options);
      subjects.push(index === 0 ? subject : { ...subject, name: `${subject.name} (${index + 1})` });
    }
  }
  const rounds = new Map<Subject, Round[]>();
  try {
    for (const subject of subjects) await subject.warmUp();
    for (let n = 0; n < options.rounds; n++) {
      for (const subject of subjects) rounds.set(subject, [...(rounds.get(subject) ?? []), await subject.round(options.seconds)]);
    }
    for (const [subject, all] of rounds) {
      const { perSecond, p50, p99, cpuMs, databaseMs, errors } = overRounds(all);
      const bytes = await subject.allocation?.();
      say(
        [
          subject.name.padEnd(26),
          perSecond.toFixed(0).padStart(6),
          p50.toFixed(1).padStart(7),
          p99.toFixed(1).padStart(7),
          cpuMs.toFixed(3).padStart(7),
          databaseMs.toFixed(3).padStart(7),
          ((bytes ?? 0) / 1024).toFixed(0).padStart(6),
          String(errors),
        ].join(' '),
      );
    }
    for (const { service } of stages)
      say(`memory ${service.residentMb.toFixed(0)} MB, complaints ${JSON.stringify([...service.complaints()])}`);
  } finally {
    for (const subject of subjects) await subject.stop();
  }
}

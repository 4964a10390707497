import { isAskedFor, type BenchOptions } from './bench-options';
import { callPlans } from './call-plans';
import { peers, type CallFigures, type Sections } from './figures';
import { overRounds, tell, type Round } from './round';
import type { Stage } from './stage';
import { callOf, floorOf, peerOf, type Subject } from './subject';
import { verificationCost } from './verification-cost';

/** Measures every call that is asked for, one round of each after the other, beside the floor and the peers. */
export async function measureCalls(stages: readonly Stage[], options: BenchOptions): Promise<Omit<Sections['calls'], 'machine'>> {
  const { rounds, seconds, connections } = options;
  const [first] = stages;
  if (!first) throw new Error('No build to measure');
  const { tool: load } = first.around.driver;
  const subjects = await subjectsOf(stages, first, options);
  const results = new Map<Subject, Round[]>(subjects.map((subject) => [subject, []]));
  const all: CallFigures[] = [];
  try {
    for (const subject of subjects) {
      tell(`warming up: ${subject.name}`);
      await subject.warmUp();
    }
    for (let n = 1; n <= rounds; n++) {
      for (const [subject, list] of results) {
        const round = await subject.round(seconds);
        tell(`round ${n}: ${subject.name}, ${round.perSecond.toFixed(0)} a second, ${round.cpuMs.toFixed(3)} ms`);
        list.push(round);
      }
    }
    for (const [{ name, credential, allocation }, list] of results) {
      const bytes = await allocation?.();
      all.push({ name, credential, ...overRounds(list), ...(bytes !== undefined && { allocatedKb: bytes / 1024 }) });
    }
  } finally {
    for (const subject of subjects) await subject.stop();
  }
  return { rounds, seconds, connections, load, all, verification: verificationCost() };
}

async function subjectsOf(stages: readonly Stage[], first: Stage, options: BenchOptions): Promise<Subject[]> {
  const calls = stages.flatMap((stage, index) =>
    callPlans(stage)
      .filter(({ name }) => isAskedFor(options, name))
      .map((plan) => callOf(stage, index === 0 ? plan : { ...plan, name: `${plan.name} (${index + 1})` }, options)),
  );
  if (!calls.some(({ name }) => name.startsWith('connect'))) return calls;
  const compared = options.peers ? peers.map((name) => peerOf(first, name, options)) : [];
  const algorithms = (['ecdsa', 'rsa2'] as const).filter((one) => calls.some(({ name }) => name === `connect-${one}`));
  const floors = [await floorOf(first, options)];
  for (const algorithm of algorithms) floors.push(await floorOf(first, options, algorithm));
  return [...floors, ...compared, ...calls];
}

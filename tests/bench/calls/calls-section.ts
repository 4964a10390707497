import { isWanted, type BenchOptions } from '../bench-options';
import type { CallPlan } from './call-plan';
import { callPlans } from './call-plans';
import type { CallFigures, PeerName, Ratios, Sections } from '../page/figures';
import { Peer } from './peer';
import { median, overRounds, printLine, type Round } from '../round';
import type { Side } from '../side';
import type { Stage } from '../stage';
import { callOf, type Subject } from './subject';

/** One call at each build of the service, and at its peers, which are measured right beside. */
interface Comparison {
  readonly calls: readonly Subject[];
  readonly peers: ReadonlyMap<PeerName, Subject>;
}

type Found = ReadonlyMap<Subject, Round[]>;

/** Measures every call that is asked for, one round of each after the other, its peers' rounds right before or after its own. */
export async function measureCalls(stages: readonly Stage[], options: BenchOptions): Promise<Omit<Sections['calls'], 'machine'>> {
  const { rounds, seconds, connections } = options;
  const [first] = stages;
  if (!first) throw new Error('No build to measure');
  const plans = callPlans(first).filter(({ name }) => isWanted(options, name));
  const peers = new Map<PeerName, Peer>();
  try {
    for (const name of new Set(plans.flatMap((plan) => plan.peers))) peers.set(name, await Peer.start(name, first));
    const comparisons = comparisonsOf(plans, { stages, peers }, options);
    const found = await measureRounds(comparisons, options);
    const all: CallFigures[] = [];
    for (const comparison of comparisons) all.push(...(await figuresOf(comparison, found)));
    return { rounds, seconds, connections, load: first.context.driver.tool, all };
  } finally {
    for (const peer of peers.values()) await peer.stop();
  }
}

interface Sides {
  readonly stages: readonly Stage[];
  readonly peers: ReadonlyMap<PeerName, Peer>;
}

function comparisonsOf(plans: readonly CallPlan[], { stages, peers }: Sides, options: BenchOptions): Comparison[] {
  const subjectsOf = (side: Side, mark = ''): ReadonlyMap<string, Subject> =>
    new Map(callPlans(side).map((plan) => [plan.name, callOf(side, { ...plan, name: `${plan.name}${mark}` }, options)]));
  const ofStages = stages.map((stage, index) => subjectsOf(stage, index === 0 ? '' : ` (${index + 1})`));
  const ofPeers = new Map([...peers].map(([name, peer]) => [name, subjectsOf(peer)]));
  return plans.map((plan) => ({
    calls: ofStages.map((subjects) => named(subjects, plan.name)),
    peers: new Map(plan.peers.map((name) => [name, named(ofPeers.get(name), plan.name)])),
  }));
}

function named(subjects: ReadonlyMap<string, Subject> | undefined, name: string): Subject {
  const subject = subjects?.get(name);
  if (!subject) throw new Error(`Nothing to measure ${name} at`);
  return subject;
}

/** In every other round the peers come first, so that what drifts drifts for all alike. */
async function measureRounds(comparisons: readonly Comparison[], { rounds, seconds }: BenchOptions): Promise<Found> {
  const found = new Map<Subject, Round[]>();
  for (const { calls, peers } of comparisons) {
    for (const subject of [...calls, ...peers.values()]) {
      printLine(`warming up: ${subject.name}`);
      await subject.warmUp();
      found.set(subject, []);
    }
  }
  for (let n = 1; n <= rounds; n++) {
    for (const { calls, peers } of comparisons) {
      const turn = [...calls.map((call) => ['service', call] as const), ...peers];
      for (const [side, subject] of n % 2 === 1 ? turn : turn.reverse()) {
        const round = await subject.round(seconds);
        printLine(`round ${n}: ${subject.name}, ${side}, ${round.perSecond.toFixed(0)} a second, ${round.cpuMs.toFixed(3)} ms`);
        found.get(subject)?.push(round);
      }
    }
  }
  return found;
}

async function figuresOf({ calls, peers }: Comparison, found: Found): Promise<CallFigures[]> {
  const all: CallFigures[] = [];
  for (const call of calls) {
    const { name, credential } = call;
    const rounds = found.get(call) ?? [];
    const bytes = await call.allocation?.();
    const against = Object.fromEntries([...peers].map(([peer, subject]) => [peer, ratios(rounds, found.get(subject) ?? [])]));
    const allocated = bytes !== undefined && { allocatedKb: bytes / 1024 };
    all.push({ name, credential, ...overRounds(rounds), ...(peers.size > 0 && { against }), ...allocated });
  }
  for (const [peer, subject] of peers) {
    all.push({ name: subject.name, peer, credential: subject.credential, ...overRounds(found.get(subject) ?? []) });
  }
  return all;
}

/** Medians of the ratios of two rounds that follow each other: between two rounds of one call minutes pass. */
function ratios(of: readonly Round[], to: readonly Round[]): Ratios {
  const over = (member: 'cpuMs' | 'perSecond'): number => median(of.map((round, n) => round[member] / (to[n]?.[member] ?? NaN)));
  return { cpu: over('cpuMs'), perSecond: over('perSecond') };
}

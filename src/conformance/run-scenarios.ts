import { DomainError } from '../domain/shared/errors';
import { Bench } from './bench';
import type { Facts } from './facts';
import { isAbsence } from './judging';
import type { Requests, Role, Wire } from './ports';
import { RunState } from './run-state';
import type { Result, Scenario } from './scenario';
import { Blocked, DoesNotApply, Unmet, type Verdict } from './verdict';

/** How a whole run went. */
export interface Report {
  readonly role: Role;
  /** The base address of the partner. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ms: number;
  readonly results: readonly Result[];
  /** Why the run ended before its end; absent: it did not. */
  readonly stopped?: string | undefined;
}

/** How many scenarios had which verdict. */
export interface Score extends Readonly<Record<Verdict, number>> {
  /** Of those that apply. */
  readonly counted: number;
}

interface Deps {
  readonly facts: Facts;
  readonly requests: Requests;
  readonly wire: Wire;
}

interface RunOptions {
  readonly target: string;
  readonly tell: (result: Result, done: number) => void;
  /** Asked before each scenario; resolves to why the run is to end here, or to `undefined`. */
  readonly halted?: () => Promise<string | undefined>;
}

/** So many scenarios without any answer, one after the other, and the partner is taken for dead. */
const silencesBorne = 3;

const givenUp = 'the run was given up';

/** Runs scenarios one after the other; the rest is not reported once the partner is given up. Resolves whatever they find. */
export async function runScenarios(scenarios: readonly Scenario[], deps: Deps, { target, tell, halted }: RunOptions): Promise<Report> {
  const startedAt = Date.now();
  const state = new RunState();
  const results: Result[] = [];
  let silences = 0;
  let stopped: string | undefined;
  for (const scenario of scenarios) {
    stopped ??= await halted?.();
    if (stopped !== undefined) {
      results.push({ scenario, verdict: 'not-run', came: [], reason: `${givenUp}: ${stopped}`, ms: 0 });
      continue;
    }
    const bench = new Bench(deps);
    const result = await runOne(scenario, bench, state);
    silences = bench.metSilence ? silences + 1 : bench.came.length > 0 ? 0 : silences;
    if (bench.metSilence && (silences >= silencesBorne || isAbsence(result.reason ?? ''))) stopped = result.reason;
    results.push(result);
    tell(result, results.length);
  }
  return { role: deps.facts.role, target, startedAt, ms: Date.now() - startedAt, results, stopped };
}

async function runOne(scenario: Scenario, bench: Bench, state: RunState): Promise<Result> {
  const began = performance.now();
  const end = (verdict: Verdict, told: Pick<Result, 'reason' | 'fix'> = {}): Result => ({
    ...{ scenario, verdict, came: bench.came, ms: performance.now() - began },
    ...told,
  });
  try {
    await scenario.run(bench, state);
    return end('passed');
  } catch (error) {
    if (error instanceof DoesNotApply) return end('not-applicable', { reason: error.message });
    if (error instanceof Blocked) return end('not-run', { reason: error.message });
    // What proves the service could not be had: a client access token, as yet.
    if (error instanceof DomainError) return end('not-run', { reason: `needs credentials: ${error.code}` });
    if (!(error instanceof Unmet)) throw error;
    return end('failed', { reason: error.message, fix: error.fix ?? scenario.fix });
  }
}

/** Counts the verdicts. */
export function scoreOf({ results }: Pick<Report, 'results'>): Score {
  const count = (wanted: Verdict): number => results.filter(({ verdict }) => verdict === wanted).length;
  const notApplicable = count('not-applicable');
  return {
    passed: count('passed'),
    failed: count('failed'),
    'not-run': count('not-run'),
    'not-applicable': notApplicable,
    counted: results.length - notApplicable,
  };
}

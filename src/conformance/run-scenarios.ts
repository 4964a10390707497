import { DomainError } from '../domain/shared/errors';
import { Bench } from './bench';
import type { ConformanceContext } from './context';
import { isAbsence } from './outcome-checks';
import type { Requests, Role, Transport } from './ports';
import { RunState } from './run-state';
import type { Result, Scenario } from './scenario';
import { Blocked, DoesNotApply, Unmet, type Verdict } from './verdict';

/** The result of a whole run. */
export interface Report {
  readonly role: Role;
  /** The partner's base address. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ms: number;
  readonly results: readonly Result[];
  /** Why the run ended early. Absent when it completed. */
  readonly stopped?: string | undefined;
}

/** The number of scenarios by verdict. */
export interface Score extends Readonly<Record<Verdict, number>> {
  /** Scenarios that apply. */
  readonly counted: number;
}

interface Deps {
  readonly context: ConformanceContext;
  readonly requests: Requests;
  readonly transport: Transport;
}

interface RunOptions {
  readonly target: string;
  readonly onResult: (result: Result, done: number) => void;
  /** Called before each scenario. Resolves to the reason to end the run, or to `undefined`. */
  readonly halted?: () => Promise<string | undefined>;
}

/** After this many scenarios in a row without any answer, the run ends. */
const silencesBorne = 3;

const givenUp = 'the run was given up';

/** Runs scenarios one after the other. After the run is aborted, the rest is not reported. Failed scenarios do not reject the promise. */
export async function runScenarios(scenarios: readonly Scenario[], deps: Deps, { target, onResult, halted }: RunOptions): Promise<Report> {
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
    onResult(result, results.length);
  }
  return { role: deps.context.role, target, startedAt, ms: Date.now() - startedAt, results, stopped };
}

async function runOne(scenario: Scenario, bench: Bench, state: RunState): Promise<Result> {
  const began = performance.now();
  const end = (verdict: Verdict, detail: Pick<Result, 'reason' | 'fix'> = {}): Result => ({
    ...{ scenario, verdict, came: bench.came, ms: performance.now() - began },
    ...detail,
  });
  try {
    await scenario.run(bench, state);
    return end('passed');
  } catch (error) {
    if (error instanceof DoesNotApply) return end('not-applicable', { reason: error.message });
    if (error instanceof Blocked) return end('not-run', { reason: error.message });
    // The service's own credentials (so far only a client access token) were not available.
    if (error instanceof DomainError) return end('not-run', { reason: `needs credentials: ${error.code}` });
    if (!(error instanceof Unmet)) throw error;
    return end('failed', { reason: error.message, fix: error.fix ?? scenario.fix });
  }
}

/** Counts the scenarios by verdict. */
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

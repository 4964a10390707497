import { DomainError } from '../domain/shared/errors';
import { Bench } from './bench';
import type { Facts } from './facts';
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
}

/** So many scenarios without any answer, one after the other, and the partner is taken for dead. */
const silencesBorne = 3;
/** Silences that no later scenario will find otherwise. */
const hopeless = /nothing listens|name of the host/;

/** Runs scenarios one after the other. Resolves whatever they find. */
export async function runScenarios(scenarios: readonly Scenario[], deps: Deps, { target, tell }: RunOptions): Promise<Report> {
  const startedAt = Date.now();
  const state = new RunState();
  const results: Result[] = [];
  let silences = 0;
  let stopped: string | undefined;
  for (const scenario of scenarios) {
    const { result, silent } = stopped === undefined ? await runOne(scenario, new Bench(deps), state) : left(scenario, stopped);
    silences = silent ? silences + 1 : result.came.length > 0 ? 0 : silences;
    if (silent && (silences >= silencesBorne || hopeless.test(result.reason ?? ''))) stopped ??= result.reason;
    results.push(result);
    tell(result, results.length);
  }
  return { role: deps.facts.role, target, startedAt, ms: Date.now() - startedAt, results, stopped };
}

const left = (scenario: Scenario, stopped: string) => ({
  result: { scenario, verdict: 'not-run', came: [], reason: `the run was given up: ${stopped}`, ms: 0 } as const,
  silent: false,
});

async function runOne(scenario: Scenario, bench: Bench, state: RunState): Promise<{ result: Result; silent: boolean }> {
  const began = performance.now();
  const end = (verdict: Verdict, told: Pick<Result, 'reason' | 'fix'> = {}): Result => ({
    ...{ scenario, verdict, came: bench.came, ms: performance.now() - began },
    ...told,
  });
  try {
    await scenario.run(bench, state);
    return { result: end('passed'), silent: false };
  } catch (error) {
    if (error instanceof DoesNotApply) return { result: end('not-applicable', { reason: error.message }), silent: false };
    if (error instanceof Blocked) return { result: end('not-run', { reason: error.message }), silent: false };
    // What proves the service could not be had: a client access token, as yet.
    if (error instanceof DomainError) return { result: end('not-run', { reason: `needs credentials: ${error.code}` }), silent: false };
    if (!(error instanceof Unmet)) throw error;
    return { result: end('failed', { reason: error.message, fix: error.fix ?? scenario.fix }), silent: error.silent };
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

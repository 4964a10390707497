import { registerConform } from '../../../src/composition/commands/conform-command';
import type { ExitCode } from '../../../src/composition/commands/command-io';
import { runCommands } from '../../../src/composition/commands/run-commands';
import { readSettings } from '../../../src/config/settings';

/** What a run of `pierhead conform` said. */
export interface ConformRun {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** One scenario of a JSON report. */
export interface ReportedScenario {
  readonly id: string;
  readonly verdict: 'passed' | 'failed' | 'not_run' | 'not_applicable';
  readonly came: readonly string[];
  readonly reason: string | null;
  readonly fix: string | null;
}

/** Runs the command in this process. */
export async function conform(...args: readonly string[]): Promise<ConformRun> {
  const output = { out: '', err: '' };
  const io = {
    out: (text: string) => void (output.out += text),
    err: (text: string) => void (output.err += text),
    colour: false,
    settings: () => readSettings({}),
    untilStopped: () => new AbortController().signal,
  };
  const code = await runCommands([registerConform], { args: ['conform', ...args], io });
  return { code, ...output };
}

/** The scenarios of a run with `--json`. */
export const scenariosIn = ({ out, err }: ConformRun): readonly ReportedScenario[] => {
  if (!out.startsWith('{')) throw new Error(`no report: ${err}`);
  return (JSON.parse(out) as { scenarios: ReportedScenario[] }).scenarios;
};

/** Those of one verdict, each with its reason. */
export const scenariosWith = (run: ConformRun, verdict: ReportedScenario['verdict']): readonly string[] =>
  scenariosIn(run)
    .filter((scenario) => scenario.verdict === verdict)
    .map(({ id, reason, came }) => (verdict === 'passed' ? id : `${id}: ${reason ?? ''} [${came.join(' | ')}]`));

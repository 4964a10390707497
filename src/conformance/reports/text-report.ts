import { contractLines } from '../contract-lines';
import { scoreOf, type Report } from '../run-scenarios';
import { groupOf, type Result } from '../scenario';
import type { Verdict } from '../verdict';

const marks: Readonly<Record<Verdict, readonly [mark: string, colour: string]>> = {
  passed: ['✓', '32'],
  failed: ['✗', '31'],
  'not-run': ['○', '33'],
  'not-applicable': ['–', '90'],
};

const painted = (text: string, code: string, colour: boolean): string => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);

/** One line with a scenario's result. */
export function lineOf({ scenario: { id, title }, verdict, reason, ms }: Result, colour: boolean): string {
  const [mark, code] = marks[verdict];
  const tail =
    verdict === 'passed' || verdict === 'failed' ? ` (${String(Math.round(ms))} ms)` : ` (${verdict.replace('-', ' ')}: ${reason ?? ''})`;
  return `${painted(mark, code, colour)} ${id.padEnd(36)} ${title}${painted(tail, '90', colour)}`;
}

/** One line with the score. */
export function scoreLine(report: Report): string {
  const { passed, failed, counted, 'not-run': notRun, 'not-applicable': notApplicable } = scoreOf(report);
  const rest = [
    failed && `${String(failed)} failed`,
    notRun && `${String(notRun)} not run`,
    notApplicable && `${String(notApplicable)} do not apply`,
  ];
  const seconds = (report.ms / 1000).toFixed(1);
  return [`${report.role}: ${String(passed)} of ${String(counted)} passed`, ...rest.filter(Boolean), `${seconds} s`].join(', ');
}

/** The report for a terminal: all scenarios by group, failures with reason and fix, and the score. */
export function textReport(report: Report, { colour }: { readonly colour: boolean }): string {
  const lines = [`Conformance of the ${report.role} at ${report.target}`];
  const left = report.stopped === undefined ? [] : report.results.filter(({ verdict, came }) => verdict === 'not-run' && came.length === 0);
  const shown = report.results.filter((result) => !left.includes(result));
  for (const group of new Set(shown.map(({ scenario }) => groupOf(scenario)))) {
    const its = shown.filter(({ scenario }) => groupOf(scenario) === group);
    lines.push('', painted(group, '1', colour), ...groupLines(its, colour).map((line) => `  ${line}`));
  }
  const failures = report.results.filter(({ verdict }) => verdict === 'failed');
  if (failures.length > 0) lines.push('', painted('What failed', '1', colour));
  for (const failure of failures) lines.push('', ...failureLines(failure, colour));
  if (report.stopped !== undefined)
    lines.push('', painted(`The run was given up, with ${String(left.length)} scenarios left: ${report.stopped}`, '33', colour));
  return `${[...lines, '', painted(scoreLine(report), '1', colour)].join('\n')}\n`;
}

/** Merges scenarios that do not apply or did not run for the same reason into one line. */
function groupLines(results: readonly Result[], colour: boolean): string[] {
  const run = results.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed');
  const others = results.filter((result) => !run.includes(result));
  const kinds = new Map<string, Result[]>();
  for (const result of others) {
    const kind = `${result.verdict} ${result.reason ?? ''}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), result]);
  }
  return [
    ...run.map((result) => lineOf(result, colour)),
    ...[...kinds.values()].map((its) => (its.length > 2 ? sumOf(its, colour) : its.map((one) => lineOf(one, colour)).join('\n  '))),
  ];
}

function sumOf(results: readonly Result[], colour: boolean): string {
  const { verdict, reason = '' } = results[0]!;
  const [mark, code] = marks[verdict];
  const what = verdict === 'not-run' ? 'were not run' : 'do not apply';
  return `${painted(mark, code, colour)} ${String(results.length)} scenarios ${what}: ${reason}`;
}

function failureLines({ scenario, came, reason, fix }: Result, colour: boolean): string[] {
  const [section, quote] = contractLines[scenario.line];
  return [
    `${painted('✗', '31', colour)} ${painted(scenario.id, '1', colour)}  ${scenario.title}`,
    `  sent      ${scenario.sent}`,
    `  expected  ${scenario.expected}`,
    `  contract  ${section}: ${quote}`,
    ...came.map((line, i) => `  ${i === 0 ? 'came' : '    '}      ${line}`),
    `  reason    ${reason ?? ''}`,
    `  fix       ${fix ?? ''}`,
  ];
}

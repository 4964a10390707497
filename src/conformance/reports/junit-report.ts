import { contractLines } from '../contract-lines';
import { scoreOf, type Report } from '../run-scenarios';
import { groupOf, type Result } from '../scenario';
import { escaped } from './markup';

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** The report as JUnit XML with a suite per group. A scenario that did not run is an error; one that does not apply is skipped. */
export function junitReport(report: Report): string {
  const score = scoreOf(report);
  const groups = [...new Set(report.results.map(({ scenario }) => groupOf(scenario)))];
  const suites = groups.map((group) => suite(report, group));
  const attributes = `name="conformance of the ${report.role}" tests="${String(report.results.length)}" failures="${String(score.failed)}" errors="${String(score['not-run'])}" skipped="${String(score['not-applicable'])}" time="${seconds(report.ms)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.join('')}</testsuites>\n`;
}

function suite(report: Report, group: string): string {
  const results = report.results.filter(({ scenario }) => groupOf(scenario) === group);
  const score = scoreOf({ results });
  const time = seconds(results.reduce((sum, { ms }) => sum + ms, 0));
  const at = new Date(report.startedAt).toISOString();
  const counts = `tests="${String(results.length)}" failures="${String(score.failed)}" errors="${String(score['not-run'])}" skipped="${String(score['not-applicable'])}"`;
  return `  <testsuite name="${escaped(group)}" ${counts} time="${time}" timestamp="${at}">\n${results.map(testCase).join('')}  </testsuite>\n`;
}

function testCase(result: Result): string {
  const { scenario, ms } = result;
  const head = `    <testcase classname="${escaped(groupOf(scenario))}" name="${escaped(`${scenario.id}: ${scenario.title}`)}" time="${seconds(ms)}"`;
  const inner = outcomeOf(result);
  return inner === '' ? `${head}/>\n` : `${head}>${inner}</testcase>\n`;
}

function outcomeOf({ scenario, verdict, reason = '', fix = '', came }: Result): string {
  if (verdict === 'passed') return '';
  if (verdict === 'not-applicable') return `<skipped message="${escaped(reason)}"/>`;
  if (verdict === 'not-run') return `<error message="${escaped(reason)}"/>`;
  const [section, quote] = contractLines[scenario.line];
  const lines = [
    `sent: ${scenario.sent}`,
    `expected: ${scenario.expected}`,
    `contract: ${section}: ${quote}`,
    ...came.map((line) => `came: ${line}`),
  ];
  return `<failure message="${escaped(reason)}">${escaped([...lines, `fix: ${fix}`].join('\n'))}</failure>`;
}

import { contractLines } from '../contract-lines';
import { scoreOf, type Report } from '../run-scenarios';
import { groupOf, type Result } from '../scenario';
import type { Verdict } from '../verdict';
import { style } from './html-style';
import { escaped } from './markup';

const marks: Readonly<Record<Verdict, readonly [mark: string, word: string]>> = {
  passed: ['✓', 'passed'],
  failed: ['✗', 'failed'],
  'not-run': ['○', 'not run'],
  'not-applicable': ['–', 'does not apply'],
};

/** The report as a self-contained page: no scripts, links or external fonts. */
export function htmlReport(report: Report): string {
  const score = scoreOf(report);
  const title = `Conformance of the ${report.role}`;
  const at = new Date(report.startedAt).toISOString().replace('T', ' ').slice(0, 16);
  const failures = report.results.filter(({ verdict }) => verdict === 'failed');
  const groups = [...new Set(report.results.map(({ scenario }) => groupOf(scenario)))];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: ${String(score.passed)} of ${String(score.counted)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<div class="dim">${escaped(report.target)} · ${at} UTC · ${(report.ms / 1000).toFixed(1)} s</div>
<div class="bar" role="img" aria-label="${String(score.passed)} of ${String(score.counted)} passed">${bar(report)}</div>
<div class="tiles">${tiles(report)}</div>
${report.stopped === undefined ? '' : `<div class="stopped"><b>The run was given up.</b> ${escaped(report.stopped)}</div>`}
${failures.length === 0 ? '' : section('What failed', failures, true)}
${groups.map((group) => section(group, of(report, group), false)).join('\n')}
<footer>Made by pierhead conform. What does not apply to the settings is not counted.</footer>
</main>
</body>
</html>
`;
}

const of = ({ results }: Report, group: string): readonly Result[] => results.filter(({ scenario }) => groupOf(scenario) === group);

function bar(report: Report): string {
  const score = scoreOf(report);
  const part = (verdict: Verdict): string =>
    `<i class="${verdict}" style="width:${((100 * score[verdict]) / Math.max(1, score.counted)).toFixed(2)}%"></i>`;
  return part('passed') + part('failed') + part('not-run');
}

function tiles(report: Report): string {
  const score = scoreOf(report);
  const tile = (verdict: Verdict): string =>
    `<div class="tile"><b class="${verdict}">${String(score[verdict])}</b>${marks[verdict][1]}</div>`;
  return (['passed', 'failed', 'not-run', 'not-applicable'] as const).map(tile).join('');
}

/** Formats text between backticks as code. */
const withCode = (markup: string): string => markup.replace(/`([^`]+)`/g, '<code>$1</code>');

function section(title: string, results: readonly Result[], open: boolean): string {
  const { passed, counted } = scoreOf({ results });
  const small = open ? '' : `<small>${counted === 0 ? 'does not apply' : `${String(passed)} of ${String(counted)}`}</small>`;
  return `<h2>${escaped(title)}${small}</h2>\n<div class="list">${results.map((result) => row(result, open)).join('')}</div>`;
}

function row(result: Result, open: boolean): string {
  const { scenario, verdict, ms, came, reason, fix } = result;
  const [mark, word] = marks[verdict];
  const [where, quote] = contractLines[scenario.line];
  const term = (name: string, text: string, kind = ''): string => `<dt>${name}</dt><dd${kind && ` class="${kind}"`}>${text}</dd>`;
  const terms = [
    term('Sent', escaped(scenario.sent)),
    term('Expected', escaped(scenario.expected)),
    term('Contract', `<b>${escaped(where)}</b>: ${withCode(escaped(quote))}`),
    came.length === 0 ? '' : term('Came', `<pre>${escaped(came.join('\n'))}</pre>`),
    reason === undefined ? '' : term('Reason', escaped(reason), verdict),
    fix === undefined ? '' : term('Fix', escaped(fix), 'fix'),
  ];
  const head = `<span class="${verdict}" title="${word}" aria-label="${word}">${mark}</span><span>${escaped(scenario.title)}<code>${escaped(scenario.id)}</code></span>`;
  const time = verdict === 'passed' || verdict === 'failed' ? `${String(Math.round(ms))} ms` : word;
  return `<details${open ? ' open' : ''}><summary>${head}<span class="ms">${time}</span></summary><dl>${terms.join('')}</dl></details>`;
}

import { contractLines } from '../contract-lines';
import { scoreOf, type Report } from '../run-scenarios';
import { groupOf } from '../scenario';

/** The report as JSON with the same members for every scenario. */
export function jsonReport(report: Report): object {
  const { counted, passed, failed, 'not-run': notRun, 'not-applicable': notApplicable } = scoreOf(report);
  return {
    role: report.role,
    target: report.target,
    started_at: new Date(report.startedAt).toISOString(),
    ms: report.ms,
    stopped: report.stopped ?? null,
    score: { passed, failed, not_run: notRun, not_applicable: notApplicable, counted },
    scenarios: report.results.map(({ scenario, verdict, came, reason, fix, ms }) => {
      const [section, quote] = contractLines[scenario.line];
      return {
        ...{ id: scenario.id, group: groupOf(scenario), title: scenario.title, verdict: verdict.replace('-', '_') },
        ...{ sent: scenario.sent, expected: scenario.expected, contract: { section, quote }, came },
        ...{ reason: reason ?? null, fix: fix ?? null, ms: Math.round(ms) },
      };
    }),
  };
}

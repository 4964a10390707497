import { badge } from '../../conformance/reports/badge';
import { htmlReport } from '../../conformance/reports/html-report';
import { jsonReport } from '../../conformance/reports/json-report';
import { junitReport } from '../../conformance/reports/junit-report';
import type { Report } from '../../conformance/run-scenarios';
import { scenariosOf } from '../../conformance/scenarios/all-scenarios';
import type { ConformanceRun, ReportForm } from '../../domain/conformance/ports';

const forms: Readonly<Record<ReportForm, { readonly type: string; readonly print: (report: Report) => string }>> = {
  json: { type: 'application/json', print: (report) => JSON.stringify(jsonReport(report), null, 2) },
  junit: { type: 'application/xml', print: junitReport },
  html: { type: 'text/html', print: htmlReport },
  badge: { type: 'image/svg+xml', print: badge },
};

/** A stored run in one of the report formats of the command line. Omits scenarios that this version does not have. */
export function reportOf(run: ConformanceRun, form: ReportForm): { readonly type: string; readonly text: string } {
  const { type, print } = forms[form];
  return { type, text: print(reportFrom(run)) };
}

function reportFrom({ request, progress, startedAt, endedAt }: ConformanceRun): Report {
  const scenarios = new Map(scenariosOf(request.role).map((scenario) => [scenario.id, scenario]));
  const results = progress.results.flatMap(({ id, ...result }) => {
    const scenario = scenarios.get(id);
    return scenario ? [{ ...result, scenario }] : [];
  });
  const { target, stopped } = progress;
  return { role: request.role, target, startedAt, ms: (endedAt ?? startedAt) - startedAt, results, stopped };
}

import type { Request } from 'express';
import type {
  ConformanceProgress,
  ConformanceRequest,
  ConformanceResult,
  ConformanceRun,
  PartnerDrive,
} from '../../../../../domain/conformance/ports';
import { conformanceSubject, subjectOfPartner, type StartConformance } from '../../../../../domain/conformance/start-conformance';
import type { LongRuns } from '../../../../../domain/operations/long-runs';
import { runRules, type RunRepository } from '../../../../../domain/operations/ports';
import { requireOwn, scopeOf } from '../http/access';
import { conformanceCalls } from './conformance-calls';
import { conformanceIn } from './conformance.dto';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { type Mount, originOf, pathId, serve } from '../http/serve';

export interface ConformanceRoutesDeps {
  readonly drive: PartnerDrive;
  readonly conformance: StartConformance;
  readonly conformanceRuns: LongRuns<ConformanceRequest, ConformanceProgress>;
  readonly conformanceRepository: RunRepository<ConformanceRequest, ConformanceProgress>;
}

/** Serves the calls about conformance runs. */
export function conformanceRoutes(mount: Mount, deps: ConformanceRoutesDeps): void {
  const { drive, conformance, conformanceRuns, conformanceRepository } = deps;
  const seen = async (req: Request): Promise<ConformanceRun> => {
    const run = await conformanceRepository.find(pathId(req, 'id'));
    if (!run) throw new ManageProblem('not-found');
    requireOwnRun(req, run.request);
    return run;
  };
  serve(mount, conformanceCalls, {
    scenarios: (_req, res, { filter: { role = 'miniapp' } }) => {
      res.json({ data: drive.scenarios(role), next_cursor: null });
    },
    list: async (req, res, { filter, page }) => {
      const subject = requestedSubject(req, filter);
      res.json(await pageOf(page, (request) => conformanceRepository.list(request, subject), { show: runView, cursorOf: ({ id }) => id }));
    },
    start: async (req, res) => {
      const request = await conformanceIn(req);
      requireOwnRun(req, request);
      res.status(202).json(runView(await conformance.execute({ request, ...originOf(req) })));
    },
    get: async (req, res) => {
      res.json(fullView(await seen(req)));
    },
    cancel: async (req, res) => {
      const { id } = await seen(req);
      res.json(runView(await conformanceRuns.cancel({ id, ...originOf(req) })));
    },
    report: async (req, res, { form = 'json' }) => {
      const { type, text } = drive.report(await seen(req), form);
      // A report quotes foreign content, so it must not run with the rights of this origin.
      res.set('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'").type(type).send(text);
    },
  });
}

function requireOwnRun(req: Request, { role, clientId, appId }: ConformanceRequest): void {
  requireOwn(req, role, role === 'host-app' ? clientId : appId);
}

/** The partner whose runs are listed. By default the viewer's own, and all for the operator. */
function requestedSubject(
  req: Request,
  { client_id: clientId, app_id: appId }: { client_id?: string; app_id?: string },
): string | undefined {
  const scope = scopeOf(req);
  if (clientId !== undefined && appId !== undefined) {
    throw new ManageProblem('invalid-content', { errors: [{ path: 'app_id', rule: 'one partner at a time' }] });
  }
  if (clientId !== undefined) return own(req, 'host-app', clientId);
  if (appId !== undefined) return own(req, 'miniapp', appId);
  if (scope.clientId !== undefined) return subjectOfPartner('host-app', scope.clientId);
  return scope.appId === undefined ? undefined : subjectOfPartner('miniapp', scope.appId);
}

function own(req: Request, role: ConformanceRequest['role'], id: string): string {
  requireOwn(req, role, id);
  return subjectOfPartner(role, id);
}

function runView({ id, state, startedAt, endedAt, cancelRequested, request, progress }: ConformanceRun): object {
  const { role, clientId, appId, only } = request;
  const { results, of, target, stopped } = progress;
  return present({
    id,
    state,
    role,
    client_id: clientId,
    app_id: appId,
    partner: conformanceSubject(request),
    only,
    target,
    started_at: timeText(startedAt),
    ended_at: endedAt === undefined ? undefined : timeText(endedAt),
    cancel_requested: cancelRequested,
    scenarios: of,
    done: results.length,
    stopped,
    score: scoreOf(results),
    verdicts: Object.fromEntries(results.map((result) => [result.id, apiVerdict(result.verdict)])),
    kept: runRules.kept,
  });
}

const fullView = (run: ConformanceRun): object => ({
  ...runView(run),
  results: run.progress.results.map((result) => present({ ...result, verdict: apiVerdict(result.verdict) })),
});

const apiVerdict = (verdict: ConformanceResult['verdict']): string => verdict.replace('-', '_');

function scoreOf(results: readonly ConformanceResult[]): object {
  const count = (wanted: ConformanceResult['verdict']): number => results.filter(({ verdict }) => verdict === wanted).length;
  return { passed: count('passed'), failed: count('failed'), not_run: count('not-run'), not_applicable: count('not-applicable') };
}

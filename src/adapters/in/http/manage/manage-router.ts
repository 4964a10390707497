import { type RequestHandler, Router } from 'express';
import { analyticsWarnings } from '../../../../domain/analytics/analytics-signature';
import type { SecretDigestProvider } from '../../../../domain/credentials/ports';
import type { HostApp } from '../../../../domain/partners/host-app';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import type { FindById } from '../../../../domain/search/find-by-id';
import type { IdGenerator } from '../../../../domain/shared/ports';
import type { Secret } from '../../../../domain/shared/secret';
import type { SimulatorGateway } from '../../../../domain/simulation/ports';
import type { ReadTimeline } from '../../../../domain/timeline/read-timeline';
import type { AdvanceTime } from '../../../../domain/timeshift/advance-time';
import type { TimeShiftRepository } from '../../../../domain/timeshift/ports';
import { viewerOf } from './http/access';
import { AnswersInTime } from '../deadlines/answers-in-time';
import { unhurried, watched } from '../deadlines/watched';
import { accountRoutes, type AccountRoutesDeps } from './accounts/account-routes';
import { analyticsRoutes, type AnalyticsRoutesDeps } from './analytics/analytics-routes';
import { auditRoutes, type AuditRoutesDeps } from './audit/audit-routes';
import { credentialSide, type CredentialSideDeps } from './credentials/credential-side';
import { DraftReader } from './partners/draft-reader';
import { evidenceRoutes, type EvidenceRoutesDeps } from './exchanges/evidence-routes';
import { problemRoutes, type ProblemRoutesDeps } from './exchanges/problem-routes';
import { readinessRoutes, type ReadinessRoutesDeps } from './integrations/readiness-routes';
import { figureRoutes, type FigureRoutesDeps } from './figures/figure-routes';
import { flowRoutes, type FlowDeps } from './exchanges/flow-routes';
import { hostAppMapper } from './partners/host-app-mapper';
import { identify } from './http/identify';
import { integrationRoutes, type IntegrationRoutesDeps } from './integrations/integration-routes';
import type { EventStreamHub } from './operations/event-stream-hub';
import type { RefusedSessions } from './limits/refused-sessions';
import { PartnerThrottle } from './limits/partner-throttle';
import { throttleAccounts } from './limits/throttle-accounts';
import { liveRoutes } from './operations/live-routes';
import { miniappMapper } from './partners/miniapp-mapper';
import { operationsSide, type OperationsSideDeps } from './operations/operations-side';
import { partnerRoutes, type PartnerRoutesDeps } from './partners/partner-routes';
import { ManageProblem, problemHandler } from './http/problem';
import type { Mount } from './http/serve';
import { proposalRoutes, type ProposalRoutesDeps } from './integrations/proposal-routes';
import { readerRoutes } from './exchanges/reader-routes';
import { searchRoutes } from './exchanges/search-routes';
import { sandboxRoutes } from './sandbox/sandbox-routes';
import { timelineRoutes } from './exchanges/timeline-routes';
import { sessionRoutes, type SessionRoutesDeps } from './accounts/session-routes';
import { simulatorRoutes } from './sandbox/simulator-routes';
import { refuseForbiddenAddresses, type UrlRules } from './http/url-check';
import { userRoutes, type UserRoutesDeps } from './users/users-routes';

/** Dependencies and settings of the manage API. */
export interface ManageDeps
  extends
    UrlRules,
    FlowDeps,
    CredentialSideDeps,
    UserRoutesDeps,
    IntegrationRoutesDeps,
    ProposalRoutesDeps,
    ReadinessRoutesDeps,
    EvidenceRoutesDeps,
    FigureRoutesDeps,
    ProblemRoutesDeps,
    AuditRoutesDeps,
    AnalyticsRoutesDeps {
  readonly people: SessionRoutesDeps & AccountRoutesDeps;
  readonly readTimeline: ReadTimeline;
  readonly findById: FindById;
  readonly ids: IdGenerator;
  readonly digest: SecretDigestProvider;
  readonly operatorToken: Secret;
  /** Both are set in development only. When absent, time cannot be advanced. */
  readonly timeShift?: TimeShiftRepository | undefined;
  readonly advanceTime?: AdvanceTime | undefined;
  /** Set in development only. When absent, there are no simulated partners. */
  readonly simulators?: SimulatorGateway | undefined;
  /** Absent when only the API is served, without the service around it. */
  readonly operations?: OperationsSideDeps;
  readonly eventStreamHub: EventStreamHub;
  /** Sessions that are refused for a while. */
  readonly refusedSessions: Pick<RefusedSessions, 'add' | 'refuses'>;
  /** The number of processes that serve. */
  readonly workers: number;
  /** Reads the body as bytes. */
  readonly readBody: RequestHandler;
}

/** The complete manage API, from authentication to problem documents; mount it at `/manage/v1`. */
export function manageRouter(deps: ManageDeps): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const { readBody, timeShift, advanceTime } = deps;
  const mount = { router, readBody };
  const refuse = problemHandler(deps.log);
  router.use(requestId(deps.ids), watched(new AnswersInTime(), refuse));
  router.use(takeTheirTime, unhurried);
  router.use(identify({ ...deps, ...deps.people }), throttleAccounts(deps.refusedSessions, PartnerThrottle.ofOneOf(deps.workers)));
  const readUrls = (check: RequestHandler): Mount => ({ router, readBody: Router().use(readBody, check) });
  partnerRoutes(readUrls(refuseForbiddenAddresses(hostAppMapper, deps)), hostAppDeps(deps));
  partnerRoutes(readUrls(refuseForbiddenAddresses(miniappMapper, deps)), miniappDeps(deps));
  integrationRoutes(mount, deps);
  proposalRoutes(mount, deps);
  sessionRoutes(mount, deps.people);
  accountRoutes(mount, deps.people);
  readerRoutes(mount, deps);
  timelineRoutes(mount, deps.readTimeline);
  evidenceRoutes(mount, deps);
  figureRoutes(mount, deps);
  problemRoutes(mount, deps);
  readinessRoutes(mount, deps);
  auditRoutes(mount, deps);
  searchRoutes(mount, deps.findById);
  liveRoutes(mount, deps.eventStreamHub);
  userRoutes(mount, deps);
  credentialSide(mount, deps);
  analyticsRoutes(mount, deps);
  flowRoutes(mount, deps);
  if (deps.operations) operationsSide(mount, deps.operations);
  simulatorRoutes(mount, deps.simulators);
  if (timeShift && advanceTime) sandboxRoutes(mount, { ...deps, timeShift, advanceTime });
  router.use((req) => {
    viewerOf(req);
    throw new ManageProblem('not-found');
  });
  router.use(refuse);
  return router;
}

/** Routes that wait for partners or read a lot by design are exempt from the answer deadline. */
const takeTheirTime = [
  ...['/sandbox', '/audit/verify', '/users/erase', '/users/export'],
  ...['/payments/:id/poll', '/deliveries/:id/request', '/integrations/:client_id/:app_id/readiness/check'],
];

/** Sets the request id (the surrounding app's, the caller's or a new one), and forbids caching. */
const requestId =
  (ids: IdGenerator): RequestHandler =>
  (req, res, next) => {
    const sent = req.headers['x-request-id'];
    const usable = typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent);
    const id: unknown = res.locals['requestId'] ?? (usable ? sent : ids.next());
    res.locals['requestId'] = id;
    res.set({ 'X-Request-Id': String(id), 'Cache-Control': 'no-store' });
    next();
  };

const hostAppDeps = (deps: ManageDeps): PartnerRoutesDeps<HostApp> => ({
  ...{ mapper: hostAppMapper, partners: deps.hostApps, integrations: deps.integrations, useCases: deps.hostAppUseCases },
  drafts: new DraftReader({ ...deps, mapper: hostAppMapper }),
  trafficWarnings: () => Promise.resolve([]),
});

const miniappDeps = (deps: ManageDeps): PartnerRoutesDeps<Miniapp> => ({
  ...{ mapper: miniappMapper, partners: deps.miniapps, integrations: deps.integrations, useCases: deps.miniappUseCases },
  drafts: new DraftReader({ ...deps, mapper: miniappMapper }),
  trafficWarnings: (miniapp) => analyticsWarnings(miniapp, deps.exchanges, deps.clock.now()),
});

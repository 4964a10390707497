import { type RequestHandler, Router } from 'express';
import { analyticsWarnings } from '../../../../domain/analytics/analytics-signature';
import type { TransactionReader } from '../../../../domain/analytics/ports';
import { CredentialIntake } from '../../../../domain/credentials/given-credentials';
import type { ExchangeReader } from '../../../../domain/exchanges/ports';
import type { AuditChain } from '../../../../domain/partners/audit-chain';
import { ChangePartnerSettings } from '../../../../domain/partners/change-partner-settings';
import type { Miniapp } from '../../../../domain/partners/miniapp';
import { Possession } from '../../../../domain/credentials/possession';
import type { Partner, RegistryDeps } from '../../../../domain/partners/partner-draft';
import type { AgreementRepository, AuditReader, PartnerRepository } from '../../../../domain/partners/ports';
import { PromoteCredential } from '../../../../domain/partners/promote-credential';
import { RegisterPartner } from '../../../../domain/partners/register-partner';
import { RemovePartner } from '../../../../domain/partners/remove-partner';
import { RevokeCredential } from '../../../../domain/partners/revoke-credential';
import { RotateCredential } from '../../../../domain/partners/rotate-credential';
import type { RateLimiter } from '../../../../domain/credentials/ports';
import type { EndingCredentials, MuteBook } from '../../../../domain/problems/ports';
import type { EndpointProbe, LiveBook, ProbeBook, ProofBook } from '../../../../domain/readiness/ports';
import type { Figures } from '../../../../domain/figures/ports';
import type { RefreshFigures } from '../../../../domain/figures/refreshes';
import type { IdSource, Log } from '../../../../domain/shared/ports';
import type { Secret } from '../../../../domain/shared/secret';
import { RevokeEvidence } from '../../../../domain/evidence/open-evidence';
import type { EvidenceLinks, EvidenceSigner } from '../../../../domain/evidence/ports';
import { ShareEvidence } from '../../../../domain/evidence/share-evidence';
import { ReadTimeline } from '../../../../domain/timeline/read-timeline';
import { FindById } from '../../../../domain/search/find-by-id';
import type { SimulatorDesk } from '../../../../domain/simulation/ports';
import type { TimeShift } from '../../../../domain/timeshift/ports';
import { viewerOf } from './access';
import { AnswersInTime } from '../deadlines/answers-in-time';
import { unhurried, watched } from '../deadlines/watched';
import { printEvidence } from '../evidence/evidence-document';
import { accountRoutes, type AccountRoutesDeps } from './account-routes';
import { analyticsRoutes } from './analytics-routes';
import { auditRoutes } from './audit-routes';
import { credentialSide, type CredentialSideDeps } from './credential-side';
import { DraftReader } from './draft-reader';
import { evidenceRoutes } from './evidence-routes';
import { problemRoutes } from './problem-routes';
import { readinessRoutes } from './readiness-routes';
import { figureRoutes } from './figure-routes';
import { flowRoutes, type FlowDeps } from './flow-routes';
import { hostAppWire } from './host-app-wire';
import { identify } from './identify';
import { integrationRoutes } from './integration-routes';
import { integrationView } from './integration.dto';
import type { LiveBoard } from './live-board';
import type { RefusedSessions } from './limits/refused-sessions';
import { throttleAccounts } from './limits/throttle-accounts';
import { liveRoutes } from './live-routes';
import { miniappWire } from './miniapp-wire';
import { operationsSide, type OperationsDesk } from './operations-side';
import { partnerRoutes, type PartnerRoutesDeps } from './partner-routes';
import type { PartnerWire } from './partner-wire';
import { ManageProblem, problemHandler } from './problem';
import { proposalRoutes } from './proposal-routes';
import { rawRequestRoutes } from './raw-request-routes';
import { readerRoutes } from './reader-routes';
import { searchRoutes } from './search-routes';
import { sandboxRoutes } from './sandbox-routes';
import { timelineRoutes } from './timeline-routes';
import { sessionRoutes, type SessionRoutesDeps } from './session-routes';
import { simulatorRoutes } from './simulator-routes';
import { refuseForbiddenAddresses, type UrlRules } from './url-check';
import { userRoutes, type UserRoutesDeps } from './users-routes';

/** What the manage API works with: driven ports, and three settings. */
export interface ManageDeps extends UrlRules, FlowDeps, CredentialSideDeps, UserRoutesDeps {
  readonly people: SessionRoutesDeps & AccountRoutesDeps;
  readonly agreements: AgreementRepository;
  readonly limiter: RateLimiter;
  readonly exchanges: ExchangeReader;
  readonly figures: Figures;
  readonly refreshes: RefreshFigures;
  readonly evidenceLinks: EvidenceLinks;
  readonly evidenceSigner: EvidenceSigner;
  readonly mutes: MuteBook;
  readonly endingCredentials: EndingCredentials;
  readonly probes: ProbeBook;
  readonly probe: EndpointProbe;
  readonly proofs: ProofBook;
  readonly live: LiveBook;
  readonly audit: AuditReader;
  readonly auditChain: AuditChain;
  readonly transactions: TransactionReader;
  readonly ids: IdSource;
  readonly log: Log;
  readonly operatorToken: Secret;
  /** Without a slash at its end. */
  readonly publicBaseUrl: string;
  /** In development alone; absent: time cannot be let pass. */
  readonly timeShift?: TimeShift | undefined;
  /** In development alone; absent: there are no simulated partners. */
  readonly simulators?: SimulatorDesk | undefined;
  /** Absent: there is no service around it. */
  readonly operations?: OperationsDesk;
  readonly liveBoard: LiveBoard;
  /** Sessions that are refused for a while. */
  readonly refusedSessions: Pick<RefusedSessions, 'add' | 'refuses'>;
  /** Reads the body as bytes. */
  readonly readBody: RequestHandler;
}

/** The manage API, to be mounted at `/manage/v1`: complete in itself, from the token to the problem documents. */
export function manageRouter(deps: ManageDeps): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const { readBody } = deps;
  const refuse = problemHandler(deps.log);
  router.use(requestId(deps.ids), watched(new AnswersInTime(), refuse));
  router.use(takeTheirTime, unhurried);
  router.use(identify({ ...deps, ...deps.people }), throttleAccounts(deps.refusedSessions));
  const readUrls = (check: RequestHandler): RequestHandler => Router().use(readBody, check);
  partnerRoutes(router, readUrls(refuseForbiddenAddresses(hostAppWire, deps)), partnerDeps(hostAppWire, deps.hostApps, deps));
  partnerRoutes(router, readUrls(refuseForbiddenAddresses(miniappWire, deps)), miniappDeps(deps));
  const agreements = { ...deps, describe: integrationView };
  integrationRoutes(router, readBody, agreements);
  proposalRoutes(router, readBody, agreements);
  sessionRoutes(router, readBody, deps.people);
  accountRoutes(router, readBody, deps.people);
  readerRoutes(router, deps);
  timelineRoutes(router, new ReadTimeline(deps));
  rawRequestRoutes(router, deps);
  const evidence = { ...deps, links: deps.evidenceLinks, signer: deps.evidenceSigner, print: printEvidence };
  evidenceRoutes(router, readBody, { ...evidence, share: new ShareEvidence(evidence), revoke: new RevokeEvidence(evidence) });
  figureRoutes(router, deps);
  problemRoutes(router, readBody, deps);
  readinessRoutes(router, readBody, deps);
  auditRoutes(router, deps);
  searchRoutes(router, new FindById(deps));
  liveRoutes(router, deps.liveBoard);
  userRoutes(router, readBody, deps);
  credentialSide(router, readBody, deps);
  analyticsRoutes(router, deps);
  flowRoutes(router, readBody, deps);
  if (deps.operations) operationsSide(router, readBody, deps.operations);
  simulatorRoutes(router, readBody, deps.simulators);
  if (deps.timeShift) sandboxRoutes(router, readBody, { ...deps, timeShift: deps.timeShift });
  router.use((req) => {
    viewerOf(req);
    throw new ManageProblem('not-found');
  });
  router.use(refuse);
  return router;
}

/** What waits for partners, or has much to read on purpose, is not cut off as what waits for the database is. */
const takeTheirTime = [
  ...['/sandbox', '/audit/verify', '/users/erase', '/users/export'],
  ...['/payments/:id/ask', '/deliveries/:id/request', '/integrations/:clientId/:appId/readiness/check'],
];

/** The request id that the app around has found, or the caller's, or a new one; and nothing here is to be cached. */
const requestId =
  (ids: IdSource): RequestHandler =>
  (req, res, next) => {
    const sent = req.headers['x-request-id'];
    const usable = typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent);
    const id: unknown = res.locals['requestId'] ?? (usable ? sent : ids.next());
    res.locals['requestId'] = id;
    res.set({ 'X-Request-Id': String(id), 'Cache-Control': 'no-store' });
    next();
  };

const miniappDeps = (deps: ManageDeps): PartnerRoutesDeps<Miniapp> => ({
  ...partnerDeps(miniappWire, deps.miniapps, deps),
  trafficWarnings: (miniapp) => analyticsWarnings(miniapp, deps.exchanges, deps.clock.now()),
});

function partnerDeps<P extends Partner>(
  wire: PartnerWire<P>,
  partners: PartnerRepository<P, P['settings']>,
  deps: ManageDeps,
): PartnerRoutesDeps<P> {
  const intake = new CredentialIntake(deps);
  const registry: RegistryDeps<P> = { ...deps, kind: wire.kind, partners, intake, describe: wire.view };
  return {
    wire,
    partners,
    agreements: deps.agreements,
    drafts: new DraftReader({ ...deps, wire }),
    register: new RegisterPartner(registry),
    change: new ChangePartnerSettings(registry),
    remove: new RemovePartner(registry),
    rotate: new RotateCredential({ ...registry, possession: new Possession(deps) }),
    promote: new PromoteCredential(registry),
    revoke: new RevokeCredential(registry),
    trafficWarnings: () => Promise.resolve([]),
  };
}

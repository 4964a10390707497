import { type RequestHandler, Router } from 'express';
import type { TransactionReader } from '../../../../domain/analytics/ports';
import { CredentialIntake } from '../../../../domain/credentials/given-credentials';
import type { AddressBook, KeyImport, KeyMaker, SecretDigest, SecretSource } from '../../../../domain/credentials/ports';
import type { ExplainSignature } from '../../../../domain/credentials/explain/explain-signature';
import type { RefusedRequests } from '../../../../domain/credentials/explain/ports';
import type { DeliveryBook, LaneBook, ResendBook, SharedBell } from '../../../../domain/deliveries/ports';
import type { DraftDelivery } from '../../../../domain/deliveries/draft-delivery';
import { ResendDelivery } from '../../../../domain/deliveries/resend-delivery';
import type { ExchangeReader } from '../../../../domain/exchanges/ports';
import type { AuditChain } from '../../../../domain/partners/audit-chain';
import { ChangePartnerSettings } from '../../../../domain/partners/change-partner-settings';
import { EndIntegration, IntegratePartners } from '../../../../domain/partners/integrate-partners';
import type { Partner, RegistryDeps } from '../../../../domain/partners/partner-draft';
import type {
  AgreementRepository,
  AuditReader,
  HostAppRepository,
  MiniappRepository,
  PartnerRepository,
} from '../../../../domain/partners/ports';
import { PromoteCredential } from '../../../../domain/partners/promote-credential';
import { RegisterPartner } from '../../../../domain/partners/register-partner';
import { RemovePartner } from '../../../../domain/partners/remove-partner';
import { RevokeCredential } from '../../../../domain/partners/revoke-credential';
import { RotateCredential } from '../../../../domain/partners/rotate-credential';
import type { PaymentBook } from '../../../../domain/payments/payment-book';
import type { Clock, IdSource, Log } from '../../../../domain/shared/ports';
import type { Secret } from '../../../../domain/shared/secret';
import { EraseUser, type UserErasure } from '../../../../domain/sso/erase-user';
import type { TimeShift } from '../../../../domain/timeshift/ports';
import { analyticsRoutes } from './analytics-routes';
import { auditRoutes } from './audit-routes';
import { deliveryRequestRoutes } from './delivery-request-routes';
import { deliveryRoutes } from './deliveries-routes';
import { DraftReader } from './draft-reader';
import { hostAppWire } from './host-app-wire';
import { integrationRoutes } from './integration-routes';
import { integrationView } from './integration.dto';
import { laneRoutes } from './lane-routes';
import { miniappWire } from './miniapp-wire';
import { requireOperator } from './operator-auth';
import { partnerRoutes, type PartnerRoutesDeps } from './partner-routes';
import type { PartnerWire } from './partner-wire';
import { paymentRoutes } from './payments-routes';
import { presetRoutes } from './preset-routes';
import { ManageProblem, problemHandler } from './problem';
import { readerRoutes } from './reader-routes';
import { resendRoutes } from './resend-routes';
import { sandboxRoutes } from './sandbox-routes';
import { signatureRoutes } from './signatures-routes';
import { refuseForbiddenAddresses, type UrlRules } from './url-check';
import { removedView, userRoutes } from './users-routes';

/** What the manage API works with: driven ports, and three settings. */
export interface ManageDeps extends UrlRules {
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly agreements: AgreementRepository;
  readonly exchanges: ExchangeReader;
  readonly audit: AuditReader;
  readonly auditChain: AuditChain;
  readonly erasure: UserErasure;
  readonly transactions: TransactionReader;
  readonly payments: PaymentBook;
  readonly deliveries: DeliveryBook;
  readonly resends: ResendBook;
  readonly lanes: LaneBook;
  readonly bell: SharedBell;
  readonly explain: ExplainSignature;
  readonly refused: RefusedRequests;
  readonly digest: SecretDigest;
  readonly secrets: SecretSource;
  readonly keys: KeyImport;
  readonly keyMaker: KeyMaker;
  readonly addresses: AddressBook;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly operatorToken: Secret;
  readonly draftDelivery: DraftDelivery;
  /** In development alone; absent: time cannot be let pass. */
  readonly timeShift?: TimeShift | undefined;
  /** Reads the body as bytes. */
  readonly readBody: RequestHandler;
}

/** The manage API, to be mounted at `/manage/v1`: complete in itself, from the token to the problem documents. */
export function manageRouter(deps: ManageDeps): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const { readBody } = deps;
  router.use(requestId(deps.ids), requireOperator(deps));
  const readUrls = (check: RequestHandler): RequestHandler => Router().use(readBody, check);
  partnerRoutes(router, readUrls(refuseForbiddenAddresses(hostAppWire, deps)), partnerDeps(hostAppWire, deps.hostApps, deps));
  partnerRoutes(router, readUrls(refuseForbiddenAddresses(miniappWire, deps)), partnerDeps(miniappWire, deps.miniapps, deps));
  const agreements = { ...deps, describe: integrationView };
  integrationRoutes(router, readBody, {
    agreements: deps.agreements,
    integrate: new IntegratePartners(agreements),
    end: new EndIntegration(agreements),
  });
  readerRoutes(router, deps);
  auditRoutes(router, deps);
  userRoutes(router, readBody, new EraseUser({ ...deps, describe: removedView }));
  signatureRoutes(router, readBody, deps);
  presetRoutes(router);
  analyticsRoutes(router, deps);
  paymentRoutes(router, deps);
  resendRoutes(router, readBody, { ...deps, book: deps.resends });
  laneRoutes(router, { ...deps, book: deps.lanes });
  deliveryRoutes(router, { book: deps.deliveries, resend: new ResendDelivery({ ...deps, book: deps.deliveries }) });
  deliveryRequestRoutes(router, deps.draftDelivery);
  if (deps.timeShift) sandboxRoutes(router, readBody, { ...deps, timeShift: deps.timeShift });
  router.use(() => {
    throw new ManageProblem('not-found');
  });
  router.use(problemHandler(deps.log));
  return router;
}

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
    drafts: new DraftReader({ wire, addresses: deps.addresses, urlProblem: deps.urlProblem }),
    register: new RegisterPartner(registry),
    change: new ChangePartnerSettings(registry),
    remove: new RemovePartner(registry),
    rotate: new RotateCredential(registry),
    promote: new PromoteCredential(registry),
    revoke: new RevokeCredential(registry),
  };
}

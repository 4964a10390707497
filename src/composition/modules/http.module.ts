import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { AnalyticsController } from '../../adapters/in/http/api/analytics.controller';
import { ConsentController } from '../../adapters/in/http/api/consent.controller';
import { EventsController } from '../../adapters/in/http/api/events.controller';
import { OrdersController } from '../../adapters/in/http/api/orders.controller';
import { PartnerLoginController } from '../../adapters/in/http/api/partner-login.controller';
import { SignOnController } from '../../adapters/in/http/api/sign-on.controller';
import { createApp } from '../../adapters/in/http/app';
import { BodyReader } from '../../adapters/in/http/admission/body-reader';
import { readBytes } from '../../adapters/in/http/reading/body';
import { AnswersInTime } from '../../adapters/in/http/deadlines/answers-in-time';
import { TurnEndScheduler } from '../../adapters/in/http/admission/turn-end-scheduler';
import { callerAddress } from '../../adapters/in/http/reading/caller-address';
import { dashboardRouter } from '../../adapters/in/http/dashboard';
import { docsRouter } from '../../adapters/in/http/docs/docs-router';
import { decodeBasic } from '../../adapters/in/http/reading/decode-basic';
import { evidenceRouter } from '../../adapters/in/http/evidence/evidence-router';
import { EventStreamHub } from '../../adapters/in/http/manage/operations/event-stream-hub';
import { manageRouter } from '../../adapters/in/http/manage/manage-router';
import { Overload } from '../../adapters/in/http/admission/overload';
import { processorTime } from '../../adapters/in/http/admission/processor-time';
import type { CountRequest } from '../../adapters/in/http/request-context';
import { apiRoutes } from '../../adapters/in/http/routes';
import { approvedMiniappsRouter } from '../../adapters/in/http/miniapp-list/approved-miniapps';
import { wellKnownRouter } from '../../adapters/in/http/well-known';
import { SignatureFailures } from '../../domain/credentials/signing/signature-failures';
import { longWork } from '../../adapters/json/turns';
import { PostgresChangeReader } from '../../adapters/out/postgres/changes/postgres-change-reader';
import { Secret } from '../../domain/shared/secret';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** The folder of the built dashboard, beside the compiled code. */
const dashboardFolder = join(__dirname, '../../../web/dashboard');

/** The project's docs folder, found from the source or from the build. */
const docsFolder = [join(__dirname, '../../../docs'), join(__dirname, '../../../../docs')].find((folder) => existsSync(folder)) ?? '';

/** The inbound side: checks, controllers, routes, and the application around them. */
export const httpSide = new ContainerModule(({ bind }) => {
  provide(
    bind,
    T.checkTools,
    {
      ...{ digest: T.digest, limiter: T.limiter, addresses: T.addresses, settings: T.settings },
      ...{ providers: T.signingProviders, signatureText: T.signatureText, nonces: T.nonceRepository, uses: T.credentialUses },
    },
    ({ settings: { platformAddresses, publicBaseUrl, signatureWindowS: windowS }, ...tools }) => {
      const failures = new SignatureFailures(tools.limiter);
      return { ...tools, failures, longWork, decodeBasic, platformAddresses, publicBaseUrl, windowS };
    },
  );
  provide(bind, T.signOnController, { connectUser: T.connectUser, authorizeUser: T.authorizeUser }, (deps) => new SignOnController(deps));
  provide(bind, T.consentController, { readConsent: T.readConsent, changeConsent: T.changeConsent }, (deps) => new ConsentController(deps));
  provide(
    bind,
    T.ordersController,
    { createOrderPayment: T.createOrderPayment, getPaymentStatus: T.getPaymentStatus, completeOrder: T.completeOrder },
    (deps) => new OrdersController(deps),
  );
  provide(bind, T.partnerLoginController, { loginWithPayload: T.loginWithPayload }, (deps) => new PartnerLoginController(deps));
  provide(bind, T.eventsController, { relayEvent: T.relayEvent }, (deps) => new EventsController(deps));
  provide(bind, T.analyticsController, { recordTransactions: T.recordTransactions }, (deps) => new AnalyticsController(deps));
  provide(
    bind,
    T.apiTools,
    {
      ...{ admit: T.admitCall, limiter: T.limiter, exchanges: T.exchangeLog, keepRefused: T.keepRefused, store: T.idempotency },
      ...{ clock: T.clock, ids: T.ids, log: T.log, settings: T.settings, addresses: T.addresses },
      ...{ bodies: T.bodies, overload: T.overload, tracing: T.tracing },
    },
    ({ store, settings, addresses, ...tools }) => {
      const { exposeExceptions } = settings;
      return {
        ...tools,
        exposeExceptions,
        addressOf: callerAddress(settings.trustedProxies, addresses),
        idempotency: { store, clock: tools.clock, log: tools.log, exposeExceptions },
        timeoutMs: { sso: settings.ssoTimeoutMs, payment: settings.paymentTimeoutMs },
        inTime: new AnswersInTime(),
        turnEnd: new TurnEndScheduler(),
      };
    },
  );
  const published = { keys: T.publishedKeys, signer: T.evidenceSigner, tools: T.apiTools, settings: T.settings };
  provide(bind, T.wellKnown, published, ({ keys, signer, tools, settings }) => {
    const { publicBaseUrl: issuer, egressAddresses } = settings;
    return wellKnownRouter({ ...tools, keys, evidenceKeys: () => signer.publicKeys(), issuer, egressAddresses });
  });
  provide(bind, T.miniappList, { approvedMiniapps: T.approvedMiniapps, tools: T.apiTools }, ({ approvedMiniapps, tools }) =>
    approvedMiniappsRouter({ ...tools, approvedMiniapps }),
  );
  provide(bind, T.evidence, { open: T.openEvidence, tools: T.apiTools }, ({ open, tools }) => evidenceRouter({ ...tools, open }));
  provide(
    bind,
    T.overload,
    { database: T.poolGauge, partners: T.partnerIsolation, log: T.log, settings: T.settings },
    ({ database, partners, log, settings: { shedding: sheds } }) =>
      new Overload({ database, partners, now: () => performance.now(), computed: processorTime, sheds, log }),
  );
  provide(bind, T.bodies, { log: T.log, settings: T.settings }, ({ log, settings: { bodyLimit: limit } }) => {
    return new BodyReader({ limit, log, now: () => performance.now() });
  });
  provide(
    bind,
    T.app,
    {
      ...{
        signOn: T.signOnController,
        consent: T.consentController,
        partnerLogin: T.partnerLoginController,
        orders: T.ordersController,
        events: T.eventsController,
        analytics: T.analyticsController,
        tools: T.apiTools,
        manage: T.manage,
        miniappList: T.miniappList,
        wellKnown: T.wellKnown,
        evidence: T.evidence,
      },
      ...{
        refusedSessions: T.refusedSessions,
        readiness: T.readiness,
        warnings: T.warnings,
        settings: T.settings,
        counts: T.callCounts,
      },
    },
    ({ signOn, consent, partnerLogin, orders, events, analytics, settings, counts, ...deps }) => {
      const count: CountRequest | undefined = settings.metricsPort === 0 ? undefined : (...answer) => counts.request(...answer);
      const dashboard = settings.dashboard ? dashboardRouter(dashboardFolder) : undefined;
      const docs = settings.docs ? docsRouter(docsFolder) : undefined;
      const routes = apiRoutes({ signOn, consent, partnerLogin, orders, events, analytics });
      return createApp({ ...deps, routes, docs, dashboard, count });
    },
  );
});

/** The whole manage API. */
export const manageSide = new ContainerModule(({ bind }) => {
  provide(bind, T.eventStreamHub, { db: T.db, clock: T.clock, log: T.log, sessions: T.useSession }, ({ db, clock, log, sessions }) => {
    const living = (digests: readonly string[]) => sessions.living(digests);
    return new EventStreamHub({ watch: new PostgresChangeReader({ db, clock }), living, log, now: () => performance.now() });
  });
  provide(
    bind,
    T.manage,
    {
      ...{
        useCases: T.manageUseCases,
        hostAppUseCases: T.hostAppUseCases,
        miniappUseCases: T.miniappUseCases,
        explain: T.explainSignature,
        draftDelivery: T.draftDelivery,
        pollPaymentNow: T.pollPaymentNow,
        intake: T.credentialIntake,
      },
      ...{
        people: T.people,
        hostApps: T.hostApps,
        miniapps: T.miniapps,
        integrations: T.integrations,
        users: T.userRecordRepository,
        payments: T.paymentRecordRepository,
        deliveries: T.deliveryRepository,
        resends: T.resendRepository,
        queues: T.endpointQueueRepository,
        exchanges: T.exchangeReader,
        evidenceLinks: T.evidenceLinks,
        endingCredentials: T.endingCredentials,
        audit: T.auditReader,
        auditChain: T.auditChain,
        transactions: T.transactionReader,
        paymentFigures: T.paymentFigures,
        deliveryFigures: T.deliveryFigures,
        refreshes: T.refreshRepository,
        callers: T.callerRepository,
        dryRuns: T.dryRunRepository,
        refused: T.refusedRequests,
        timeShift: T.timeShift,
      },
      ...{ digest: T.digest, keys: T.publicKeyReader, addresses: T.addresses, cipher: T.payloadCipher, limiter: T.limiter },
      ...{ eventStreamHub: T.eventStreamHub, refusedSessions: T.refusedSessions },
      ...{ operations: T.operationsSideDeps, simulators: T.simulators },
      ...{ tools: T.apiTools, settings: T.settings },
      ...{ clock: T.clock, ids: T.ids, log: T.log, guard: T.outboundGuard, operatorToken: T.operatorToken, bodies: T.bodies },
    },
    ({ useCases, guard, operatorToken, bodies, tools: { addressOf }, settings, ...deps }) => {
      const { trustedProxies, platformAddresses, publicBaseUrl, workers } = settings;
      const network = { addressOf, trustedProxies, platformAddresses, publicBaseUrl, workers };
      const urls = {
        allowHttp: settings.plainHttpToPartners,
        urlProblem: (url: string) => guard.urlProblem(url),
        addressProblem: (url: string) => guard.addressProblem(url),
      };
      const access = { operatorToken: new Secret(operatorToken), readBody: readBytes(bodies) };
      return manageRouter({ ...deps, ...useCases, ...urls, ...network, ...access });
    },
  );
});

import { ContainerModule } from 'inversify';
import { AnalyticsController } from '../adapters/in/http/api/analytics.controller';
import { ConsentController } from '../adapters/in/http/api/consent.controller';
import { EventsController } from '../adapters/in/http/api/events.controller';
import { OrdersController } from '../adapters/in/http/api/orders.controller';
import { PartnerLoginController } from '../adapters/in/http/api/partner-login.controller';
import { SignOnController } from '../adapters/in/http/api/sign-on.controller';
import { createApp } from '../adapters/in/http/app';
import { BodiesUnderWay } from '../adapters/in/http/bodies-under-way';
import { readBytes } from '../adapters/in/http/body';
import { callerAddress } from '../adapters/in/http/caller-address';
import { decodeBasic } from '../adapters/in/http/decode-basic';
import { manageRouter } from '../adapters/in/http/manage/manage-router';
import { Overload } from '../adapters/in/http/overload';
import { apiRoutes } from '../adapters/in/http/routes';
import { wellKnownRouter } from '../adapters/in/http/well-known';
import { PoolGauge } from '../adapters/out/postgres/pool-gauge';
import { Secret } from '../domain/shared/secret';
import { provide } from './token';
import { T } from './tokens';

/** The inbound side: checks, controllers, routes, and the application around them. */
export const httpSide = new ContainerModule(({ bind }) => {
  provide(
    bind,
    T.checkTools,
    {
      ...{ digest: T.digest, limiter: T.limiter, addresses: T.addresses, settings: T.settings },
      ...{ providers: T.signingProviders, signatureText: T.signatureText, nonces: T.nonceLedger, uses: T.credentialUses },
    },
    ({ settings: { platformAddresses, publicBaseUrl, signatureWindowS: windowS }, ...tools }) => {
      return { ...tools, decodeBasic, platformAddresses, publicBaseUrl, windowS };
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
    T.routeTools,
    {
      ...{ admit: T.admitCall, limiter: T.limiter, exchanges: T.exchangeLog, keepRefused: T.keepRefused, ledger: T.idempotency },
      ...{ clock: T.clock, ids: T.ids, log: T.log, settings: T.settings, addresses: T.addresses },
    },
    ({ ledger, log, settings, addresses, ...tools }) => ({
      ...tools,
      addressOf: callerAddress(settings.trustedProxies, addresses),
      idempotency: { ledger, clock: tools.clock, log, exposeExceptions: settings.exposeExceptions },
      timeoutMs: { sso: settings.ssoTimeoutMs, payment: settings.paymentTimeoutMs },
    }),
  );
  provide(bind, T.wellKnown, { keys: T.publishedKeys, tools: T.routeTools, settings: T.settings }, ({ keys, tools, settings }) => {
    const { publicBaseUrl: issuer, egressAddresses } = settings;
    return wellKnownRouter({ ...tools, keys, issuer, egressAddresses });
  });
  provide(bind, T.overload, { db: T.db, log: T.log, settings: T.settings }, ({ db, log, settings: { shedding: sheds } }) => {
    const computed = (): number => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    return new Overload({ database: new PoolGauge(db), now: () => performance.now(), computed, sheds, log });
  });
  provide(bind, T.readBody, { log: T.log, settings: T.settings }, ({ log, settings: { bodyLimit } }) =>
    readBytes(bodyLimit, new BodiesUnderWay({ log, now: () => performance.now() })),
  );
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
        tools: T.routeTools,
        manage: T.manage,
        wellKnown: T.wellKnown,
      },
      ...{ readiness: T.readiness, overload: T.overload, readBody: T.readBody, log: T.log, settings: T.settings },
    },
    ({ signOn, consent, partnerLogin, orders, events, analytics, settings, ...deps }) => {
      const { exposeExceptions } = settings;
      const routes = apiRoutes({ signOn, consent, partnerLogin, orders, events, analytics });
      return createApp({ ...deps, routes, exposeExceptions });
    },
  );
});

/** The manage API, whole. */
export const manageSide = new ContainerModule(({ bind }) => {
  provide(
    bind,
    T.manage,
    {
      ...{
        hostApps: T.hostApps,
        miniapps: T.miniapps,
        agreements: T.agreements,
        exchanges: T.exchangeReader,
        audit: T.auditReader,
        auditChain: T.auditChain,
        erasure: T.userErasure,
        transactions: T.transactionReader,
      },
      ...{ payments: T.paymentBook, deliveries: T.deliveryBook, resends: T.resendBook, lanes: T.laneBook, bell: T.inProcessBell },
      ...{ explain: T.explainSignature, refused: T.refusedRequests, timeShift: T.timeShift, draftDelivery: T.draftDelivery },
      ...{ digest: T.digest, secrets: T.secretSource, keys: T.keyImport, keyMaker: T.keyMaker, addresses: T.addresses },
      ...{ clock: T.clock, ids: T.ids, log: T.log, guard: T.outboundGuard, operatorToken: T.operatorToken, readBody: T.readBody },
    },
    ({ guard, operatorToken, ...deps }) => {
      const urls = { urlProblem: (url: string) => guard.urlProblem(url), addressProblem: (url: string) => guard.addressProblem(url) };
      return manageRouter({ ...deps, ...urls, operatorToken: new Secret(operatorToken) });
    },
  );
});

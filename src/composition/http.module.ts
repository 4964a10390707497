import { ContainerModule } from 'inversify';
import { AnalyticsController } from '../adapters/in/http/api/analytics.controller';
import { ConsentController } from '../adapters/in/http/api/consent.controller';
import { EventsController } from '../adapters/in/http/api/events.controller';
import { OrdersController } from '../adapters/in/http/api/orders.controller';
import { PartnerLoginController } from '../adapters/in/http/api/partner-login.controller';
import { SignOnController } from '../adapters/in/http/api/sign-on.controller';
import { createApp } from '../adapters/in/http/app';
import { decodeBasic } from '../adapters/in/http/decode-basic';
import { manageRouter } from '../adapters/in/http/manage/manage-router';
import { apiRoutes } from '../adapters/in/http/routes';
import { Secret } from '../domain/shared/secret';
import { provide } from './token';
import { T } from './tokens';

/** The inbound side: checks, controllers, routes, and the application around them. */
export const httpSide = new ContainerModule(({ bind }) => {
  provide(
    bind,
    T.checkTools,
    { digest: T.digest, limiter: T.limiter, addresses: T.addresses, settings: T.settings },
    ({ settings, ...tools }) => ({ ...tools, decodeBasic, platformAddresses: settings.platformAddresses }),
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
      ...{ admit: T.admitCall, limiter: T.limiter, exchanges: T.exchangeLog, ledger: T.idempotency },
      ...{ clock: T.clock, ids: T.ids, log: T.log, settings: T.settings },
    },
    ({ ledger, log, settings, ...tools }) => ({
      ...tools,
      idempotency: { ledger, clock: tools.clock, log, exposeExceptions: settings.exposeExceptions },
      timeoutMs: { sso: settings.ssoTimeoutMs, payment: settings.paymentTimeoutMs },
    }),
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
      },
      ...{ readiness: T.readiness, addresses: T.addresses, log: T.log, settings: T.settings },
    },
    ({ signOn, consent, partnerLogin, orders, events, analytics, settings, ...deps }) => {
      const { trustedProxies, bodyLimit, exposeExceptions } = settings;
      const routes = apiRoutes({ signOn, consent, partnerLogin, orders, events, analytics });
      return createApp({ ...deps, routes, trustedProxies, bodyLimit, exposeExceptions });
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
        transactions: T.transactionReader,
      },
      ...{ payments: T.paymentBook, deliveries: T.deliveryBook, bell: T.deliveryBell },
      ...{ digest: T.digest, secrets: T.secretSource, keys: T.keyImport, keyMaker: T.keyMaker, addresses: T.addresses },
      ...{ clock: T.clock, ids: T.ids, log: T.log, guard: T.outboundGuard, operatorToken: T.operatorToken, settings: T.settings },
    },
    ({ guard, operatorToken, settings, ...deps }) => {
      const given = { urlProblem: (url: string) => guard.urlProblem(url), operatorToken: new Secret(operatorToken) };
      return manageRouter({ ...deps, ...given, bodyLimit: settings.bodyLimit });
    },
  );
});

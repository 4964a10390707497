import type { CredentialPolicy } from '../../../domain/credentials/credential-policy';
import type { AnalyticsController } from './api/analytics.controller';
import { MiniappTransactionsDto } from './api/analytics.dto';
import { SaveConsentDto, UserOfPairDto } from './api/consent.dto';
import type { ConsentController } from './api/consent.controller';
import type { EventsController } from './api/events.controller';
import { EventDto } from './api/events.dto';
import { CompleteOrderDto, CreateOrderPaymentDto, GetPaymentStatusDto } from './api/orders.dto';
import type { OrdersController } from './api/orders.controller';
import { MiniappSettingsDto, miniappSettings } from './api/miniapp-settings';
import type { PartnerLoginController } from './api/partner-login.controller';
import { PartnerLoginDto } from './api/partner-login.dto';
import { AuthorizeDto, ConnectDto } from './api/sign-on.dto';
import type { SignOnController } from './api/sign-on.controller';
import { track, TrackDto } from './api/track';
import { type RequestHandler, Router } from 'express';
import type { Action, ApiRoute, ApiTools } from './api/api-route';
import * as steps from './api/steps';
import { browsers } from './browsers';
import { wrongMethod } from './wrong-method';

/** The host app's checks that are on; none on: open, as specified. */
const hostAppsChecks: CredentialPolicy = { caller: 'host-app', basic: 'as-set', whenEmpty: 'open' };
/** The miniapp's signature and allowlist: each that is on must pass, and with neither the call is refused. */
const miniappsChecks: CredentialPolicy = { caller: 'miniapp', basic: 'never', whenEmpty: 'refused' };
/** The miniapp's App ID and Secret key always, then its signature, where it must be sent or is, and allowlist, where they are on. */
const miniappsBasic: CredentialPolicy = { caller: 'miniapp', basic: 'always', signature: 'when-sent', whenEmpty: 'open' };
/** Neither Basic, signature nor allowlist, whatever the apps have on: a browser calls. */
const noChecks: CredentialPolicy = { caller: 'anyone', basic: 'never', whenEmpty: 'open' };

/** How a call comes in: from a back end, or from a page in a browser. */
type Way = Pick<ApiRoute, 'input' | 'fromBrowsers' | 'recorded' | 'deadline' | 'shed' | 'invalidCode'>;
const fromServer: Way = { input: 'body', fromBrowsers: false, recorded: true, deadline: 'sso', shed: 'next' };
/** A back end's call about an order: fields have a code of their own, and a host app may take its time. */
const aboutOrders: Way = { ...fromServer, deadline: 'payment', invalidCode: 'INVALID_ORDER_DATA' };
/** How a payment ended: refused last of all. */
const aboutResults: Way = { ...aboutOrders, shed: 'last' };
/** A back end's event: its fields have a code of their own too, and its receiver as much time. */
const aboutEvents: Way = { ...fromServer, deadline: 'payment', invalidCode: 'INVALID_EVENT_DATA' };
const fromBrowser: Way = { input: 'body', fromBrowsers: true, recorded: true, deadline: 'sso', shed: 'next' };
/** The ids stand in headers, the body is one record or a list, and both can be sent again later. */
const byHeaders: Way = { ...fromServer, input: 'headers', shed: 'first' };
/** A browser only asks, or tells: nothing is relayed, so no exchange is left behind. */
const asked: Way = { ...fromBrowser, input: 'query', recorded: false };
const told: Way = { ...fromBrowser, recorded: false, shed: 'first' };

export interface Controllers {
  readonly signOn: SignOnController;
  readonly consent: ConsentController;
  readonly partnerLogin: PartnerLoginController;
  readonly orders: OrdersController;
  readonly events: EventsController;
  readonly analytics: AnalyticsController;
}

/** Every endpoint under /api/v1, read left to right: how it comes in, what its caller must prove, its body, its action. */
export function apiRoutes({ signOn, consent, partnerLogin, orders, events, analytics }: Controllers): readonly ApiRoute[] {
  const revocable = { ...hostAppsChecks, waivedByPublicRevoke: true };
  const ofMiniapp: CredentialPolicy = { ...miniappsChecks, feature: 'payments' };
  const eventOfMiniapp: CredentialPolicy = { ...miniappsChecks, feature: 'events' };
  const eventOfHostApp: CredentialPolicy = { ...eventOfMiniapp, hostApp: { basic: 'as-set', whenEmpty: 'refused' } };
  const ofHostApp: CredentialPolicy = { ...hostAppsChecks, feature: 'payments' };
  return [
    route('connect', 'POST /connect', fromServer, { ...hostAppsChecks, feature: 'sso' }, ConnectDto, signOn.connect),
    route('authorize', 'POST /authorize', fromBrowser, { ...noChecks, feature: 'sso' }, AuthorizeDto, signOn.authorize),
    route('partner/login', 'POST /partner/login', fromBrowser, { ...noChecks, feature: 'sso' }, PartnerLoginDto, partnerLogin.login),
    route('get_consent', 'GET /accounts/consent/get_consent', asked, noChecks, UserOfPairDto, consent.read),
    route('save_consent', 'POST /accounts/consent/save_consent', fromServer, hostAppsChecks, SaveConsentDto, consent.save),
    route('revoke', 'POST|DELETE /accounts/consent/revoke', { ...fromServer, input: 'either' }, revocable, UserOfPairDto, consent.revoke),
    route('settings', 'GET /miniapps/:app_id/settings', asked, noChecks, MiniappSettingsDto, miniappSettings),
    route('create_order_payment', 'POST /orders/create-order-payment', aboutOrders, ofMiniapp, CreateOrderPaymentDto, orders.create),
    route('get_payment_status', 'POST /orders/get-payment-status', aboutOrders, ofMiniapp, GetPaymentStatusDto, orders.status),
    route('complete_order', 'POST /orders/complete-order', aboutResults, ofHostApp, CompleteOrderDto, orders.complete),
    route('hostapp_event', 'POST /events/hostapp /event-bridge/hostapp', aboutEvents, eventOfHostApp, EventDto, events.fromHostApp),
    route('miniapp_event', 'POST /events/miniapp /event-bridge/miniapp', aboutEvents, eventOfMiniapp, EventDto, events.fromMiniapp),
    route(
      'miniapp_transactions',
      'POST /analytics/miniapp-transactions',
      byHeaders,
      miniappsBasic,
      MiniappTransactionsDto,
      analytics.record,
    ),
    route('track', 'POST /analytics/track', told, noChecks, TrackDto, track),
  ];
}

/** The steps of a call, in their order. Each may refuse: then the error handler answers, and no later step runs. */
const stepsOf = (route: ApiRoute, tools: ApiTools): RequestHandler[] =>
  [
    steps.nameCall,
    steps.recordExchange,
    steps.readBody,
    steps.startDeadline,
    steps.startTogether,
    steps.readRequest,
    steps.readInput,
    steps.limitBrowsers,
    steps.authenticate,
    steps.readFields,
    steps.act,
  ].map((step) => step(route, tools));

/** All routes, each with and without its final slash, never redirected. Another method gets METHOD_NOT_ALLOWED. */
export function apiRouter(routes: readonly ApiRoute[], tools: ApiTools): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    const path = router.route(route.paths.flatMap((one) => [`/api/v1${one}`, `/api/v1${one}/`]));
    if (route.fromBrowsers) path.all(browsers);
    for (const method of route.methods) path[methodName[method]](...stepsOf(route, tools));
    path.all(wrongMethod(route.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}

const methodName = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

/** `at`: methods joined by `|`, then the paths. */
function route<Facts extends object>(
  call: string,
  at: `${string} /${string}`,
  way: Way,
  policy: CredentialPolicy,
  Facts: new () => Facts,
  action: Action<Facts>,
): ApiRoute {
  const [methods = '', ...paths] = at.split(' ');
  const declared: ApiRoute<Facts> = { call, methods: methods.split('|') as ApiRoute['methods'], paths, ...way, policy, Facts, action };
  // Facts and action of one route belong together; in the list of all of them their type is of no use.
  return declared as unknown as ApiRoute;
}

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
import { wrongMethod } from './reading/wrong-method';

/** Enabled checks of the host app must pass. With none enabled, calls are open, as the contract specifies. */
const hostAppChecks: CredentialPolicy = { caller: 'host-app', basic: 'as-set', whenEmpty: 'open' };
/** The miniapp's signature and allowlist: each enabled check must pass; with neither enabled the call is refused. */
const miniappChecks: CredentialPolicy = { caller: 'miniapp', basic: 'never', whenEmpty: 'refused' };
/**
 * App ID and Secret key of the miniapp are always required. Its signature is checked when it is required or sent, its allowlist when it is
 * enabled.
 */
const miniappBasic: CredentialPolicy = { caller: 'miniapp', basic: 'always', signature: 'when-sent', whenEmpty: 'open' };
/** No Basic credentials, signature or allowlist, whatever the apps have enabled: a browser calls. */
const noChecks: CredentialPolicy = { caller: 'anyone', basic: 'never', whenEmpty: 'open' };

type RouteOptions = Pick<ApiRoute, 'input' | 'fromBrowsers' | 'recorded' | 'deadline' | 'shed' | 'invalidCode'>;
/** A call from a partner's back end. */
const backendCall: RouteOptions = { input: 'body', fromBrowsers: false, recorded: true, deadline: 'sso', shed: 'next' };
/** A back-end call about an order: invalid fields have their own error code, and the payment deadline applies. */
const orderCall: RouteOptions = { ...backendCall, deadline: 'payment', invalidCode: 'INVALID_ORDER_DATA' };
/** The result of a payment; shed last under overload. */
const paymentResult: RouteOptions = { ...orderCall, shed: 'last' };
/** A back-end event: invalid fields have their own error code, and the payment deadline applies. */
const eventCall: RouteOptions = { ...backendCall, deadline: 'payment', invalidCode: 'INVALID_EVENT_DATA' };
/** A call from a page in a browser. */
const browserCall: RouteOptions = { input: 'body', fromBrowsers: true, recorded: true, deadline: 'sso', shed: 'next' };
/** Analytics from a back end: the ids are in headers. It is shed first because it can be sent again later. */
const analyticsReport: RouteOptions = { ...backendCall, input: 'headers', shed: 'first' };
/** A browser's read with query parameters. Nothing is relayed, so no exchange is recorded. */
const browserQuery: RouteOptions = { ...browserCall, input: 'query', recorded: false };
/** A browser's report whose answer nobody waits for. Nothing is relayed, so no exchange is recorded. */
const browserReport: RouteOptions = { ...browserCall, recorded: false, shed: 'first' };

export interface Controllers {
  readonly signOn: SignOnController;
  readonly consent: ConsentController;
  readonly partnerLogin: PartnerLoginController;
  readonly orders: OrdersController;
  readonly events: EventsController;
  readonly analytics: AnalyticsController;
}

/** Every endpoint under /api/v1: name, methods and paths, options, credential policy, DTO, action. */
export function apiRoutes({ signOn, consent, partnerLogin, orders, events, analytics }: Controllers): readonly ApiRoute[] {
  const revocable = { ...hostAppChecks, waivedByPublicRevoke: true };
  const miniappPayments: CredentialPolicy = { ...miniappChecks, feature: 'payments' };
  const miniappEvents: CredentialPolicy = { ...miniappChecks, feature: 'events' };
  const hostAppEvents: CredentialPolicy = { ...miniappEvents, hostApp: { basic: 'as-set', whenEmpty: 'refused' } };
  const hostAppPayments: CredentialPolicy = { ...hostAppChecks, feature: 'payments' };
  return [
    route('connect', 'POST /connect', backendCall, { ...hostAppChecks, feature: 'sso' }, ConnectDto, signOn.connect),
    route('authorize', 'POST /authorize', browserCall, { ...noChecks, feature: 'sso' }, AuthorizeDto, signOn.authorize),
    route('partner/login', 'POST /partner/login', browserCall, { ...noChecks, feature: 'sso' }, PartnerLoginDto, partnerLogin.login),
    route('get_consent', 'GET /accounts/consent/get_consent', browserQuery, noChecks, UserOfPairDto, consent.read),
    route('save_consent', 'POST /accounts/consent/save_consent', backendCall, hostAppChecks, SaveConsentDto, consent.save),
    route('revoke', 'POST|DELETE /accounts/consent/revoke', { ...backendCall, input: 'either' }, revocable, UserOfPairDto, consent.revoke),
    route('settings', 'GET /miniapps/:app_id/settings', browserQuery, noChecks, MiniappSettingsDto, miniappSettings),
    route('create_order_payment', 'POST /orders/create-order-payment', orderCall, miniappPayments, CreateOrderPaymentDto, orders.create),
    route('get_payment_status', 'POST /orders/get-payment-status', orderCall, miniappPayments, GetPaymentStatusDto, orders.status),
    route('complete_order', 'POST /orders/complete-order', paymentResult, hostAppPayments, CompleteOrderDto, orders.complete),
    route('hostapp_event', 'POST /events/hostapp /event-bridge/hostapp', eventCall, hostAppEvents, EventDto, events.fromHostApp),
    route('miniapp_event', 'POST /events/miniapp /event-bridge/miniapp', eventCall, miniappEvents, EventDto, events.fromMiniapp),
    route(
      'miniapp_transactions',
      'POST /analytics/miniapp-transactions',
      analyticsReport,
      miniappBasic,
      MiniappTransactionsDto,
      analytics.record,
    ),
    route('track', 'POST /analytics/track', browserReport, noChecks, TrackDto, track),
  ];
}

/** The steps of a call, in order. When a step refuses, the error handler answers and no later step runs. */
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

/** Serves all routes with and without a trailing slash, without redirects. Any other method gets METHOD_NOT_ALLOWED. */
export function apiRouter(routes: readonly ApiRoute[], tools: ApiTools): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    const path = router.route(route.paths.map((one) => `/api/v1${one}{/}`));
    if (route.fromBrowsers) path.all(browsers);
    for (const method of route.methods) path[methodName[method]](...stepsOf(route, tools));
    path.all(wrongMethod(route.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}

const methodName = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

/** Declares one route. `at`: methods joined by `|`, then the paths. */
function route<Fields extends object>(
  call: string,
  at: `${string} /${string}`,
  options: RouteOptions,
  policy: CredentialPolicy,
  Dto: new () => Fields,
  action: Action<Fields>,
): ApiRoute {
  const [methods = '', ...paths] = at.split(' ');
  const declared: ApiRoute<Fields> = { call, methods: methods.split('|') as ApiRoute['methods'], paths, ...options, policy, Dto, action };
  // The type ties one route's fields to its action; a list of all routes cannot use it.
  return declared as unknown as ApiRoute;
}

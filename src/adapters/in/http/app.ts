import cors from 'cors';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { CallSpan, InboundCall, Tracing } from '../../../domain/exchanges/tracing';
import type { BodiesUnderWay } from './bodies-under-way';
import { AnswersInTime, isOverdue } from './deadlines/answers-in-time';
import { watched } from './deadlines/watched';
import { EndOfTurn } from './end-of-turn';
import { errorHandler, noSuchPath, refuse, type RefusalDeps } from './error-handler';
import { healthRouter, type Readiness, type Warnings } from './health';
import { requireOneHost } from './one-host';
import type { Overload } from './overload';
import { pathOf } from './path-of';
import { contextOf, openContext, type CountRequest, type RequestContext } from './request-context';
import { recordUnread, relayHandler, type Received, type RelayRoute, type RouteTools } from './relay-route';
import { patternOf } from './route-pattern';
import { shedding } from './shedding';
import { approvedMiniappsPath } from './miniapp-list/approved-miniapps';
import { wrongMethod } from './wrong-method';

export interface AppDeps extends RefusalDeps {
  readonly routes: readonly RelayRoute[];
  readonly tools: RouteTools;
  /** Mounted at /manage/v1. */
  readonly manage: RequestHandler;
  /** The public list of miniapps, mounted at /api/v1. */
  readonly miniappList: RequestHandler;
  /** Mounted at /.well-known. */
  readonly wellKnown: RequestHandler;
  /** The page that people use, mounted at `/`; absent: there is none. */
  readonly dashboard?: RequestHandler | undefined;
  /** Guides and references, at `/docs`, `/openapi` and `/llms.txt`; absent: there are none. */
  readonly docs?: RequestHandler | undefined;
  /** Mounted at /evidence. */
  readonly evidence: RequestHandler;
  readonly readiness: Readiness;
  readonly warnings: Warnings;
  readonly overload: Overload;
  readonly bodies: BodiesUnderWay;
  /** Absent: nobody counts. */
  readonly count?: CountRequest | undefined;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/**
 * The whole HTTP side of the service: health, the API, the manage API, one way out for refusals, and none in for what is too much.
 * Calls of back ends are known by their path alone and are served as they come in; Express routes all others.
 */
export function createApp(deps: AppDeps): RequestListener {
  const around = { endOfTurn: new EndOfTurn(), inTime: new AnswersInTime() };
  const calls = deps.routes.map((declared) => ({ declared, call: apiCall(declared, deps, around) }));
  const backEndCall = backEndCalls(calls, deps);
  const app = expressApp(calls, deps, around.inTime);
  const serve: RequestListener = (req, res) => {
    const call = backEndCall(req);
    if (call) call(req, res);
    else app(req, res);
  };
  return shedding(serve, deps.routes, deps.overload);
}

function expressApp(calls: readonly Call[], deps: AppDeps, inTime: AnswersInTime): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(withContext(deps));
  app.use(secureHeaders);
  app.use('/health', healthRouter(deps.readiness, deps.warnings));
  app.use('/api/v1', apiRouter(calls));
  app.use('/api/v1', deps.miniappList);
  app.use((req, _res, next) => {
    requireOneHost(req);
    next();
  });
  app.use('/manage/v1', named('manage'), deps.manage);
  app.use('/.well-known', watched(inTime), deps.wellKnown);
  app.use('/evidence', watched(inTime), deps.evidence);
  if (deps.docs) app.use(deps.docs);
  if (deps.dashboard) app.use(deps.dashboard);
  app.use(noSuchPath([approvedMiniappsPath, ...deps.routes.flatMap(({ paths }) => paths)].map((path) => `/api/v1${path}`)));
  app.use(errorHandler(deps));
  return app;
}

const withContext =
  ({ tools: { clock, ids }, log, count }: AppDeps): RequestHandler =>
  (req, res, next) => {
    const { requestId } = openContext(req, res, { clock, ids, log, count });
    res.locals['requestId'] = requestId;
    res.setHeader('X-Request-Id', requestId);
    next();
  };

/**
 * JSON is no page: nothing may be loaded or framed by it. Pages of other origins read the calls that CORS lets them. Headers that
 * say something of pages alone are left out.
 */
const secureHeaders = helmet({
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
});

/** For browsers' calls: any origin, no credentials (decisions §1). */
const browsers = cors({
  origin: '*',
  methods: ['GET', 'POST'],
  allowedHeaders: ['Content-Type'],
  exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  maxAge: 600,
});

/** The same headers as `secureHeaders` sets, names and values by turns. */
function secureHead(): readonly string[] {
  const probe = new ServerResponse(new IncomingMessage(new Socket()));
  secureHeaders(probe.req, probe, () => undefined);
  return probe.getHeaderNames().flatMap((name) => [name, String(probe.getHeader(name))]);
}

/** Serves a request whose context is open. Whatever it throws and whatever refuses it goes to `refused`. */
type ServeCall = (request: Omit<Received, 'body'>, refused: (error: unknown) => void) => void;

/** A route, and the steps of a call on it. */
interface Call {
  readonly declared: RelayRoute;
  readonly call: ServeCall;
}

/** Finds calls of back ends by their exact method and path. */
function backEndCalls(routes: readonly Call[], deps: AppDeps): (req: IncomingMessage) => RequestListener | undefined {
  const { clock, ids } = deps.tools;
  const context = { clock, ids, log: deps.log, head: secureHead(), count: deps.count };
  const listener =
    (call: ServeCall): RequestListener =>
    (req, res) => {
      openContext(req, res, context);
      call({ req, res, target: req.url ?? '', params: noParams }, (error) => {
        if (!refuse(error, req, res, deps)) res.destroy();
      });
    };
  const calls = new Map<string, RequestListener>();
  for (const { declared, call } of routes) {
    const { fromBrowsers, paths, methods } = declared;
    if (fromBrowsers || paths.some((path) => path.includes(':'))) continue;
    const serve = listener(call);
    for (const method of methods) {
      for (const path of paths) calls.set(`${method} /api/v1${path}`, serve).set(`${method} /api/v1${path}/`, serve);
    }
  }
  return ({ method = '', url = '' }) => calls.get(`${method} ${pathOf(url)}`);
}

const noParams = {};

/** Each path with and without its final slash, never redirected; other methods on it are told which it takes. */
function apiRouter(calls: readonly Call[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { declared, call } of calls) {
    const path = router.route(declared.paths.flatMap((one) => [one, `${one}/`]));
    if (declared.fromBrowsers) path.all(browsers);
    for (const method of declared.methods) path[methodName[method]](underExpress(call));
    path.all(wrongMethod(declared.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}

const underExpress =
  (call: ServeCall): RequestHandler =>
  (req, res, next) => {
    call({ req, res, target: req.originalUrl, params: req.params }, next);
  };

/** What all calls share. */
interface Around {
  readonly endOfTurn: EndOfTurn;
  readonly inTime: AnswersInTime;
}

/** The steps of a call. It counts from when it is read: who sends slowly takes nobody's place. Calls that are read in one turn begin together. */
function apiCall(declared: RelayRoute, { tools, bodies, overload, tracing }: AppDeps, { endOfTurn, inTime }: Around): ServeCall {
  const relay = relayHandler(declared, tools);
  const routeOf = patternOf(declared);
  return (request, refused) => {
    const context = contextOf(request.res);
    context.call = declared.call;
    if (tracing) context.span = beginSpan(tracing, context, { method: request.req.method ?? '', route: routeOf(request.target) });
    bodies.read(request.req, (unread, body) => {
      if (unread) {
        recordUnread(declared, tools, request.res);
        refused(unread);
        return;
      }
      overload.begin();
      context.whenClosed.push(() => overload.end());
      const { req, res, target, params } = request;
      const { time, end } = inTime.watch(req, res, refused);
      context.time = time;
      context.whenClosed.push(end);
      const failed = (error: unknown): void => {
        if (!isOverdue(res)) refused(error);
      };
      endOfTurn.begin(() => relay({ req, res, target, params, body }).catch(failed));
    });
  };
}

const beginSpan = (tracing: Tracing, { requestId, traceparent }: RequestContext, at: Pick<InboundCall, 'method' | 'route'>): CallSpan =>
  tracing.call({ ...at, requestId, traceparent });

const methodName = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

const named =
  (call: string): RequestHandler =>
  (_req, res, next) => {
    contextOf(res).call = call;
    next();
  };

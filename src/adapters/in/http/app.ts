import cors from 'cors';
import type { RequestListener } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { Log } from '../../../domain/shared/ports';
import { errorHandler, noSuchPath } from './error-handler';
import { healthRouter, type Readiness } from './health';
import type { Overload } from './overload';
import { openContext, contextOf } from './request-context';
import { relayHandler, type RelayRoute, type RouteTools } from './relay-route';
import { shedding } from './shedding';
import { wrongMethod } from './wrong-method';

export interface AppDeps {
  readonly routes: readonly RelayRoute[];
  readonly tools: RouteTools;
  /** Mounted at /manage/v1. */
  readonly manage: RequestHandler;
  /** Mounted at /.well-known. */
  readonly wellKnown: RequestHandler;
  readonly readiness: Readiness;
  readonly overload: Overload;
  readonly log: Log;
  /** Reads the body as bytes. */
  readonly readBody: RequestHandler;
  /** Puts the class name of a fault into `exception`. */
  readonly exposeExceptions: boolean;
}

/** The whole HTTP side of the service: health, the API, the manage API, one way out for refusals, and none in for what is too much. */
export function createApp(deps: AppDeps): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(openContext({ clock: deps.tools.clock, log: deps.log }));
  app.use(secureHeaders);
  app.use(backEndCalls(deps));
  app.use('/health', healthRouter(deps.readiness));
  app.use('/api/v1', apiRouter(deps));
  app.use('/manage/v1', named('manage'), deps.manage);
  app.use('/.well-known', deps.wellKnown);
  app.use(noSuchPath);
  app.use(errorHandler({ log: deps.log, exposeExceptions: deps.exposeExceptions }));
  return shedding(app, deps.routes, deps.overload);
}

/** JSON is no page: nothing may be loaded or framed by it. Pages of other origins read the calls that CORS lets them. */
const secureHeaders = helmet({
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

/** Calls of back ends by their exact path: the router would try one pattern after the other. */
function backEndCalls(deps: AppDeps): RequestHandler {
  const calls = new Map<string, RequestHandler>();
  for (const declared of deps.routes.filter(({ fromBrowsers, paths }) => !fromBrowsers && !paths.some((path) => path.includes(':')))) {
    const call = apiCall(declared, deps);
    for (const method of declared.methods) {
      for (const path of declared.paths) calls.set(`${method} /api/v1${path}`, call).set(`${method} /api/v1${path}/`, call);
    }
  }
  return (req, res, next) => {
    const query = req.url.indexOf('?');
    const call = calls.get(`${req.method} ${query < 0 ? req.url : req.url.slice(0, query)}`);
    void (call ?? skip)(req, res, next);
  };
}

const skip: RequestHandler = (_req, _res, next) => {
  next();
};

/** Each path with and without its final slash, never redirected; other methods on it are told which it takes. */
function apiRouter(deps: AppDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const declared of deps.routes) {
    const call = apiCall(declared, deps);
    const path = router.route(declared.paths.flatMap((one) => [one, `${one}/`]));
    if (declared.fromBrowsers) path.all(browsers);
    for (const method of declared.methods) path[methodName[method]](call);
    path.all(wrongMethod(declared.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}

/** The steps of a call. It counts from when it is read: who sends slowly takes nobody's place. */
function apiCall(declared: RelayRoute, { tools, readBody, overload }: AppDeps): RequestHandler {
  const relay = relayHandler(declared, tools);
  return (req, res, next) => {
    contextOf(res).call = declared.call;
    void readBody(req, res, (refused?: unknown) => {
      if (refused !== undefined) {
        next(refused);
        return;
      }
      overload.begin();
      res.once('close', () => {
        overload.end();
      });
      relay(req, res).catch(next);
    });
  };
}

const methodName = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

const named =
  (call: string): RequestHandler =>
  (_req, res, next) => {
    contextOf(res).call = call;
    next();
  };

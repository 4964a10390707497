import cors from 'cors';
import express, { type Express, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { AddressBook } from '../../../domain/credentials/ports';
import type { Log } from '../../../domain/shared/ports';
import { readBytes } from './body';
import { errorHandler, noSuchPath } from './error-handler';
import { healthRouter, type Readiness } from './health';
import { openContext, contextOf } from './request-context';
import { relayHandler, type RelayRoute, type RouteTools } from './relay-route';
import { wrongMethod } from './wrong-method';

export interface AppDeps {
  readonly routes: readonly RelayRoute[];
  readonly tools: RouteTools;
  /** Mounted at /manage/v1. */
  readonly manage: RequestHandler;
  readonly readiness: Readiness;
  readonly addresses: AddressBook;
  readonly log: Log;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Bytes of an inbound body. */
  readonly bodyLimit: number;
  /** Puts the class name of a fault into `exception`. */
  readonly exposeExceptions: boolean;
}

/** The whole HTTP side of the service: health, the API, the manage API, and one way out for refusals. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', (address: string) => deps.addresses.contains(deps.trustedProxies, address));
  app.use(openContext({ clock: deps.tools.clock, log: deps.log }));
  app.use(secureHeaders);
  app.use('/health', healthRouter(deps.readiness));
  app.use('/api/v1', apiRouter(deps));
  app.use('/manage/v1', named('manage'), deps.manage);
  app.use(noSuchPath);
  app.use(errorHandler({ log: deps.log, exposeExceptions: deps.exposeExceptions }));
  return app;
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

/** Each path with and without its final slash, never redirected; other methods on it are told which it takes. */
function apiRouter({ routes, tools, bodyLimit }: AppDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const declared of routes) {
    const steps: RequestHandler[] = [named(declared.call), readBytes(bodyLimit), relayHandler(declared, tools)];
    const path = router.route(declared.paths.flatMap((one) => [one, `${one}/`]));
    if (declared.fromBrowsers) path.all(browsers);
    for (const method of declared.methods) path[methodName[method]](...steps);
    path.all(wrongMethod(declared.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))));
  }
  return router;
}

const methodName = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

const named =
  (call: string): RequestHandler =>
  (_req, res, next) => {
    contextOf(res).call = call;
    next();
  };

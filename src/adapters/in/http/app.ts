import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { ApiRoute, ApiTools } from './api/api-route';
import { watched } from './deadlines/watched';
import { errorHandler, noSuchPath } from './error-handler';
import { healthRouter, type Readiness, type Warnings } from './health';
import type { RefusedSessions } from './manage/limits/refused-sessions';
import { approvedMiniappsPath } from './miniapp-list/approved-miniapps';
import { requireOneHost } from './one-host';
import { contextOf, openContext, type CountRequest } from './request-context';
import { apiRouter } from './routes';
import { shedding } from './admission/shedding';

export interface AppDeps {
  readonly routes: readonly ApiRoute[];
  readonly tools: ApiTools;
  /** Mounted at /manage/v1. */
  readonly manage: RequestHandler;
  /** The public list of miniapps, mounted at /api/v1. */
  readonly miniappList: RequestHandler;
  /** Mounted at /.well-known. */
  readonly wellKnown: RequestHandler;
  /** The dashboard, mounted at `/`. Absent when it is not served. */
  readonly dashboard?: RequestHandler | undefined;
  /** Guides and references at `/docs`, `/openapi` and `/llms.txt`. Absent when they are not served. */
  readonly docs?: RequestHandler | undefined;
  /** Mounted at /evidence. */
  readonly evidence: RequestHandler;
  readonly refusedSessions: RefusedSessions;
  readonly readiness: Readiness;
  readonly warnings: Warnings;
  /** Absent when answers are not counted. */
  readonly count?: CountRequest | undefined;
}

/** The Express application: every request arrives here, and the error handler sends every refusal. */
export function createApp(deps: AppDeps): Express {
  const { routes, tools } = deps;
  const refuse = errorHandler(tools);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(shedding(routes, { ...tools, ...deps }));
  app.use(withContext(deps));
  app.use(secureHeaders);
  app.use(apiRouter(routes, tools));
  app.use('/health', healthRouter(deps.readiness, deps.warnings));
  app.use('/api/v1', deps.miniappList);
  app.use(oneHost);
  app.use('/manage/v1', named('manage'), deps.manage);
  app.use('/.well-known', watched(tools.inTime, refuse), deps.wellKnown);
  app.use('/evidence', watched(tools.inTime, refuse), deps.evidence);
  if (deps.docs) app.use(deps.docs);
  if (deps.dashboard) app.use(deps.dashboard);
  app.use(noSuchPath([approvedMiniappsPath, ...routes.flatMap(({ paths }) => paths)].map((path) => `/api/v1${path}`)));
  app.use(refuse);
  return app;
}

const withContext =
  ({ tools: { clock, ids, log }, count }: AppDeps): RequestHandler =>
  (req, res, next) => {
    const { requestId } = openContext(req, res, { clock, ids, log, count });
    res.locals['requestId'] = requestId;
    res.setHeader('X-Request-Id', requestId);
    next();
  };

/**
 * JSON answers may not load or frame anything. Pages of other origins read only the calls that CORS allows. Headers that matter to HTML
 * pages alone are left out.
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

/** Throws INVALID_INPUT where a request names two hosts. Source: contract/conventions#paths. */
const oneHost: RequestHandler = (req, _res, next) => {
  requireOneHost(req);
  next();
};

const named =
  (call: string): RequestHandler =>
  (_req, res, next) => {
    contextOf(res).call = call;
    next();
  };

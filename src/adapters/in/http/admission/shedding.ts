import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { Unavailable } from '../../../../domain/shared/errors';
import { bareRefusal, type BareRefusal } from './bare-refusal';
import { refusedFor } from '../manage/limits/partner-throttle';
import type { RefusedSessions } from '../manage/limits/refused-sessions';
import { bareProblem } from '../manage/http/problem';
import type { Excess, Overload, Shed } from './overload';
import { pathOf } from '../reading/path-of';
import { RefusedConnections } from './refused-connections';
import type { ApiRoute } from '../api/api-route';
import { requestIdOf, type CountRequest } from '../request-context';

/** How the requests of one class of paths are shed. */
interface RouteClass {
  /** Absent when these requests are never shed. */
  readonly shed?: Shed | undefined;
  readonly refusal: (excess: Excess, requestId: string) => BareRefusal;
  /** Set when a refused session's calls are refused as well (see RefusedSessions). */
  readonly bySession?: true;
}

interface Deps {
  readonly overload: Overload;
  readonly refusedSessions: RefusedSessions;
  /** Absent when answers are not counted. */
  readonly count?: CountRequest | undefined;
}

/** Up to this many remaining bytes of a refused body are read and discarded; for more the connection is closed. */
const discardedBytes = 65_536;

/**
 * Refuses excess calls before any other work: no routing, no body, no log line. Refusing must cost next to nothing, or it would be the
 * overload itself. When refusals are still too many, their connections are read less often.
 */
export function shedding(routes: readonly ApiRoute[], { overload, refusedSessions, count }: Deps): RequestHandler {
  const classOf = classifierOf(routes);
  const connections = new RefusedConnections(() => performance.now());
  return (req, res, next) => {
    const { shed, refusal, bySession } = classOf(req);
    const excess = shed && overload.refuses(shed);
    if (excess !== undefined) {
      connections.refused(res);
      send(req, res, refusal(excess, requestIdOf(req, randomUUID)));
    } else if (bySession && refusedSessions.refuses(req)) {
      // The connection may belong to a proxy that also carries other callers' requests, so reading goes on.
      send(req, res, throttled(requestIdOf(req, randomUUID)));
      count?.('manage', 429, 0);
    } else next();
  };
}

function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: BareRefusal): void {
  const isShort = Number(req.headers['content-length'] ?? 0) <= discardedBytes && req.headers['transfer-encoding'] === undefined;
  if (!isShort) res.setHeader('Connection', 'close');
  res.writeHead(status, headers).end(body);
}

const refused: RouteClass['refusal'] = (excess, requestId) => bareRefusal(new Unavailable(excess), requestId);
const refusedInBrowser: RouteClass['refusal'] = (excess, requestId) => {
  const { headers, ...answer } = refused(excess, requestId);
  return {
    ...answer,
    headers: { ...headers, 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'X-Request-Id,Retry-After' },
  };
};
const refusedInManage: RouteClass['refusal'] = (excess, requestId) =>
  bareProblem('unavailable', { detail: excess, retryAfterS: 1 }, requestId);

const throttled = (requestId: string): BareRefusal =>
  bareProblem('too-many', { detail: refusedFor.detail, retryAfterS: refusedFor.seconds }, requestId);

const health: RouteClass = { refusal: refused };
/** The dashboard's files are never shed: the page is blank without one, and the operator needs it most under overload. */
const files: RouteClass = { refusal: refused };
const manageReading: RouteClass = { shed: 'first', refusal: refusedInManage, bySession: true };
const manageChange: RouteClass = { shed: 'next', refusal: refusedInManage, bySession: true };
const elsewhere: RouteClass = { shed: 'first', refusal: refusedInBrowser };

/** Classifies requests by their path alone. */
function classifierOf(routes: readonly ApiRoute[]): (req: IncomingMessage) => RouteClass {
  const exact = new Map<string, RouteClass>();
  const patterns: (readonly [RegExp, RouteClass])[] = [];
  for (const { paths, shed, fromBrowsers } of routes) {
    const routeClass: RouteClass = { shed, refusal: fromBrowsers ? refusedInBrowser : refused };
    for (const path of paths.map((one) => `/api/v1${one}`)) {
      if (path.includes(':')) patterns.push([new RegExp(`^${path.replace(/:[a-z_]+/g, '[^/]+')}/?$`), routeClass]);
      else exact.set(path, routeClass).set(`${path}/`, routeClass);
    }
  }
  return ({ url = '', method }) => {
    const path = pathOf(url);
    const routeClass = exact.get(path);
    if (routeClass) return routeClass;
    if (path.startsWith('/health/')) return health;
    if (path.startsWith('/dashboard/')) return files;
    if (path.startsWith('/manage/v1/')) return method === 'GET' ? manageReading : manageChange;
    return patterns.find(([pattern]) => pattern.test(path))?.[1] ?? elsewhere;
  };
}

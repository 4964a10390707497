import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { Unavailable } from '../../../domain/shared/errors';
import { bareRefusal, type BareRefusal } from './bare-refusal';
import { refusedFor } from './manage/limits/partner-throttle';
import type { RefusedSessions } from './manage/limits/refused-sessions';
import { bareProblem } from './manage/problem';
import type { Excess, Overload, Shed } from './overload';
import { pathOf } from './path-of';
import { RefusedConnections } from './refused-connections';
import type { ApiRoute } from './api/api-route';
import { requestIdOf, type CountRequest } from './request-context';

/** How requests of one path are shed. */
interface Place {
  /** Absent: they never are. */
  readonly shed?: Shed | undefined;
  readonly refusal: (excess: Excess, requestId: string) => BareRefusal;
  /** Sessions may be refused for a while. */
  readonly bySession?: true;
}

interface Deps {
  readonly overload: Overload;
  readonly refusedSessions: RefusedSessions;
  /** Absent: answers are not counted. */
  readonly count?: CountRequest | undefined;
}

/** The rest of a body up to this many bytes is let in and thrown away; for more the connection is closed. */
const discardedBytes = 65_536;

/**
 * Refuses excess calls before anything is done for them: no route is looked for, no body read, no line logged. That must cost
 * next to nothing, or refusing would be the overload; where it still adds up, the refused are read less often.
 */
export function shedding(routes: readonly ApiRoute[], { overload, refusedSessions, count }: Deps): RequestHandler {
  const placeOf = places(routes);
  const connections = new RefusedConnections(() => performance.now());
  return (req, res, next) => {
    const { shed, refusal, bySession } = placeOf(req);
    const excess = shed && overload.refuses(shed);
    if (excess !== undefined) {
      connections.refused(res);
      send(req, res, refusal(excess, requestIdOf(req, randomUUID)));
    } else if (bySession && refusedSessions.refuses(req)) {
      // Its connection may be one of a proxy, with calls of others: it is read as ever.
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

const refused: Place['refusal'] = (excess, requestId) => bareRefusal(new Unavailable(excess), requestId);
const refusedInBrowser: Place['refusal'] = (excess, requestId) => {
  const { headers, ...answer } = refused(excess, requestId);
  return {
    ...answer,
    headers: { ...headers, 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'X-Request-Id,Retry-After' },
  };
};
const refusedInManage: Place['refusal'] = (excess, requestId) => bareProblem('unavailable', { detail: excess, retryAfterS: 1 }, requestId);

const throttled = (requestId: string): BareRefusal =>
  bareProblem('too-many', { detail: refusedFor.detail, retryAfterS: refusedFor.seconds }, requestId);

const health: Place = { refusal: refused };
/** A page that lacks one of its files shows nothing; the operator needs it most when there is too much to do. */
const files: Place = { refusal: refused };
const manageReading: Place = { shed: 'first', refusal: refusedInManage, bySession: true };
const manageChange: Place = { shed: 'next', refusal: refusedInManage, bySession: true };
const elsewhere: Place = { shed: 'first', refusal: refusedInBrowser };

/** Where a request goes, by its path alone. */
function places(routes: readonly ApiRoute[]): (req: IncomingMessage) => Place {
  const exact = new Map<string, Place>();
  const patterns: (readonly [RegExp, Place])[] = [];
  for (const { paths, shed, fromBrowsers } of routes) {
    const place: Place = { shed, refusal: fromBrowsers ? refusedInBrowser : refused };
    for (const path of paths.map((one) => `/api/v1${one}`)) {
      if (path.includes(':')) patterns.push([new RegExp(`^${path.replace(/:[a-z_]+/g, '[^/]+')}/?$`), place]);
      else exact.set(path, place).set(`${path}/`, place);
    }
  }
  return ({ url = '', method }) => {
    const path = pathOf(url);
    const place = exact.get(path);
    if (place) return place;
    if (path.startsWith('/health/')) return health;
    if (path.startsWith('/dashboard/')) return files;
    if (path.startsWith('/manage/v1/')) return method === 'GET' ? manageReading : manageChange;
    return patterns.find(([pattern]) => pattern.test(path))?.[1] ?? elsewhere;
  };
}

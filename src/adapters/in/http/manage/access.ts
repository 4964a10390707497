import type { Request, RequestHandler, Response } from 'express';
import { isSeen, type Role, roles, type Scope, scopeOfViewer, type Viewer } from '../../../../domain/accounts/viewer';
import { ManageProblem } from './problem';
import { type RequestSession, requireProof } from './session-cookie';

/** Who may use a method of a path. */
export interface Audience {
  readonly roles: readonly Role[];
  /** Nobody needs to be signed in. */
  readonly isOpen?: boolean;
  /** It changes nothing but the session, or nothing at all: the operator may use it while looking as a partner. */
  readonly whileLooking?: boolean;
}

/** The handlers of one method, and who may use it. */
export interface Declared {
  readonly audience: Audience;
  readonly handlers: readonly RequestHandler[];
}

const declare =
  (audience: Audience) =>
  (...handlers: readonly RequestHandler[]): Declared => ({ audience, handlers });

/** The operator alone. */
export const operatorOnly = declare({ roles: ['operator'] });
/** Every signed-in account; the handlers show and change only records of `scopeOf(req)`. */
export const partnersToo = declare({ roles });
/** As `partnersToo`, for a POST that changes nothing: it may be used while the operator looks as a partner. */
export const readersToo = declare({ roles, whileLooking: true });
/** The operator and accounts of this kind of partner. */
export const partnersOf = (kind: Exclude<Role, 'operator'>): ((...handlers: readonly RequestHandler[]) => Declared) =>
  declare({ roles: ['operator', kind] });
/** Everybody, signed in or not. */
export const anyone = declare({ roles, isOpen: true, whileLooking: true });

/** Stands before the handlers of a method; tells by `audience` who gets past it. */
export function guardFor(audience: Audience): RequestHandler & { readonly audience: Audience } {
  const guard: RequestHandler = (req, _res, next) => {
    if (audience.isOpen !== true) admit(audience, req);
    next();
  };
  return Object.assign(guard, { audience });
}

function admit({ roles: allowed, whileLooking = false }: Audience, req: Request): void {
  const [viewer, { method }] = [viewerOf(req), req];
  const session = req.res && knownSession(req.res);
  if (session) requireProof(req, session);
  if (!allowed.includes(viewer.role)) throw new ManageProblem('not-allowed');
  if (viewer.isReadOnly === true && !whileLooking && method !== 'GET' && method !== 'HEAD') {
    throw new ManageProblem('not-allowed', { detail: 'You are looking as a partner: nothing can be changed' });
  }
}

/** Notes who asks, for this request. */
export const setViewer = (res: Response, viewer: Viewer): void => {
  res.locals['viewer'] = viewer;
};

/** Notes by which session, and with it who asks. */
export const setSession = (res: Response, session: RequestSession): void => {
  res.locals['session'] = session;
  setViewer(res, session.known.viewer);
};

/** The session by which somebody asks; absent: by the operator's token, or nobody. */
export const knownSession = (res: Response): RequestSession | undefined => res.locals['session'] as RequestSession | undefined;

/** As `knownSession`. Throws ManageProblem where there is none. */
export function sessionOf(req: Request): RequestSession {
  const session = req.res && knownSession(req.res);
  if (!session) throw new ManageProblem('not-allowed', { detail: 'The operator token is no session' });
  return session;
}

/** Who asks; `undefined`: nobody is signed in. */
export const viewerIfKnown = (res: Response): Viewer | undefined => res.locals['viewer'] as Viewer | undefined;

/** Who asks. Throws ManageProblem where nobody is signed in. */
export function viewerOf(req: Request): Viewer {
  const viewer = req.res && viewerIfKnown(req.res);
  if (!viewer) throw new ManageProblem('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' } });
  return viewer;
}

/** The partner that the viewer works for: `{clientId}`, `{appId}`, or `{}` of the operator. */
export const scopeOf = (req: Request): Scope => scopeOfViewer(viewerOf(req));

/** A list's filter with the viewer's partner in it. Throws ManageProblem (404) where it names another partner of that kind. */
export function narrowed<Filter extends object>(req: Request, filter: Filter & Scope): Filter & Scope {
  const scope = scopeOf(req);
  for (const [name, own] of Object.entries(scope)) {
    const asked = filter[name as keyof Scope];
    if (asked !== undefined && asked !== own) throw new ManageProblem('not-found');
  }
  return { ...filter, ...scope };
}

/** Throws ManageProblem (404) where the record is not the viewer's to see. */
export function requireSeen(
  req: Request,
  record: { readonly clientId?: string | undefined; readonly appId?: string | undefined } | undefined,
): void {
  if (!isSeen(scopeOf(req), record ?? {})) throw new ManageProblem('not-found');
}

/** Throws ManageProblem (404) where the viewer works for another partner than this one. */
export function requireOwn(req: Request, kind: 'host-app' | 'miniapp', id: string): void {
  const viewer = viewerOf(req);
  if (viewer.role === 'operator') return;
  const own = viewer.role === 'host-app' ? viewer.clientId : viewer.appId;
  if (viewer.role !== kind || own !== id) throw new ManageProblem('not-found');
}

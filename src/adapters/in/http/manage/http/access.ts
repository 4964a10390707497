import type { Request, RequestHandler, Response } from 'express';
import { isSeen, type Role, roles, type Scope, scopeOfViewer, type Viewer } from '../../../../../domain/accounts/viewer';
import type { Call, Who } from './call';
import { ManageProblem } from './problem';
import { type RequestSession, requireProof } from './session-cookie';

/** The callers who may use a call. */
export interface Audience {
  readonly roles: readonly Role[];
  /** Set when no sign-in is needed. */
  readonly isOpen: boolean;
  /** Set when the operator may use it while viewing as a partner. */
  readonly whileViewingAs: boolean;
}

const rolesOf: Readonly<Record<Who, readonly Role[]>> = {
  operator: ['operator'],
  everyone: roles,
  anyone: roles,
  'host apps': ['operator', 'host-app'],
  miniapps: ['operator', 'miniapp'],
};

/** The callers who may use a call. */
export const audienceOf = ({ who, whileViewingAs }: Pick<Call, 'who' | 'whileViewingAs'>): Audience => ({
  roles: rolesOf[who],
  isOpen: who === 'anyone',
  whileViewingAs: whileViewingAs === true,
});

/** Runs before the handlers of a call. It carries its audience for tests that walk the router. */
export function guardFor(call: Call): RequestHandler & { readonly audience: Audience } {
  const audience = audienceOf(call);
  const guard: RequestHandler = (req, _res, next) => {
    if (!audience.isOpen) admit(audience, req);
    next();
  };
  return Object.assign(guard, { audience });
}

function admit({ roles: allowed, whileViewingAs }: Audience, req: Request): void {
  const [viewer, { method }] = [viewerOf(req), req];
  const session = req.res && knownSession(req.res);
  if (session) requireProof(req, session);
  if (!allowed.includes(viewer.role)) throw new ManageProblem('not-allowed');
  if (viewer.isReadOnly === true && !whileViewingAs && method !== 'GET' && method !== 'HEAD') {
    throw new ManageProblem('not-allowed', { detail: 'You are viewing as a partner: nothing can be changed' });
  }
}

/** Stores the viewer for this request. */
export const setViewer = (res: Response, viewer: Viewer): void => {
  res.locals['viewer'] = viewer;
};

/** Stores the session and its viewer for this request. */
export const setSession = (res: Response, session: RequestSession): void => {
  res.locals['session'] = session;
  setViewer(res, session.known.viewer);
};

/** The session of the request. Absent with the operator's token, or without sign-in. */
export const knownSession = (res: Response): RequestSession | undefined => res.locals['session'] as RequestSession | undefined;

/** Like `knownSession`, but throws ManageProblem where there is none. */
export function sessionOf(req: Request): RequestSession {
  const session = req.res && knownSession(req.res);
  if (!session) throw new ManageProblem('not-allowed', { detail: 'The operator token is no session' });
  return session;
}

/** The viewer, or `undefined` when nobody is signed in. */
export const viewerIfKnown = (res: Response): Viewer | undefined => res.locals['viewer'] as Viewer | undefined;

/** The viewer. Throws ManageProblem where nobody is signed in. */
export function viewerOf(req: Request): Viewer {
  const viewer = req.res && viewerIfKnown(req.res);
  if (!viewer) throw new ManageProblem('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' } });
  return viewer;
}

/** The viewer's own partner as a filter: `{clientId}`, `{appId}`, or `{}` for the operator. */
export const scopeOf = (req: Request): Scope => scopeOfViewer(viewerOf(req));

/** Adds the viewer's partner to a list's filter. Throws ManageProblem (404) where the filter names another partner of that kind. */
export function narrowed<Filter extends object>(req: Request, filter: Filter & Scope): Filter & Scope {
  const scope = scopeOf(req);
  for (const [name, own] of Object.entries(scope)) {
    const requested = filter[name as keyof Scope];
    if (requested !== undefined && requested !== own) throw new ManageProblem('not-found');
  }
  return { ...filter, ...scope };
}

/** Throws ManageProblem (404) where the viewer may not see the record. */
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

import type { Request, Response } from 'express';
import { accountRules } from '../../../../../domain/accounts/account';
import type { KnownSession } from '../../../../../domain/accounts/use-session';
import { ManageProblem } from './problem';

/** A request's session, which came in a cookie of this service at `base`. */
export interface RequestSession {
  readonly known: KnownSession;
  readonly token: string;
  /** PUBLIC_BASE_URL. */
  readonly base: string;
}

/** With the `__Host-` prefix on https, the browser guarantees that no other host has set the cookie (RFC 6265bis §4.1.3.2). */
const nameAt = (base: string): string => (isSecure(base) ? '__Host-pierhead' : 'pierhead');
const isSecure = (base: string): boolean => base.startsWith('https:');

const options = (base: string) => ({ httpOnly: true, sameSite: 'strict', secure: isSecure(base), path: '/' }) as const;

export const setSessionCookie = (res: Response, base: string, token: string): void => {
  res.cookie(nameAt(base), token, { ...options(base), maxAge: accountRules.sessionMs });
};

export const clearSessionCookie = (res: Response, base: string): void => {
  res.clearCookie(nameAt(base), options(base));
};

/** The token in the cookie. `undefined` without a cookie, with two of them, or when the value cannot be a token. */
export function sessionToken({ headers }: Pick<Request, 'headers'>, base: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const prefix = `${nameAt(base)}=`;
  const [token, second] = pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
  return second === undefined && token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

/** Throws ManageProblem where the browser reports that the request comes from a page of another origin. */
export function requireOwnOrigin(req: Request, base: string): void {
  const { origin, host = '' } = req.headers;
  const site = req.headers['sec-fetch-site'];
  const isOwn = origin === undefined || origin === new URL(base).origin || (URL.canParse(origin) && new URL(origin).host === host);
  if (!isOwn || (site !== undefined && site !== 'same-origin')) throw new ManageProblem('cross-site');
}

/**
 * Throws ManageProblem unless an unsafe request with a cookie proves that a page of this service made it: it must carry the session's CSRF
 * token, which other pages cannot read, and come from the service's own origin.
 */
export function requireProof(req: Request, { known, base }: RequestSession): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return;
  requireOwnOrigin(req, base);
  const hasOrigin = req.headers.origin !== undefined || req.headers['sec-fetch-site'] !== undefined;
  if (!hasOrigin || req.headers['x-csrf-token'] !== known.csrf) throw new ManageProblem('cross-site');
}

import type { Request, RequestHandler } from 'express';
import { operatorByToken } from '../../../../domain/accounts/viewer';
import type { UseSession } from '../../../../domain/accounts/use-session';
import type { SecretDigest } from '../../../../domain/credentials/ports';
import type { Secret } from '../../../../domain/shared/secret';
import { setSession, setViewer } from './access';
import { tooMany } from './limits/partner-throttle';
import type { RefusedSessions } from './limits/refused-sessions';
import { SessionLookUps } from './limits/session-look-ups';
import { ManageProblem } from './problem';
import { sessionToken } from './session-cookie';

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

interface Deps {
  readonly digest: SecretDigest;
  readonly operatorToken: Secret;
  readonly useSession: UseSession;
  readonly refusedSessions: Pick<RefusedSessions, 'refuses'>;
  readonly publicBaseUrl: string;
}

/**
 * Finds out who asks: the operator by its token (RFC 6750), compared in constant time, or an account by its session's cookie.
 * Throws ManageProblem for a wrong token, and for a session that is refused for a while; a cookie that is no session's, or no more, is nobody's.
 */
export function identify({ digest, operatorToken, useSession, refusedSessions, publicBaseUrl: base }: Deps): RequestHandler {
  const isOperator = digest.matcher(operatorToken.reveal());
  const lookUps = new SessionLookUps();
  const find = (req: Request, token: string): ReturnType<UseSession['find']> =>
    lookUps.run(token, async () => {
      // Many calls may have waited here when the first of them was refused.
      if (refusedSessions.refuses(req)) throw tooMany();
      return useSession.find(token, { isUse: !isUnattended(req) });
    });
  return async (req, res, next) => {
    const authorization = authorizationOf(req);
    const cookie = authorization === undefined ? sessionToken(req, base) : undefined;
    if (authorization !== undefined) {
      const token = bearer.exec(authorization)?.[1];
      if (token === undefined || !isOperator(token)) {
        throw new ManageProblem('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' } });
      }
      setViewer(res, operatorByToken);
    } else if (cookie !== undefined) {
      const known = await find(req, cookie);
      if (known) setSession(res, { known, token: cookie, base });
    }
    next();
  };
}

/** What a page asks by itself while nobody is at it says so; the stream of news is nobody's use either. */
const isUnattended = (req: Request): boolean => req.headers['x-unattended'] === '1' || /^\/live\/?$/.test(req.path);

/** Node keeps the first of two Authorization headers and hides the other, which a proxy may have looked at. */
function authorizationOf(req: Request): string | undefined {
  const sent = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  if (sent.length > 1) throw new ManageProblem('malformed-request', { detail: 'The Authorization header stands there more than once' });
  return req.headers.authorization;
}

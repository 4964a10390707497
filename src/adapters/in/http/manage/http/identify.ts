import type { Request, RequestHandler } from 'express';
import { operatorByToken } from '../../../../../domain/accounts/viewer';
import type { UseSession } from '../../../../../domain/accounts/use-session';
import type { SecretDigestProvider } from '../../../../../domain/credentials/ports';
import type { Secret } from '../../../../../domain/shared/secret';
import { setSession, setViewer } from './access';
import { tooMany } from '../limits/partner-throttle';
import type { RefusedSessions } from '../limits/refused-sessions';
import { SessionLookups } from '../limits/session-lookups';
import { ManageProblem } from './problem';
import { sessionToken } from './session-cookie';

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

interface Deps {
  readonly digest: SecretDigestProvider;
  readonly operatorToken: Secret;
  readonly useSession: UseSession;
  readonly refusedSessions: Pick<RefusedSessions, 'refuses'>;
  readonly publicBaseUrl: string;
}

/**
 * Identifies the caller: the operator by its token (RFC 6750), compared in constant time, or an account by its session cookie. Throws
 * ManageProblem for a wrong token and for a session that is refused for a while. A cookie without a valid session counts as not signed in.
 */
export function identify({ digest, operatorToken, useSession, refusedSessions, publicBaseUrl: base }: Deps): RequestHandler {
  const isOperator = digest.matcher(operatorToken.reveal());
  const lookups = new SessionLookups();
  const find = (req: Request, token: string): ReturnType<UseSession['find']> =>
    lookups.run(token, async () => {
      // Check again: the session may have been refused while this call waited.
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

/** The dashboard marks requests that it sends while nobody uses it. The event stream does not count as use either. */
const isUnattended = (req: Request): boolean => req.headers['x-unattended'] === '1' || /^\/live\/?$/.test(req.path);

/** Node keeps the first of two Authorization headers and hides the second, but a proxy may have checked the second. */
function authorizationOf(req: Request): string | undefined {
  const sent = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  if (sent.length > 1) throw new ManageProblem('malformed-request', { detail: 'The Authorization header stands there more than once' });
  return req.headers.authorization;
}

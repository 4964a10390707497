import type { RequestHandler } from 'express';
import type { SecretDigest } from '../../../../domain/credentials/ports';
import type { Secret } from '../../../../domain/shared/secret';
import { ManageProblem } from './problem';

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

/** Lets the operator in (RFC 6750) and nobody else; compares in constant time. */
export const requireOperator =
  ({ digest, operatorToken }: { digest: SecretDigest; operatorToken: Secret }): RequestHandler =>
  (req, _res, next) => {
    // Node keeps the first of two Authorization headers and hides the other, which a proxy may have looked at.
    const sent = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
    if (sent.length > 1) throw new ManageProblem('malformed-request', { detail: 'The Authorization header stands there more than once' });
    const token = bearer.exec(req.headers.authorization ?? '')?.[1];
    if (token === undefined || !digest.equals(token, operatorToken.reveal())) {
      throw new ManageProblem('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    next();
  };

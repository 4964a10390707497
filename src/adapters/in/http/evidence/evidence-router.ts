import { limitedAddress } from '../../../../domain/shared/limited-address';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { RateLimiter } from '../../../../domain/credentials/ports';
import type { OpenEvidence } from '../../../../domain/evidence/open-evidence';
import type { AddressOf } from '../caller-address';
import { setRateHeaders } from '../rate-headers';
import { contextOf } from '../request-context';
import { wrongMethod } from '../wrong-method';
import type { EvidenceDocument } from './evidence-document';
import { evidencePage, pageHeaders, vanishedPage } from './evidence-page';

export interface EvidenceRouterDeps {
  readonly open: OpenEvidence;
  readonly limiter: RateLimiter;
  readonly addressOf: AddressOf;
}

/**
 * GET /evidence/{token}: what a link shows, without an account. A page for browsers, else JSON: `{evidence, jws}`; the
 * JWS proves it. A wrong, expired or revoked token is answered alike.
 */
export function evidenceRouter(deps: EvidenceRouterDeps): Router {
  const router = Router({ caseSensitive: true, strict: false });
  router
    .route('/:token')
    .get(show(deps))
    .all(wrongMethod(['GET']));
  return router;
}

const show =
  ({ open, limiter, addressOf }: EvidenceRouterDeps): RequestHandler =>
  async (req, res) => {
    const context = contextOf(res);
    context.call = 'evidence';
    setRateHeaders(res, await limiter.count({ limit: 'evidence', subject: limitedAddress(addressOf(req)) }));
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Robots-Tag', 'noindex');
    res.setHeader('Vary', 'Accept');
    const token = String(req.params['token']);
    // A link that is only looked at, as chats do, is not opened.
    const jws =
      req.method === 'GET' && /^[A-Za-z0-9]{43}$/.test(token) ? await open.execute({ token, requestId: context.requestId }) : undefined;
    answer(req, res, jws);
  };

function answer(req: Request, res: Response, jws: string | undefined): void {
  const isPage = wantsPage(req);
  res.status(jws === undefined ? 404 : 200);
  if (isPage) {
    res.set(pageHeaders).send(jws === undefined ? vanishedPage() : evidencePage(documentIn(jws), jws));
    return;
  }
  const missing = { error_code: 'NOT_FOUND', error_message: 'This link leads nowhere: it is wrong, has expired, or was revoked' };
  res.type('application/json').send(JSON.stringify(jws === undefined ? missing : { evidence: documentIn(jws), jws }));
}

const wantsPage = (req: Request): boolean => /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(req.get('Accept') ?? '');

/** What we have signed ourselves. */
const documentIn = (jws: string): EvidenceDocument =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8')) as EvidenceDocument;

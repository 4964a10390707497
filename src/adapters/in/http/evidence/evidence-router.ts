import { limitedAddress } from '../../../../domain/shared/limited-address';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { RateLimiter } from '../../../../domain/credentials/ports';
import type { OpenEvidence } from '../../../../domain/evidence/open-evidence';
import type { AddressOf } from '../reading/caller-address';
import { setRateHeaders } from '../reading/rate-headers';
import { contextOf } from '../request-context';
import { wrongMethod } from '../reading/wrong-method';
import type { EvidenceDocument } from './evidence-document';
import { evidencePage, pageHeaders, vanishedPage } from './evidence-page';

export interface EvidenceRouterDeps {
  readonly open: OpenEvidence;
  readonly limiter: RateLimiter;
  readonly addressOf: AddressOf;
}

/**
 * GET /evidence/{token}: shared evidence, without an account. Browsers get a page, others JSON `{evidence, jws}`; the JWS proves the
 * evidence. Wrong, expired and revoked tokens get the same answer.
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
    // HEAD requests, such as link previews in chats, do not count as opening the link.
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

/** Decodes without verification: the service signed it itself. */
const documentIn = (jws: string): EvidenceDocument =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8')) as EvidenceDocument;

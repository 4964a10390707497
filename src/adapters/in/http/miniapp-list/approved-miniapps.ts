import cors from 'cors';
import { type Request, Router } from 'express';
import type { RateLimiter } from '../../../../domain/credentials/ports';
import type { ApprovedMiniapp, ApprovedMiniappReader, ApprovedPage } from '../../../../domain/partners/approved-miniapps';
import { InvalidInput, type FieldProblem } from '../../../../domain/shared/errors';
import { limitedAddress } from '../../../../domain/shared/limited-address';
import { readQuery } from '../reading/body';
import type { AddressOf } from '../reading/caller-address';
import { sendDocument } from '../document';
import { setRateHeaders } from '../reading/rate-headers';
import { contextOf } from '../request-context';
import { wrongMethod } from '../reading/wrong-method';

export interface ApprovedMiniappsDeps {
  readonly approvedMiniapps: ApprovedMiniappReader;
  readonly limiter: RateLimiter;
  readonly addressOf: AddressOf;
}

const exposedHeaders = ['ETag', 'Link', 'X-Request-Id', 'Retry-After'];
const browsers = cors({ origin: '*', methods: ['GET'], exposedHeaders, maxAge: 600 });
const maxPageSize = 500;

/** Path of the list under the API, without a trailing slash. */
export const approvedMiniappsPath = '/partner/miniapps/approved_miniapps';

/**
 * GET partner/miniapps/approved_miniapps: the miniapps that a page of the host app may show. Public, with CORS and an ETag; `Link` names
 * the next page (RFC 8288). Source: contract/miniapps#public-list.
 */
export function approvedMiniappsRouter({ approvedMiniapps, limiter, addressOf }: ApprovedMiniappsDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(`${approvedMiniappsPath}{/}`)
    .all(browsers)
    .get(async (req, res) => {
      contextOf(res).call = 'approved_miniapps';
      setRateHeaders(res, await limiter.count({ limit: 'approved_miniapps', subject: limitedAddress(addressOf(req)) }));
      const { clientId, page } = pageOf(req);
      const found = await approvedMiniapps.list(clientId, page);
      const last = found.at(-1);
      if (last && found.length === page.limit) {
        const next = new URLSearchParams({ client_id: clientId, limit: String(page.limit), cursor: last.appId });
        res.setHeader('Link', `<?${next.toString()}>; rel="next"`);
      }
      sendDocument(req, res, found.map(view));
    })
    .all(wrongMethod(['GET', 'HEAD']));
  return router;
}

const view = ({ id, appId, name, longDescription, logo, category }: ApprovedMiniapp): object => ({
  ...{ id, app_id: appId, name },
  ...{ long_description: longDescription ?? '', logo: logo ?? null, category: category ?? null },
});

const idForm = /^[A-Za-z0-9._-]{1,64}$/;

function pageOf(req: Request): { readonly clientId: string; readonly page: ApprovedPage } {
  const query = readQuery(req.originalUrl);
  const problems: FieldProblem[] = [];
  const check = (path: string, isRight: (text: string) => boolean, rule: string): string | undefined => {
    const value = query.get(path);
    if (typeof value !== 'string') return undefined;
    if (!isRight(value)) problems.push({ path, rule });
    return value;
  };
  const clientId = check('client_id', (text) => idForm.test(text), 'must be 1 to 64 characters of [A-Za-z0-9._-]');
  if (clientId === undefined) problems.push({ path: 'client_id', rule: 'required' });
  const isSize = (text: string): boolean => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= maxPageSize;
  const limit = check('limit', isSize, `must be a whole number from 1 to ${String(maxPageSize)}`);
  const after = check('cursor', (text) => idForm.test(text), 'must be one that the service gave');
  if (problems.length > 0) throw new InvalidInput(problems);
  return { clientId: clientId ?? '', page: { limit: Number(limit ?? maxPageSize), after } };
}

import type { RequestHandler, Router } from 'express';
import { evidenceLasts, type EvidenceLink } from '../../../../domain/evidence/evidence';
import type { RateLimiter } from '../../../../domain/credentials/ports';
import type { RevokeEvidence } from '../../../../domain/evidence/open-evidence';
import type { EvidenceLinks } from '../../../../domain/evidence/ports';
import type { ShareEvidence } from '../../../../domain/evidence/share-evidence';
import type { ExchangeReader } from '../../../../domain/exchanges/ports';
import { InvalidInput } from '../../../../domain/shared/errors';
import type { Clock } from '../../../../domain/shared/ports';
import { bytesOf } from '../body';
import { narrowed, partnersToo, requireSeen } from './access';
import { bodyOf } from './json-body';
import { mergePatch, plainOf, type PlainObject } from './merge-patch';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, pageOf, word } from './query';
import { readWholeDto } from '../../../dto/read-dto';
import { Optional, Whole } from '../../../dto/decorators';
import { originOf, pathId, serve } from './serve';
import { countExplanation } from './signatures-routes';

export class EvidenceShareDto {
  @Optional() @Whole(evidenceLasts.least, evidenceLasts.most) expires_in_s?: number;
}

export interface EvidenceRoutesDeps {
  readonly exchanges: ExchangeReader;
  readonly links: EvidenceLinks;
  readonly share: ShareEvidence;
  readonly revoke: RevokeEvidence;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  /** Without a slash at its end. */
  readonly publicBaseUrl: string;
}

/** `/exchanges/{id}/evidence` makes a link that both partners can open, its URL told once; `/evidence` lists and revokes them. */
export function evidenceRoutes(router: Router, readBody: RequestHandler, deps: EvidenceRoutesDeps): void {
  const { exchanges, links, share, revoke, clock, limiter, publicBaseUrl } = deps;
  const view = (link: EvidenceLink): object => linkView(link, clock.now());
  serve(router, '/exchanges/:id/evidence', {
    post: partnersToo(readBody, async (req, res) => {
      const exchange = await exchanges.find(pathId(req, 'id'));
      if (!exchange) throw new ManageProblem('not-found');
      requireSeen(req, exchange);
      const { plain, problems: found } = bytesOf(req).length === 0 ? { plain: {}, problems: [] } : plainOf(bodyOf(req));
      const { dto, problems } = readWholeDto(EvidenceShareDto, mergePatch({}, plain) as PlainObject);
      if (found.length + problems.length > 0) throw new InvalidInput([...found, ...problems]);
      await countExplanation(req, limiter);
      const { link, token } = await share.execute({ ...originOf(req), exchange, expiresInS: dto.expires_in_s ?? evidenceLasts.usually });
      res.status(201).json({ ...view(link), url: `${publicBaseUrl}/evidence/${token}` });
    }),
  });
  serve(router, '/evidence', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, { exchange_id: word, client_id: word, app_id: word });
      const { exchange_id: exchangeId, client_id: clientId, app_id: appId } = filter;
      const wanted = narrowed(req, present({ exchangeId, clientId, appId }));
      res.json(await pageOf(page, (asked) => links.list(wanted, asked), { show: view, cursorOf: ({ id }) => id }));
    }),
  });
  serve(router, '/evidence/:id', {
    delete: partnersToo(async (req, res) => {
      const link = await links.find(pathId(req, 'id'));
      if (!link) throw new ManageProblem('not-found');
      requireSeen(req, link);
      const revoked = await revoke.execute(link, originOf(req));
      if (!revoked) throw new ManageProblem('not-found');
      res.json(view(revoked));
    }),
  });
}

const optionalTime = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

/** Never the token. */
const linkView = (link: EvidenceLink, now: number): object =>
  present({
    id: link.id,
    exchange_id: link.exchangeId,
    client_id: link.clientId,
    app_id: link.appId,
    state: link.revokedAt !== undefined ? 'revoked' : link.expiresAt <= now ? 'expired' : 'open',
    created_by: link.createdBy,
    created_at: timeText(link.createdAt),
    expires_at: timeText(link.expiresAt),
    revoked_at: optionalTime(link.revokedAt),
    opened: link.opened,
    opened_at: optionalTime(link.openedAt),
  });

import { evidenceLasts, type EvidenceLink } from '../../../../../domain/evidence/evidence';
import type { RateLimiter } from '../../../../../domain/credentials/ports';
import type { RevokeEvidence } from '../../../../../domain/evidence/open-evidence';
import type { EvidenceLinkRepository } from '../../../../../domain/evidence/ports';
import type { ShareEvidence } from '../../../../../domain/evidence/share-evidence';
import type { ExchangeReader } from '../../../../../domain/exchanges/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { narrowed, requireSeen } from '../http/access';
import { readInputIfAny } from '../http/json-body';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf } from '../http/query';
import { type Mount, originOf, pathId, serve } from '../http/serve';
import { evidenceCalls } from './evidence-calls';
import { EvidenceShareDto } from './evidence.dto';
import { countExplanation } from '../credentials/signatures-routes';

export interface EvidenceRoutesDeps {
  readonly exchanges: ExchangeReader;
  readonly evidenceLinks: EvidenceLinkRepository;
  readonly shareEvidence: ShareEvidence;
  readonly revokeEvidence: RevokeEvidence;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  /** No trailing slash. */
  readonly publicBaseUrl: string;
}

/** Serves the calls about links to evidence. The URL of a link is shown once. */
export function evidenceRoutes(mount: Mount, deps: EvidenceRoutesDeps): void {
  const { exchanges, evidenceLinks: links, shareEvidence: share, revokeEvidence: revoke, clock, limiter, publicBaseUrl } = deps;
  const view = (link: EvidenceLink): object => linkView(link, clock.now());
  serve(mount, evidenceCalls, {
    share: async (req, res) => {
      const exchange = await exchanges.find(pathId(req, 'id'));
      if (!exchange) throw new ManageProblem('not-found');
      requireSeen(req, exchange);
      const { expires_in_s: expiresInS = evidenceLasts.usually } = await readInputIfAny(req, EvidenceShareDto);
      await countExplanation(req, limiter);
      const { link, token } = await share.execute({ ...originOf(req), exchange, expiresInS });
      res.status(201).json({ ...view(link), url: `${publicBaseUrl}/evidence/${token}` });
    },
    list: async (req, res, { filter, page }) => {
      const { exchange_id: exchangeId, client_id: clientId, app_id: appId } = filter;
      const wanted = narrowed(req, present({ exchangeId, clientId, appId }));
      res.json(await pageOf(page, (request) => links.list(wanted, request), { show: view, cursorOf: ({ id }) => id }));
    },
    revoke: async (req, res) => {
      const link = await links.find(pathId(req, 'id'));
      if (!link) throw new ManageProblem('not-found');
      requireSeen(req, link);
      const revoked = await revoke.execute(link, originOf(req));
      if (!revoked) throw new ManageProblem('not-found');
      res.json(view(revoked));
    },
  });
}

const optionalTime = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));

/** Never shows the token. */
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

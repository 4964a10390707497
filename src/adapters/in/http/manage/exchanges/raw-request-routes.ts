import type { Request, Router } from 'express';
import type { RefusedRequest, RefusedRequestRepository } from '../../../../../domain/credentials/explain/ports';
import type { Exchange } from '../../../../../domain/exchanges/exchange';
import type { ExchangeReader } from '../../../../../domain/exchanges/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { partnersToo, requireOwn, requireSeen } from '../http/access';
import { ManageProblem } from '../http/problem';
import { servePath } from '../http/old-serve';
import { originOf, pathId } from '../http/serve';

export interface RawRequestDeps {
  readonly exchanges: ExchangeReader;
  readonly refused: RefusedRequestRepository;
  readonly clock: Clock;
}

/** `/exchanges/{id}/raw`: the original request, if it is kept for an explanation. Reading it leaves an audit entry. */
export function rawRequestRoutes(router: Router, deps: RawRequestDeps): void {
  servePath(router, '/exchanges/:id/raw', {
    post: partnersToo(async (req, res) => {
      const exchange = await deps.exchanges.find(pathId(req, 'id'));
      if (!exchange) throw new ManageProblem('not-found');
      requireSeen(req, exchange);
      res.json(rawView(await reveal(req, exchange, deps)));
    }),
  });
}

/** Only the sender of the request and the operator may read it. */
async function reveal(req: Request, exchange: Exchange, { refused, clock }: RawRequestDeps): Promise<RefusedRequest> {
  const kept = await refused.find(exchange.id, clock.now());
  if (!kept) throw new ManageProblem('not-found', { detail: 'No request is kept for this call' });
  requireOwn(req, kept.partner.kind, kept.partner.id);
  const at = clock.now();
  const subject = `${kept.partner.kind}:${kept.partner.id}`;
  const audit = { ...originOf(req), action: 'exchange.request-shown', subject, after: { exchange_id: exchange.id }, at };
  const shown = await refused.reveal(exchange.id, at, () => audit);
  if (!shown) throw new ManageProblem('not-found');
  return shown;
}

/** Credentials were removed before the request was stored. */
const rawView = ({ request: { method, target, rawHeaders, body } }: RefusedRequest): object => ({
  ...{ method, target },
  headers: rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]]] : [])),
  body_base64: Buffer.from(body).toString('base64'),
});

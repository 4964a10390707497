import type { Request, Router } from 'express';
import type { RefusedRequest, RefusedRequests } from '../../../../domain/credentials/explain/ports';
import type { Exchange } from '../../../../domain/exchanges/exchange';
import type { ExchangeReader } from '../../../../domain/exchanges/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { partnersToo, requireOwn, requireSeen } from './access';
import { ManageProblem } from './problem';
import { originOf, pathId, serve } from './serve';

export interface RawRequestDeps {
  readonly exchanges: ExchangeReader;
  readonly refused: RefusedRequests;
  readonly clock: Clock;
}

/** `/exchanges/{id}/raw`: a request as it came in, where it is kept to be explained; to look at it is audited. */
export function rawRequestRoutes(router: Router, deps: RawRequestDeps): void {
  serve(router, '/exchanges/:id/raw', {
    post: partnersToo(async (req, res) => {
      const exchange = await deps.exchanges.find(pathId(req, 'id'));
      if (!exchange) throw new ManageProblem('not-found');
      requireSeen(req, exchange);
      res.json(rawView(await reveal(req, exchange, deps)));
    }),
  });
}

/** Whose request it is reads it, and the operator: to the other side it is not shown. */
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

/** Credentials were left out when it was kept. */
const rawView = ({ request: { method, target, rawHeaders, body } }: RefusedRequest): object => ({
  ...{ method, target },
  headers: rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]]] : [])),
  body_base64: Buffer.from(body).toString('base64'),
});

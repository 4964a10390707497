import type { Request } from 'express';
import type { RefusedRequest, RefusedRequestRepository } from '../../../../../domain/credentials/explain/ports';
import type { Exchange, Leg } from '../../../../../domain/exchanges/exchange';
import type { ExchangeFilter, ExchangeReader } from '../../../../../domain/exchanges/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { curlOf } from '../../../../../domain/timeline/curl';
import { callerOf } from '../../../../../domain/timeline/lanes';
import { verdictOfCall } from '../../../../../domain/timeline/verdict';
import { narrowed, requireOwn, requireSeen } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { pageOf, type Read } from '../http/query';
import { type Mount, originOf, pathId, serve } from '../http/serve';
import { exchangeCalls } from './exchange-calls';

export interface ReaderRoutesDeps {
  readonly exchanges: ExchangeReader;
  readonly refused: RefusedRequestRepository;
  readonly clock: Clock;
  /** No trailing slash. */
  readonly publicBaseUrl: string;
}

/** Serves the calls about exchange records. */
export function readerRoutes(mount: Mount, deps: ReaderRoutesDeps): void {
  const { exchanges, refused, clock, publicBaseUrl } = deps;
  const seen = async (req: Request): Promise<Exchange> => {
    const exchange = await exchanges.find(pathId(req, 'id'));
    if (!exchange) throw new ManageProblem('not-found');
    requireSeen(req, exchange);
    return exchange;
  };
  serve(mount, exchangeCalls, {
    list: async (req, res, { filter, page }) => {
      const wanted = narrowed(req, filterOf(filter));
      res.json(await pageOf(page, (request) => exchanges.list(wanted, request), { show: exchangeView, cursorOf: ({ id }) => id }));
    },
    get: async (req, res) => {
      const exchange = await seen(req);
      const explainable = await refused.has(exchange.id, clock.now());
      const curl = curlOf(exchange, publicBaseUrl);
      res.json({ ...exchangeView(exchange), ...present({ curl }), ...(explainable && { explainable }) });
    },
    reveal: async (req, res) => {
      res.json(rawView(await reveal(req, await seen(req), deps)));
    },
  });
}

function filterOf(request: Read<(typeof exchangeCalls)['list']['filters']>): ExchangeFilter {
  const { client_id: clientId, app_id: appId, error_code: errorCode, request_id: requestId, part_of: partOf, ...more } = request;
  const { status_class: statusClass, failed_side: failedSide, refused_check: refusedCheck, min_ms: minMs, ...rest } = more;
  return present({ ...rest, clientId, appId, errorCode, requestId, partOf, statusClass, failedSide, refusedCheck, minMs });
}

/** An exchange in the form of the API, with the side that has to act. */
export const exchangeView = (exchange: Exchange): object =>
  present({
    id: exchange.id,
    request_id: exchange.requestId,
    call: exchange.call,
    from: callerOf(exchange.call),
    client_id: exchange.clientId,
    app_id: exchange.appId,
    reference: exchange.reference,
    at: timeText(exchange.at),
    ms: exchange.ms,
    status: exchange.status,
    error_code: exchange.errorCode,
    failed_side: exchange.failedSide,
    failed_step: exchange.failedStep,
    checks: exchange.checks,
    refused: exchange.refused,
    part_of: exchange.partOf,
    verdict: verdictOfCall(exchange),
    legs: exchange.legs.map(legView),
  });

const legView = ({ to, step, attempt, startedAt, ms, status, errorCode, cause }: Leg): object =>
  present({ to, step, attempt, started_at: timeText(startedAt), ms, status, error_code: errorCode, cause });

/** Only the sender of the request and the operator may read it. */
async function reveal(req: Request, exchange: Exchange, { refused, clock }: ReaderRoutesDeps): Promise<RefusedRequest> {
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

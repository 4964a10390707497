import type { Router } from 'express';
import type { RefusedRequestRepository } from '../../../../../domain/credentials/explain/ports';
import { checkNames, type Exchange, type Leg } from '../../../../../domain/exchanges/exchange';
import type { ExchangeFilter, ExchangeReader } from '../../../../../domain/exchanges/ports';
import type { Clock } from '../../../../../domain/shared/ports';
import { curlOf } from '../../../../../domain/timeline/curl';
import { callerOf } from '../../../../../domain/timeline/lanes';
import { verdictOfCall } from '../../../../../domain/timeline/verdict';
import { narrowed, partnersToo, requireSeen, readsQuery } from '../http/access';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { ManageProblem } from '../http/problem';
import { listQuery, oneOf, pageOf, time, whole, word, type Read } from '../http/old-query';
import { servePath } from '../http/old-serve';
import { pathId } from '../http/serve';

export interface ReaderRoutesDeps {
  readonly exchanges: ExchangeReader;
  readonly refused: RefusedRequestRepository;
  readonly clock: Clock;
  /** No trailing slash. */
  readonly publicBaseUrl: string;
}

const exchangeFilters = {
  client_id: word,
  app_id: word,
  call: word,
  status: whole(100, 599),
  error_code: word,
  request_id: word,
  status_class: whole(1, 5),
  failed_side: oneOf(['hostapp', 'miniapp', 'platform'] as const),
  refused_check: oneOf(checkNames),
  min_ms: whole(0, 999_999_999),
  part_of: word,
  from: time,
  to: time,
};

/** `/exchanges`: exchange records, newest first. */
export function readerRoutes(router: Router, { exchanges, refused, clock, publicBaseUrl }: ReaderRoutesDeps): void {
  servePath(router, '/exchanges', {
    get: partnersToo(readsQuery, async (req, res) => {
      const { filter, page } = listQuery(req, exchangeFilters);
      const wanted = narrowed(req, filterOf(filter));
      const rows = pageOf(page, (request) => exchanges.list(wanted, request), { show: exchangeView, cursorOf: ({ id }) => id });
      res.json(await rows);
    }),
  });
  servePath(router, '/exchanges/:id', {
    get: partnersToo(async (req, res) => {
      const exchange = await exchanges.find(pathId(req, 'id'));
      if (!exchange) throw new ManageProblem('not-found');
      requireSeen(req, exchange);
      const explainable = await refused.has(exchange.id, clock.now());
      const curl = curlOf(exchange, publicBaseUrl);
      res.json({ ...exchangeView(exchange), ...present({ curl }), ...(explainable && { explainable }) });
    }),
  });
}

function filterOf(request: Read<typeof exchangeFilters>): ExchangeFilter {
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

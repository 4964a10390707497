import type { Router } from 'express';
import type { RefusedRequests } from '../../../../domain/credentials/explain/ports';
import type { Exchange, Leg } from '../../../../domain/exchanges/exchange';
import type { ExchangeReader } from '../../../../domain/exchanges/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { timeText } from './partner-wire';
import { present } from './present';
import { ManageProblem } from './problem';
import { listQuery, pageOf, time, whole, word } from './query';
import { pathId, serve } from './serve';

export interface ReaderRoutesDeps {
  readonly exchanges: ExchangeReader;
  readonly refused: RefusedRequests;
  readonly clock: Clock;
}

const exchangeFilters = {
  client_id: word,
  app_id: word,
  call: word,
  status: whole(100, 599),
  error_code: word,
  request_id: word,
  from: time,
  to: time,
};

/** `/exchanges`: what happened, newest first (contract, manage.md). */
export function readerRoutes(router: Router, { exchanges, refused, clock }: ReaderRoutesDeps): void {
  serve(router, '/exchanges', {
    get: [
      async (req, res) => {
        const { filter, page } = listQuery(req, exchangeFilters);
        const { client_id: clientId, app_id: appId, error_code: errorCode, request_id: requestId, ...rest } = filter;
        const wanted = present({ ...rest, clientId, appId, errorCode, requestId });
        const rows = pageOf(page, (asked) => exchanges.list(wanted, asked), { show: exchangeView, cursorOf: ({ id }) => id });
        res.json(await rows);
      },
    ],
  });
  serve(router, '/exchanges/:id', {
    get: [
      async (req, res) => {
        const exchange = await exchanges.find(pathId(req, 'id'));
        if (!exchange) throw new ManageProblem('not-found');
        const explainable = await refused.has(exchange.id, clock.now());
        res.json({ ...exchangeView(exchange), ...(explainable && { explainable }) });
      },
    ],
  });
}

const exchangeView = (exchange: Exchange): object =>
  present({
    id: exchange.id,
    request_id: exchange.requestId,
    call: exchange.call,
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
    legs: exchange.legs.map(legView),
  });

const legView = ({ to, step, attempt, startedAt, ms, status, errorCode, cause }: Leg): object =>
  present({ to, step, attempt, started_at: timeText(startedAt), ms, status, error_code: errorCode, cause });

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallTime } from '../../../domain/exchanges/call-time';
import type { Ending } from '../../../domain/exchanges/exchange';
import { traceIdIn, type CallSpan, type InboundEnd } from '../../../domain/exchanges/tracing';
import type { Clock, IdSource, Log } from '../../../domain/shared/ports';

/** What the log line and the exchange record of one request need; written as the request goes on, never decided upon. */
export interface RequestContext {
  /** The caller's X-Request-Id, or a new one. */
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The route's name, as in routes.ts. */
  call?: string;
  clientId?: string;
  appId?: string;
  /** How a refused or failed request ended. */
  ending?: Ending;
  /** What its caller has waited for; absent: it is not watched. */
  time?: CallTime;
  /** Absent: it is not traced. */
  span?: CallSpan;
  /** Of the record that it left. */
  exchangeId?: string;
  /** Called when the answer has left, or the caller, with the milliseconds since the request came in. */
  readonly whenClosed: ((ms: number) => void)[];
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;
/** W3C Trace Context, version 00. */
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const ofAnswer = Symbol('context');

/** The context of a request that `openContext` has seen. */
export const contextOf = (res: ServerResponse): RequestContext => (res as ServerResponse & { [ofAnswer]: RequestContext })[ofAnswer];

/** The caller's X-Request-Id where it is one, else a new one. */
export function requestIdOf(req: IncomingMessage, next: () => string): string {
  const sent = req.headers['x-request-id'];
  return typeof sent === 'string' && requestIdForm.test(sent) ? sent : next();
}

interface ContextDeps {
  readonly clock: Clock;
  /** Requests are recorded by their ids: those that sort by time come to the end of an index, not all over it. */
  readonly ids: IdSource;
  readonly log: Log;
  readonly count?: CountRequest | undefined;
}

/** Hears of every answer; `status` 0: the caller had left before. */
export type CountRequest = (call: string | undefined, status: number, ms: number) => void;

/**
 * Gives a request its id, and sees to it that one line is logged when its answer has left, or its caller: no query, header or
 * body. Then whoever has put himself into `whenClosed` hears of it.
 */
export function openContext(req: IncomingMessage, res: ServerResponse, { clock, ids, log, count }: ContextDeps): RequestContext {
  const { traceparent } = req.headers;
  const requestId = requestIdOf(req, () => ids.next());
  const context: RequestContext = {
    requestId,
    traceparent: typeof traceparent === 'string' && traceparentForm.test(traceparent) ? traceparent : undefined,
    at: clock.now(),
    whenClosed: [],
  };
  (res as ServerResponse & { [ofAnswer]: RequestContext })[ofAnswer] = context;
  res.on('close', () => {
    const ms = clock.now() - context.at;
    logRequest(log, req, res, ms);
    count?.(context.call, res.writableFinished ? res.statusCode : 0, ms);
    for (const hear of context.whenClosed) hear(ms);
    context.span?.end(endOf(context, res));
  });
  return context;
}

const endOf = ({ clientId, appId, exchangeId, ending }: RequestContext, res: ServerResponse): InboundEnd => ({
  ...{ clientId, appId, exchangeId, errorCode: ending?.errorCode },
  status: res.writableFinished ? res.statusCode : undefined,
});

function logRequest(log: Log, req: IncomingMessage, res: ServerResponse, ms: number): void {
  const { requestId, call, clientId, appId, ending, span } = contextOf(res);
  const fields = {
    request_id: requestId,
    trace_id: traceIdIn(span?.traceparent),
    method: req.method,
    call,
    status: res.statusCode,
    ms,
    client_id: clientId,
    app_id: appId,
    error_code: ending?.errorCode,
    side: ending?.side,
    step: ending?.step,
    aborted: res.writableFinished ? undefined : true,
  };
  if (res.statusCode >= 500) log.error('request', fields);
  else log.info('request', fields);
}

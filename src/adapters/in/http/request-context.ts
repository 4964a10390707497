import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallTime } from '../../../domain/exchanges/call-time';
import type { Ending } from '../../../domain/exchanges/exchange';
import { traceIdIn, type CallSpan, type InboundEnd } from '../../../domain/exchanges/tracing';
import type { Clock, IdGenerator, Log } from '../../../domain/shared/ports';

/** Data about one request for its log line and its exchange record. The steps of the call fill it in; no decision depends on it. */
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
  /** How long the caller has waited so far. Absent when the call has no deadline watch. */
  time?: CallTime;
  /** Absent when the request is not traced. */
  span?: CallSpan;
  /** Id of the exchange record of this request. */
  exchangeId?: string;
  /** Callbacks that run when the response is finished or the caller has disconnected, with the milliseconds since the request arrived. */
  readonly whenClosed: ((ms: number) => void)[];
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;
/** W3C Trace Context, version 00. */
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const ofAnswer = Symbol('context');

/** The context of a request that `openContext` has seen. */
export const contextOf = (res: ServerResponse): RequestContext => (res as ServerResponse & { [ofAnswer]: RequestContext })[ofAnswer];

/** The caller's X-Request-Id if it is valid, else a new id. */
export function requestIdOf(req: IncomingMessage, next: () => string): string {
  const sent = req.headers['x-request-id'];
  return typeof sent === 'string' && requestIdForm.test(sent) ? sent : next();
}

interface ContextDeps {
  readonly clock: Clock;
  /** Request ids are keys of exchange records. Ids that sort by time are appended at the end of the index instead of spread over it. */
  readonly ids: IdGenerator;
  readonly log: Log;
  readonly count?: CountRequest | undefined;
}

/** Called for every answer. `status` is 0 when the caller had disconnected before. */
export type CountRequest = (call: string | undefined, status: number, ms: number) => void;

/**
 * Gives a request its id. When the response is finished or the caller has disconnected, logs one line (without query, headers and body) and
 * then calls the callbacks in `whenClosed`.
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
    for (const onClosed of context.whenClosed) onClosed(ms);
    context.span?.end(endOf(context, res));
  });
  return context;
}

const endOf = ({ clientId, appId, exchangeId, ending }: RequestContext, res: ServerResponse): InboundEnd => ({
  clientId,
  appId,
  exchangeId,
  errorCode: ending?.errorCode,
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

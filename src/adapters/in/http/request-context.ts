import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Ending } from '../../../domain/exchanges/exchange';
import type { Clock, Log } from '../../../domain/shared/ports';

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
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;
/** W3C Trace Context, version 00. */
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The context of a request that went through `openContext`. */
export const contextOf = (res: Response): RequestContext => res.locals.context as RequestContext;

/** The caller's X-Request-Id where it is one, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const sent = req.headers['x-request-id'];
  return typeof sent === 'string' && requestIdForm.test(sent) ? sent : randomUUID();
}

/** Gives each request its id, answers with it, and logs one line when the answer has left: no query, header or body. */
export function openContext({ clock, log }: { clock: Clock; log: Log }): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const sentTrace = req.get('traceparent') ?? '';
    const context: RequestContext = {
      requestId: requestIdOf(req),
      traceparent: traceparentForm.test(sentTrace) ? sentTrace : undefined,
      at: clock.now(),
    };
    res.locals.context = context;
    res.locals.requestId = context.requestId;
    res.setHeader('X-Request-Id', context.requestId);
    res.once('close', () => {
      logRequest(log, req, res, clock.now() - context.at);
    });
    next();
  };
}

function logRequest(log: Log, req: Request, res: Response, ms: number): void {
  const { requestId, call, clientId, appId, ending } = contextOf(res);
  const fields = { request_id: requestId, method: req.method, call, status: res.statusCode, ms, client_id: clientId, app_id: appId };
  const failure = {
    error_code: ending?.errorCode,
    side: ending?.side,
    step: ending?.step,
    aborted: res.writableFinished ? undefined : true,
  };
  if (res.statusCode >= 500) log.error('request', { ...fields, ...failure });
  else log.info('request', { ...fields, ...failure });
}

import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { PartnerRefused } from '../../../domain/partners/partner-errors';
import { isRetryable } from '../../../domain/shared/error-catalogue';
import { DomainError, refusal, type ErrorKind } from '../../../domain/shared/errors';
import { factsOfFault } from '../../../domain/shared/fault';
import { type Json, JsonObject } from '../../../domain/shared/json';
import type { Log } from '../../../domain/shared/ports';
import { sendJson } from './answer';
import { contextOf } from './request-context';

/** The only table from a kind of failure to a status (decisions §1). */
const statusOf: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  conflict: 400,
  'partner-refused': 400,
  'partner-garbled': 400,
  'partner-unreachable': 400,
  'no-such-path': 404,
  'wrong-method': 405,
  'too-large': 413,
  'wrong-media-type': 415,
  'too-many': 429,
  unavailable: 503,
  fault: 500,
};

/** Refusals of the body reader (body-parser's `type`), in our words. */
const bodyFaults: Readonly<Record<string, () => DomainError>> = {
  'entity.too.large': () => refusal('too-large', 'PAYLOAD_TOO_LARGE'),
  'encoding.unsupported': () => refusal('wrong-media-type', 'UNSUPPORTED_MEDIA_TYPE'),
  'request.size.invalid': () => refusal('invalid', 'PARSING_ERROR_INVALID_REQUEST_BODY'),
  'request.aborted': () => refusal('invalid', 'PARSING_ERROR_INVALID_REQUEST_BODY'),
};

/** Any error as one of ours. What is not known is our own fault, and says nothing of itself. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const type = (error as { type?: unknown } | undefined)?.type;
  const known = typeof type === 'string' && Object.hasOwn(bodyFaults, type) ? bodyFaults[type] : undefined;
  if (known) return known();
  // The router refuses a path whose percent-encoding cannot be decoded.
  if (error instanceof URIError) return refusal('no-such-path', 'NOT_FOUND');
  return refusal('fault', 'UNKNOWN_ERROR', { side: 'platform' });
}

/** Where every refusal leaves: the Error body of the contract, with the status that its kind stands for. */
export function errorHandler({ log, exposeExceptions }: { log: Log; exposeExceptions: boolean }): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const known = asDomainError(error);
    const context = contextOf(res);
    const status = statusOf[known.kind];
    const { side, step } = known.details;
    context.ending = { status, errorCode: known.code, side, step };
    if (known.kind === 'fault') log.error('fault', { request_id: context.requestId, ...factsOfFault(error) });
    if (res.headersSent) {
      next(error);
      return;
    }
    setErrorHeaders(res, known);
    // The rest of a body that was refused is not read: the connection cannot be used again.
    if (!req.complete) res.setHeader('Connection', 'close');
    sendJson(res, { status, body: errorBody(known, context.requestId, exposeExceptions ? factsOfFault(error).exception : undefined) });
  };
}

/** Answers whatever no route took. */
export const noSuchPath: RequestHandler = () => {
  throw refusal('no-such-path', 'NOT_FOUND');
};

function setErrorHeaders(res: Response, { kind, details }: DomainError): void {
  if (kind === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Basic realm="pierhead", charset="UTF-8"');
  if (details.retryAfterS !== undefined) res.setHeader('Retry-After', Math.max(1, Math.ceil(details.retryAfterS)));
}

function errorBody(error: DomainError, requestId: string, exception: string | undefined): JsonObject {
  const { side, step, fields, setting, cause, outcome, retryable } = error.details;
  const ours: Record<string, Json | undefined> = {
    request_id: requestId,
    retryable: retryable ?? isRetryable(error.code),
    side,
    step,
    fields: fields?.map(({ path, rule }) => JsonObject.of({ path, rule })),
    setting,
    cause,
    outcome,
  };
  const attributes = new Map(error instanceof PartnerRefused ? error.attributes?.members : undefined);
  for (const [name, value] of Object.entries(ours)) if (value !== undefined && !attributes.has(name)) attributes.set(name, value);
  return JsonObject.of({
    error_code: error.code,
    error_message: error.message,
    exception,
    custom_attributes: new JsonObject(attributes),
  });
}

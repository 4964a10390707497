import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { traceIdIn } from '../../../domain/exchanges/tracing';
import { PartnerRefused } from '../../../domain/partners/partner-errors';
import { isRetryable } from '../../../domain/shared/error-catalogue';
import type { ErrorKind } from '../../../domain/shared/error-kind';
import { DomainError, refusal } from '../../../domain/shared/errors';
import { errorFields } from '../../../domain/shared/fault';
import { type Json, JsonObject } from '../../../domain/shared/json';
import type { Log } from '../../../domain/shared/ports';
import { sendJson, type Answer } from './answer';
import { isOverdue } from './deadlines/answers-in-time';
import { setRateHeaders } from './reading/rate-headers';
import { nearestPath } from './reading/nearest-path';
import { pathOf } from './reading/path-of';
import { contextOf } from './request-context';

/** The only mapping from a kind of error to an HTTP status (contract/conventions#statuses). */
export const statusOf: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 400,
  conflict: 400,
  'not-ready': 400,
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

/** Converts any error to a DomainError. An unknown error counts as our own fault and shows no details. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  // The router refuses a path whose percent-encoding cannot be decoded.
  if (error instanceof URIError) return refusal('no-such-path', 'NOT_FOUND');
  return refusal('fault', 'UNKNOWN_ERROR', { side: 'platform' });
}

export interface RefusalDeps {
  readonly log: Log;
  /** Adds the class name of an unexpected error to the answer's `exception`. */
  readonly exposeExceptions: boolean;
}

/**
 * Sends every refusal: the Error body of the contract, with the status of its kind. Returns false when an answer has already begun to
 * leave.
 */
export function refuse(error: unknown, req: IncomingMessage, res: ServerResponse, { log, exposeExceptions }: RefusalDeps): boolean {
  const known = asDomainError(error);
  const context = contextOf(res);
  const status = statusOf[known.kind];
  const { side, step } = known.details;
  context.ending = { status, errorCode: known.code, side, step };
  if (known.kind === 'fault') {
    const { requestId, span } = context;
    log.error('fault', { request_id: requestId, trace_id: traceIdIn(span?.traceparent), ...errorFields(error) });
  }
  if (res.headersSent) return false;
  setErrorHeaders(res, known);
  // The rest of the body stays unread, so the connection cannot be reused.
  if (!req.complete) res.setHeader('Connection', 'close');
  void sendJson(res, errorAnswer(error, context.requestId, exposeExceptions));
  return true;
}

/** Error handler for everything that Express serves. */
export const errorHandler =
  (deps: RefusalDeps): ErrorRequestHandler =>
  (error: unknown, req, res, next) => {
    if (isOverdue(res) && res.headersSent) return;
    if (!refuse(error, req, res, deps)) next(error);
  };

/** The answer to any error: a status and the Error body. */
export function errorAnswer(error: unknown, requestId: string, exposeExceptions: boolean): Answer {
  const known = asDomainError(error);
  const exception = exposeExceptions ? errorFields(error).exception : undefined;
  return { status: statusOf[known.kind], body: errorBody(known, requestId, exception) };
}

/** Refuses requests that no route has handled, and suggests the nearest public path if one is close. */
export const noSuchPath =
  (publicPaths: readonly string[]): RequestHandler =>
  (req) => {
    const near = nearestPath(pathOf(req.originalUrl), publicPaths);
    throw refusal('no-such-path', 'NOT_FOUND', {}, near && `No such path. Did you mean ${near}?`);
  };

/** The WWW-Authenticate challenge for an error code, by the credentials that are missing (RFC 9110 §11.6.1). */
const challengeOf = (code: string): string =>
  code === 'ACCESS_DENIED' ? 'Basic realm="pierhead", charset="UTF-8"' : 'Signature realm="pierhead"';

function setErrorHeaders(res: ServerResponse, { kind, code, details }: DomainError): void {
  if (kind === 'unauthenticated') res.setHeader('WWW-Authenticate', challengeOf(code));
  if (details.rate) setRateHeaders(res, details.rate);
  if (details.retryAfterS !== undefined) res.setHeader('Retry-After', Math.max(1, Math.ceil(details.retryAfterS)));
}

function errorBody(error: DomainError, requestId: string, exception: string | undefined): JsonObject {
  const { side, step, fields, setting, cause, address, outcome, retryable, exception: theirs } = error.details;
  const ours: Record<string, Json | undefined> = {
    request_id: requestId,
    retryable: retryable ?? isRetryable(error.code),
    side,
    step,
    fields: fields?.map(({ path, rule }) => JsonObject.of({ path, rule })),
    setting,
    cause,
    address,
    outcome,
  };
  if (error instanceof PartnerRefused && error.answer) return relayedRefusal(error.answer, error.message, ours);
  const attributes = completed(error instanceof PartnerRefused ? error.attributes : undefined, ours);
  return JsonObject.of({
    error_code: error.code,
    error_message: error.message,
    exception: theirs ?? exception,
    custom_attributes: attributes,
  });
}

/**
 * Relays a host app's refusal of an order call: adds missing members and changes none of its own
 * (contract/payments#refusals-of-the-host-app).
 */
function relayedRefusal(answer: JsonObject, message: string, ours: Record<string, Json | undefined>): JsonObject {
  const [theirMessage, theirs] = [answer.get('error_message'), answer.get('custom_attributes')];
  return answer.changedBy({
    error_message: isMissing(theirMessage) || theirMessage === '' ? message : undefined,
    custom_attributes: isMissing(theirs) || theirs instanceof JsonObject ? completed(theirs, ours) : undefined,
  });
}

const isMissing = (json: Json | undefined): json is null | undefined => json === undefined || json === null;

/** Adds our attributes to a partner's attributes, except those that the partner has set itself. */
function completed(theirs: JsonObject | null | undefined, ours: Record<string, Json | undefined>): JsonObject {
  if (!theirs) return JsonObject.of(ours);
  const missing = Object.entries(ours).filter(([name]) => !theirs.members.has(name));
  return theirs.changedBy(Object.fromEntries(missing));
}

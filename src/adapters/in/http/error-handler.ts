import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { traceIdIn } from '../../../domain/exchanges/tracing';
import { PartnerRefused } from '../../../domain/partners/partner-errors';
import { isRetryable } from '../../../domain/shared/error-catalogue';
import type { ErrorKind } from '../../../domain/shared/error-kind';
import { DomainError, refusal } from '../../../domain/shared/errors';
import { factsOfFault } from '../../../domain/shared/fault';
import { type Json, JsonObject } from '../../../domain/shared/json';
import type { Log } from '../../../domain/shared/ports';
import { sendJson, type Answer } from './answer';
import { isOverdue } from './deadlines/answers-in-time';
import { setRateHeaders } from './rate-headers';
import { nearestPath } from './nearest-path';
import { pathOf } from './path-of';
import { contextOf } from './request-context';

/** The only table from a kind of failure to a status (contract/conventions#statuses). */
export const statusOf: Record<ErrorKind, number> = {
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

/** Any error as one of ours. An unknown error is our own fault, and shows no details. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  // The router refuses a path whose percent-encoding cannot be decoded.
  if (error instanceof URIError) return refusal('no-such-path', 'NOT_FOUND');
  return refusal('fault', 'UNKNOWN_ERROR', { side: 'platform' });
}

/** What refusals work with. */
export interface RefusalDeps {
  readonly log: Log;
  /** Puts the class name of a fault into `exception`. */
  readonly exposeExceptions: boolean;
}

/**
 * Where every refusal leaves: the Error body of the contract, with the status that its kind stands for. False: an answer has
 * begun to leave already.
 */
export function refuse(error: unknown, req: IncomingMessage, res: ServerResponse, { log, exposeExceptions }: RefusalDeps): boolean {
  const known = asDomainError(error);
  const context = contextOf(res);
  const status = statusOf[known.kind];
  const { side, step } = known.details;
  context.ending = { status, errorCode: known.code, side, step };
  if (known.kind === 'fault') {
    const { requestId, span } = context;
    log.error('fault', { request_id: requestId, trace_id: traceIdIn(span?.traceparent), ...factsOfFault(error) });
  }
  if (res.headersSent) return false;
  setErrorHeaders(res, known);
  // The rest of a body that was refused is not read: the connection cannot be used again.
  if (!req.complete) res.setHeader('Connection', 'close');
  sendJson(res, errorAnswer(error, context.requestId, exposeExceptions));
  return true;
}

/** Refusals of what Express serves. */
export const errorHandler =
  (deps: RefusalDeps): ErrorRequestHandler =>
  (error: unknown, req, res, next) => {
    if (isOverdue(res) && res.headersSent) return;
    if (!refuse(error, req, res, deps)) next(error);
  };

/** What any error is answered with: a status and the Error body. */
export function errorAnswer(error: unknown, requestId: string, exposeExceptions: boolean): Answer {
  const known = asDomainError(error);
  const exception = exposeExceptions ? factsOfFault(error).exception : undefined;
  return { status: statusOf[known.kind], body: errorBody(known, requestId, exception) };
}

/** Answers whatever no route took, with the nearest of the public paths where one is near. */
export const noSuchPath =
  (publicPaths: readonly string[]): RequestHandler =>
  (req) => {
    const near = nearestPath(pathOf(req.originalUrl), publicPaths);
    throw refusal('no-such-path', 'NOT_FOUND', {}, near && `No such path. Did you mean ${near}?`);
  };

/** What would prove the caller, by the code that names the missing part (RFC 9110 §11.6.1). */
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

/** A host app's refusal of an order call, as it came: missing members are added, and nothing of its own changed (contract/payments#refusals-of-the-host-app). */
function relayedRefusal(answer: JsonObject, message: string, ours: Record<string, Json | undefined>): JsonObject {
  const members = new Map(answer.members);
  if (isMissing(answer.get('error_message')) || answer.get('error_message') === '') members.set('error_message', message);
  const theirs = answer.get('custom_attributes');
  if (isMissing(theirs) || theirs instanceof JsonObject) members.set('custom_attributes', completed(theirs ?? undefined, ours));
  return new JsonObject(members);
}

const isMissing = (json: Json | undefined): json is null | undefined => json === undefined || json === null;

/** A partner's attributes, if there are any, and those of ours that it did not give itself. */
function completed(theirs: JsonObject | undefined, ours: Record<string, Json | undefined>): JsonObject {
  const attributes = new Map(theirs?.members);
  for (const [name, value] of Object.entries(ours)) if (value !== undefined && !attributes.has(name)) attributes.set(name, value);
  return new JsonObject(attributes);
}

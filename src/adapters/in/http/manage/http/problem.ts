import type { ErrorRequestHandler } from 'express';
import type { ErrorKind } from '../../../../../domain/shared/error-kind';
import { DomainError, type FieldProblem } from '../../../../../domain/shared/errors';
import type { Log } from '../../../../../domain/shared/ports';
import { isOverdue } from '../../deadlines/answers-in-time';

interface ProblemParts {
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Problem kinds: the last part of `type`, with status and title. They are part of the API. */
export const problemKinds = {
  'malformed-request': [400, 'The request cannot be read'],
  'invalid-content': [400, 'The request breaks a rule'],
  unauthenticated: [401, 'Nobody is signed in, or the token is wrong'],
  'not-allowed': [403, 'Your account may not do this'],
  forbidden: [403, 'The service is not set up to do this'],
  'cross-site': [403, 'The request does not come from a page of this service'],
  'not-found': [404, 'There is no such thing'],
  'method-not-allowed': [405, 'This path does not take this method'],
  conflict: [409, 'The request does not fit the stored record'],
  'not-ready': [409, 'The integration is not ready to go live'],
  'precondition-failed': [412, 'The record has another version'],
  'content-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body must be JSON in UTF-8, not compressed'],
  'too-many': [429, 'Too many calls of this kind: wait a little'],
  fault: [500, 'The service failed'],
  unavailable: [503, 'The service cannot answer right now'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemKind = keyof typeof problemKinds;

/** A refusal of the manage API (RFC 9457). */
export class ManageProblem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly parts: ProblemParts = {},
  ) {
    super(parts.detail ?? problemKinds[kind][1]);
    this.name = new.target.name;
  }
}

/** Limits the problems in one answer, as a body can break many rules. */
const maxErrors = 100;

/** The only place that converts an error to an answer of the manage API. */
export const problemHandler =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    if (isOverdue(res) && res.headersSent) return;
    const requestId = String(res.locals['requestId']);
    const { kind, parts } = problemOf(error);
    // Logs only the class name: a driver's message can quote the value to be stored.
    if (kind === 'fault')
      log.error('manage.fault', { request_id: requestId, exception: error instanceof Error ? error.name : typeof error });
    // An answer that has begun cannot become another one: whoever reads it must see that it is not whole.
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const { status, text } = problemText(kind, parts, requestId);
    // The rest of the body stays unread, so the connection cannot be reused.
    if (!req.complete) res.set('Connection', 'close');
    res
      .status(status)
      .set(parts.headers ?? {})
      .type('application/problem+json')
      .send(text);
  };

/** A problem document ready to be written without Express, for requests that do not reach the manage API. */
export function bareProblem(kind: ProblemKind, { detail, retryAfterS }: { detail: string; retryAfterS: number }, requestId: string) {
  const { status, text } = problemText(kind, { detail }, requestId);
  const body = Buffer.from(text, 'utf8');
  const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers: { ...headers, 'Content-Length': body.length, 'Retry-After': retryAfterS }, body };
}

function problemText(kind: ProblemKind, { detail, errors: all }: ProblemParts, requestId: string): { status: number; text: string } {
  const [status, title] = problemKinds[kind];
  const errors = all?.slice(0, maxErrors);
  return { status, text: JSON.stringify({ type: `urn:pierhead:problem:${kind}`, title, status, detail, request_id: requestId, errors }) };
}

const withDetail = ({ message: detail }: DomainError): ProblemParts => ({ detail });
const withFields = ({ details: { fields } }: DomainError): ProblemParts => ({ ...(fields && { errors: fields }) });
const withBoth = (error: DomainError): ProblemParts => ({ ...withDetail(error), ...withFields(error) });
const noParts = (): ProblemParts => ({});
const retryAfter =
  (defaultS: number) =>
  ({ details: { retryAfterS = defaultS } }: DomainError): ProblemParts => ({ headers: { 'Retry-After': String(retryAfterS) } });

/** The problem of each kind of domain error. A kind without a row is a fault of the service. */
const problemOfKind: Readonly<Partial<Record<ErrorKind, readonly [ProblemKind, (error: DomainError) => ProblemParts]>>> = {
  invalid: ['invalid-content', withFields],
  unauthenticated: ['unauthenticated', withDetail],
  forbidden: ['not-allowed', withDetail],
  'not-found': ['not-found', withDetail],
  conflict: ['conflict', withBoth],
  'not-ready': ['not-ready', withBoth],
  'too-large': ['content-too-large', noParts],
  'wrong-media-type': ['unsupported-media-type', noParts],
  'too-many': ['too-many', retryAfter(60)],
  unavailable: [
    'unavailable',
    (error) => ({ ...retryAfter(1)(error), ...(error.details.cause !== undefined && { detail: error.details.cause }) }),
  ],
};

function problemOf(error: unknown): ManageProblem {
  if (error instanceof ManageProblem) return error;
  return (error instanceof DomainError ? domainProblem(error) : readingProblem(error)) ?? new ManageProblem('fault');
}

/** Converts a refusal that the current settings cause (disabled or incomplete) to a problem `forbidden` or `conflict`. */
export function asStandingProblem(error: unknown): unknown {
  if (!(error instanceof DomainError) || ['not-found', 'unavailable', 'too-many'].includes(error.kind)) return error;
  const { kind, code, message } = error;
  return kind === 'forbidden'
    ? new ManageProblem('forbidden', { detail: message })
    : new ManageProblem('conflict', { detail: `${code}: ${message}` });
}

function domainProblem(error: DomainError): ManageProblem | undefined {
  const { kind, code, message, details } = error;
  if (code === 'PARSING_ERROR_INVALID_REQUEST_BODY')
    return new ManageProblem('malformed-request', { detail: details.cause === undefined ? message : `${message}: ${details.cause}` });
  // An invalid request names its fields. Without them the service itself has used an invalid value.
  if (kind === 'invalid' && details.fields === undefined) return undefined;
  const row = problemOfKind[kind];
  return row && new ManageProblem(row[0], row[1](error));
}

/** Errors of Express and its body reader carry a status. Their message can quote the request, so it is not sent. */
function readingProblem(error: unknown): ManageProblem | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new ManageProblem('content-too-large');
  if (status === 415) return new ManageProblem('unsupported-media-type');
  return status === 400 ? new ManageProblem('malformed-request') : undefined;
}

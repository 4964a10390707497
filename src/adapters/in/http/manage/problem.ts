import type { ErrorRequestHandler } from 'express';
import { UnknownLane } from '../../../../domain/deliveries/release-lane';
import { UnknownResend } from '../../../../domain/deliveries/resend-deliveries';
import { UnknownDelivery } from '../../../../domain/deliveries/resend-delivery';
import {
  PartnerExists,
  StaleVersion,
  UnknownAgreement,
  UnknownCredentialValue,
  UnknownPartner,
} from '../../../../domain/partners/registry-errors';
import { DomainError, type FieldProblem, InvalidInput } from '../../../../domain/shared/errors';
import type { Log } from '../../../../domain/shared/ports';

interface ProblemParts {
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The kinds of problem: the last part of `type`, with its status and title. They are part of the API. */
const kinds = {
  'malformed-request': [400, 'The request cannot be read'],
  'invalid-content': [400, 'The request breaks a rule'],
  unauthenticated: [401, 'The operator token is missing or wrong'],
  forbidden: [403, 'The service is not set up to do this'],
  'not-found': [404, 'There is no such thing'],
  'method-not-allowed': [405, 'This path does not take this method'],
  conflict: [409, 'The request does not fit what is stored'],
  'precondition-failed': [412, 'The record has another version'],
  'content-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body must be JSON in UTF-8, not compressed'],
  fault: [500, 'The service failed'],
  unavailable: [503, 'The service cannot answer right now'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemKind = keyof typeof kinds;

/** A refusal of the manage API (RFC 9457). */
export class ManageProblem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly parts: ProblemParts = {},
  ) {
    super(parts.detail ?? kinds[kind][1]);
    this.name = new.target.name;
  }
}

/** A body can break more rules than an answer should hold. */
const mostErrors = 100;

/** The only place where an error becomes an answer of the manage API. */
export const problemHandler =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const requestId = String(res.locals['requestId']);
    const { kind, parts } = problemOf(error);
    // The name alone: the message of a driver can quote what was to be stored.
    if (kind === 'fault')
      log.error('manage.fault', { request_id: requestId, exception: error instanceof Error ? error.name : typeof error });
    const { status, text } = problemText(kind, parts, requestId);
    res
      .status(status)
      .set(parts.headers ?? {})
      .type('application/problem+json')
      .send(text);
  };

/** The problem document to a request that the manage API itself is not asked about, ready to be written. */
export function bareProblem(kind: ProblemKind, { detail, retryAfterS }: { detail: string; retryAfterS: number }, requestId: string) {
  const { status, text } = problemText(kind, { detail }, requestId);
  const body = Buffer.from(text, 'utf8');
  const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers: { ...headers, 'Content-Length': body.length, 'Retry-After': retryAfterS }, body };
}

function problemText(kind: ProblemKind, { detail, errors: all }: ProblemParts, requestId: string): { status: number; text: string } {
  const [status, title] = kinds[kind];
  const errors = all?.slice(0, mostErrors);
  return { status, text: JSON.stringify({ type: `urn:pierhead:problem:${kind}`, title, status, detail, request_id: requestId, errors }) };
}

function problemOf(error: unknown): ManageProblem {
  if (error instanceof ManageProblem) return error;
  if (error instanceof InvalidInput) return new ManageProblem('invalid-content', { errors: error.details.fields ?? [] });
  if (error instanceof PartnerExists) {
    return new ManageProblem('conflict', { detail: error.message, errors: error.details.fields ?? [] });
  }
  if (error instanceof StaleVersion) return new ManageProblem('conflict', { detail: error.message });
  const unknown = [UnknownPartner, UnknownAgreement, UnknownCredentialValue, UnknownDelivery, UnknownResend, UnknownLane];
  if (error instanceof Error && unknown.some((kind) => error instanceof kind)) {
    return new ManageProblem('not-found', { detail: error.message });
  }
  return (error instanceof DomainError ? domainProblem(error) : readingProblem(error)) ?? new ManageProblem('fault');
}

function domainProblem({ kind, code, message, details }: DomainError): ManageProblem | undefined {
  if (kind === 'unavailable') return new ManageProblem('unavailable', { headers: { 'Retry-After': String(details.retryAfterS ?? 1) } });
  if (kind === 'wrong-media-type') return new ManageProblem('unsupported-media-type');
  if (code !== 'PARSING_ERROR_INVALID_REQUEST_BODY') return undefined;
  return new ManageProblem('malformed-request', { detail: details.cause === undefined ? message : `${message}: ${details.cause}` });
}

/** What Express and its body reader refuse by themselves carries a status; its message can quote the request and stays inside. */
function readingProblem(error: unknown): ManageProblem | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new ManageProblem('content-too-large');
  if (status === 415) return new ManageProblem('unsupported-media-type');
  return status === 400 ? new ManageProblem('malformed-request') : undefined;
}

import type { ErrorRequestHandler } from 'express';
import { AccountExists, SignInRefused, UnknownAccount } from '../../../../domain/accounts/account-errors';
import { NotAbortable } from '../../../../domain/deliveries/abort-delivery';
import { UnknownLane } from '../../../../domain/deliveries/release-lane';
import { UnknownResend } from '../../../../domain/deliveries/resend-deliveries';
import { UnknownDelivery } from '../../../../domain/deliveries/resend-delivery';
import { AlreadyRunning, UnknownOperation } from '../../../../domain/operations/operations-errors';
import {
  PartnerExists,
  StaleVersion,
  UnknownAgreement,
  UnknownCredentialValue,
  UnknownPartner,
  UnknownShadow,
} from '../../../../domain/partners/registry-errors';
import { NoSuchCounterpart, NotYoursToDecide, ProposalConflict } from '../../../../domain/partners/proposal';
import { UnknownPayment } from '../../../../domain/payments/payment-book';
import { UnknownUser } from '../../../../domain/sso/user-book';
import { UnknownMute } from '../../../../domain/problems/mute-problem';
import { NotLive, NotReady } from '../../../../domain/readiness/go-live';
import { DomainError, type FieldProblem, InvalidInput } from '../../../../domain/shared/errors';
import type { Log } from '../../../../domain/shared/ports';
import { isOverdue } from '../deadlines/answers-in-time';

interface ProblemParts {
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The kinds of problem: the last part of `type`, with its status and title. They are part of the API. */
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

/** A body can break more rules than an answer should hold. */
const mostErrors = 100;

/** The only place where an error becomes an answer of the manage API. */
export const problemHandler =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, _req, res, next) => {
    if (isOverdue(res) && res.headersSent) return;
    if (res.headersSent) {
      next(error);
      return;
    }
    const requestId = String(res.locals['requestId']);
    const { kind, parts } = problemOf(error);
    // The name alone: the message of a driver can quote the value to be stored.
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
  const [status, title] = problemKinds[kind];
  const errors = all?.slice(0, mostErrors);
  return { status, text: JSON.stringify({ type: `urn:pierhead:problem:${kind}`, title, status, detail, request_id: requestId, errors }) };
}

const unknown = [
  UnknownPartner,
  UnknownAgreement,
  NoSuchCounterpart,
  UnknownCredentialValue,
  UnknownDelivery,
  UnknownResend,
  UnknownLane,
  UnknownPayment,
  UnknownUser,
  UnknownOperation,
  UnknownAccount,
  UnknownMute,
  UnknownShadow,
];
const isUnknown = (error: unknown): boolean => unknown.some((kind) => error instanceof kind);

function problemOf(error: unknown): ManageProblem {
  if (error instanceof ManageProblem) return error;
  if (error instanceof InvalidInput) return new ManageProblem('invalid-content', { errors: error.details.fields ?? [] });
  if (error instanceof PartnerExists || error instanceof AccountExists || error instanceof ProposalConflict) {
    return new ManageProblem('conflict', { detail: error.message, errors: error.details.fields ?? [] });
  }
  if (error instanceof NotYoursToDecide) return new ManageProblem('not-allowed', { detail: error.message });
  if (error instanceof SignInRefused) return new ManageProblem('unauthenticated', { detail: error.message });
  if (error instanceof NotReady) return new ManageProblem('not-ready', { detail: error.message, errors: error.details.fields ?? [] });
  if (error instanceof NotLive) return new ManageProblem('conflict', { detail: error.message });
  if (error instanceof StaleVersion || error instanceof AlreadyRunning) return new ManageProblem('conflict', { detail: error.message });
  if (error instanceof NotAbortable) return new ManageProblem('conflict', { detail: error.message });
  if (error instanceof Error && isUnknown(error)) return new ManageProblem('not-found', { detail: error.message });
  return (error instanceof DomainError ? domainProblem(error) : readingProblem(error)) ?? new ManageProblem('fault');
}

/** Why something cannot be done as the settings stand now: it is switched off, or they are not complete. */
export function asStandingProblem(error: unknown): unknown {
  if (!(error instanceof DomainError) || isUnknown(error) || ['unavailable', 'too-many'].includes(error.kind)) return error;
  const { kind, code, message } = error;
  return kind === 'forbidden'
    ? new ManageProblem('forbidden', { detail: message })
    : new ManageProblem('conflict', { detail: `${code}: ${message}` });
}

function domainProblem({ kind, code, message, details }: DomainError): ManageProblem | undefined {
  if (kind === 'unavailable') {
    const headers = { 'Retry-After': String(details.retryAfterS ?? 1) };
    return new ManageProblem('unavailable', { headers, ...(details.cause !== undefined && { detail: details.cause }) });
  }
  if (kind === 'too-many') return new ManageProblem('too-many', { headers: { 'Retry-After': String(details.retryAfterS ?? 60) } });
  if (kind === 'wrong-media-type') return new ManageProblem('unsupported-media-type');
  if (kind === 'too-large') return new ManageProblem('content-too-large');
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

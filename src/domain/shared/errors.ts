import { catalogue, type ErrorCode } from './error-catalogue';
import type { ErrorKind } from './error-kind';
import type { RateCount } from './rate-count';

/** The side that caused a failure. */
export type Side = 'hostapp' | 'miniapp' | 'platform';

/** The leg of a relay that failed. */
export type Step = 'exchange' | 'refresh' | 'user_data' | 'miniapp_token' | 'client_token' | 'create' | 'status' | 'webhook' | 'event';

/** A field that breaks a rule; `path` is for example `user_data.email` or `order.items[2].price`. */
export interface FieldProblem {
  readonly path: string;
  readonly rule: string;
  /** A stable kebab-case name of the problem, where programs may need to distinguish it. */
  readonly cause?: string;
}

/** The content of `custom_attributes` in the Error body, besides the request id. No secrets, no raw answer of a partner. */
export interface ErrorDetails {
  readonly side?: Side;
  readonly step?: Step;
  readonly fields?: readonly FieldProblem[];
  readonly setting?: string;
  readonly cause?: string;
  /** The caller's own address, if it was refused. */
  readonly address?: string;
  readonly retryable?: boolean;
  /** Seconds after which a retry makes sense; sent as the Retry-After header. */
  readonly retryAfterS?: number;
  /** The limit that was reached; sent as the RateLimit headers. */
  readonly rate?: RateCount;
  /** The outcome of the action, if it is not known: `unknown`. */
  readonly outcome?: string;
  /** A partner's own `exception`, relayed as that of the Error body (contract/conventions#error-body). */
  readonly exception?: string;
}

/** A refusal or failure with a stable code. The message is for people and quotes no secret. */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    /** A code of the catalogue, or a partner's own, passed through. */
    readonly code: string,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** Makes an error from the catalogue, with the catalogue's message by default. */
export function refusal(kind: ErrorKind, code: ErrorCode, details: ErrorDetails = {}, message?: string): DomainError {
  return new DomainError(kind, code, message ?? catalogue[code].meaning, details);
}

/** Thrown when a field is missing, of the wrong type, too long or out of range. */
export class InvalidInput extends DomainError {
  constructor(fields: readonly FieldProblem[], code: ErrorCode = 'INVALID_INPUT') {
    const first = fields[0];
    super('invalid', code, first ? `${first.path}: ${first.rule}` : catalogue[code].meaning, { fields });
  }
}

/** Thrown when a resource of the service is temporarily unavailable: the database, or capacity for another call. */
export class Unavailable extends DomainError {
  constructor(cause: string, retryAfterS = 1) {
    super('unavailable', 'SERVICE_UNAVAILABLE', catalogue.SERVICE_UNAVAILABLE.meaning, { cause, retryAfterS, side: 'platform' });
  }
}

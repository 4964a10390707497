import { catalogue, type ErrorCode } from './error-catalogue';
import type { ErrorKind } from './error-kind';
import type { RateCount } from './rate-count';

/** Whose doing a failure is. */
export type Side = 'hostapp' | 'miniapp' | 'platform';

/** The leg of a relay that failed. */
export type Step = 'exchange' | 'refresh' | 'user_data' | 'miniapp_token' | 'client_token' | 'create' | 'status' | 'webhook' | 'event';

/** One field that broke one rule; `path` as `user_data.email` or `order.items[2].price`. */
export interface FieldProblem {
  readonly path: string;
  readonly rule: string;
  /** A stable name of the problem, in kebab-case, where programs may want to tell it apart. */
  readonly cause?: string;
}

/** What goes into `custom_attributes` of the Error body, beside the request id. No secret, no partner's raw answer. */
export interface ErrorDetails {
  readonly side?: Side;
  readonly step?: Step;
  readonly fields?: readonly FieldProblem[];
  readonly setting?: string;
  readonly cause?: string;
  /** The caller's own address, where it was refused. */
  readonly address?: string;
  readonly retryable?: boolean;
  /** Seconds after which a repeat makes sense; becomes the Retry-After header. */
  readonly retryAfterS?: number;
  /** The limit that was reached; becomes the RateLimit headers. */
  readonly rate?: RateCount;
  /** How the action ended, where that is not known: `unknown`. */
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

/** A refusal from the catalogue, with its message unless another is given. */
export function refusal(kind: ErrorKind, code: ErrorCode, details: ErrorDetails = {}, message?: string): DomainError {
  return new DomainError(kind, code, message ?? catalogue[code].meaning, details);
}

/** A field is missing, of the wrong type, too long or out of range. */
export class InvalidInput extends DomainError {
  constructor(fields: readonly FieldProblem[], code: ErrorCode = 'INVALID_INPUT') {
    const first = fields[0];
    super('invalid', code, first ? `${first.path}: ${first.rule}` : catalogue[code].meaning, { fields });
  }
}

/** Something of our own is away for a while: the database, or room for one more call. */
export class Unavailable extends DomainError {
  constructor(cause: string, retryAfterS = 1) {
    super('unavailable', 'SERVICE_UNAVAILABLE', catalogue.SERVICE_UNAVAILABLE.meaning, { cause, retryAfterS, side: 'platform' });
  }
}

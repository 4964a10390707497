import { catalogue, isRetryable, type ErrorCode } from '../shared/error-catalogue';
import { DomainError, type ErrorDetails, type Side, type Step } from '../shared/errors';
import type { JsonObject } from '../shared/json';

/** The partner and step of a failed call. */
export interface PartnerLeg {
  readonly side: Extract<Side, 'hostapp' | 'miniapp'>;
  readonly step: Step;
}

/** The partner refused the call with an error code of its own, which is passed on. */
export class PartnerRefused extends DomainError {
  constructor(
    leg: PartnerLeg,
    code: string,
    message: string,
    /** The partner's own error context, relayed beside ours. */
    readonly attributes?: JsonObject,
    /** The partner's answer, if it is passed on whole and unchanged (contract/payments#refusals-of-the-host-app). */
    readonly answer?: JsonObject,
    exception?: string,
  ) {
    super('partner-refused', code, message, { ...leg, retryable: isRetryable(code), ...(exception !== undefined && { exception }) });
  }
}

/** The partner's answer does not follow the contract. */
export class PartnerGarbled extends DomainError {
  constructor(leg: PartnerLeg, code: ErrorCode, details: ErrorDetails = {}) {
    super('partner-garbled', code, catalogue[code].meaning, { retryable: isRetryable(code), ...leg, ...details });
  }

  /** Whether the answer was a 4xx without an error code, which still counts as a refusal. Its `cause` is `http-` and the status. */
  get refusedByStatus(): boolean {
    return this.details.cause?.startsWith('http-4') ?? false;
  }
}

/** Causes for which no request was sent, so that the partner cannot have acted on it (contract/partner-calls#no-answer). */
const neverSentCauses = [
  'dns',
  'connect',
  'connect-timeout',
  'tls-certificate',
  'tls-host-name',
  'tls-protocol',
  'denied-address',
] as const;

/** Causes for which no readable answer came, although at least part of the request was sent. */
type SentCause = 'timeout' | 'reset' | 'not-http' | 'headers-too-large' | 'too-large' | 'redirect';

/** Keyword for why no readable answer came. Records from before 2026-11 also contain `tls` and `address`. */
export type UnreachableCause = (typeof neverSentCauses)[number] | SentCause;

/** No readable answer came. `cause` is a keyword of ours, never the message of a resolver or socket. */
export class PartnerUnreachable extends DomainError {
  constructor(leg: PartnerLeg, cause: UnreachableCause) {
    super('partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', catalogue.UNEXPECTED_RESPONSE_ERROR.meaning, { ...leg, cause });
  }
}

/** The host app rejects this user access token: with a 401, or one of the two codes in the body. */
export class UserTokenRejected extends PartnerRefused {}

/** The partner's URL for this call was never stored. */
export class EndpointNotSet extends DomainError {
  constructor(leg: PartnerLeg, setting: string) {
    super('invalid', 'ENDPOINT_URL_NOT_SET', catalogue.ENDPOINT_URL_NOT_SET.meaning, { ...leg, setting });
  }
}

/** Causes of failures before anything is sent. `header`: a value that no header can hold; the last two: PartnerBusy. */
const beforeSending: readonly (string | undefined)[] = [...neverSentCauses, 'header', 'partner-saturated', 'circuit-open'];

/** Whether a call failed before a byte of it was sent, so that the partner cannot have acted on it. False: unknown. */
export const wasNeverSent = ({ details }: DomainError): boolean => beforeSending.includes(details.cause);

import { catalogue, isRetryable, type ErrorCode } from '../shared/error-catalogue';
import { DomainError, type ErrorDetails, type Side, type Step } from '../shared/errors';
import type { JsonObject } from '../shared/json';

/** Where a partner call failed. */
export interface PartnerLeg {
  readonly side: Extract<Side, 'hostapp' | 'miniapp'>;
  readonly step: Step;
}

/** The partner understood and said no, with a code of its own that is passed on. */
export class PartnerRefused extends DomainError {
  constructor(
    leg: PartnerLeg,
    code: string,
    message: string,
    /** The partner's own context, relayed beside ours. */
    readonly attributes?: JsonObject,
    /** The partner's answer, where the whole of it goes out as it came (contract/payments#refusals-of-the-host-app). */
    readonly answer?: JsonObject,
    exception?: string,
  ) {
    super('partner-refused', code, message, { ...leg, retryable: isRetryable(code), ...(exception !== undefined && { exception }) });
  }
}

/** The partner answered, but not as agreed. */
export class PartnerGarbled extends DomainError {
  constructor(leg: PartnerLeg, code: ErrorCode, details: ErrorDetails = {}) {
    super('partner-garbled', code, catalogue[code].meaning, { retryable: isRetryable(code), ...leg, ...details });
  }

  /** The answer was a plain 4xx: a no, though without a code. Its `cause` is `http-` and the status. */
  get refusedByStatus(): boolean {
    return this.details.cause?.startsWith('http-4') ?? false;
  }
}

/** Why a request was never sent: the partner cannot have acted on it (contract/partner-calls#no-answer). */
const neverSentCauses = [
  'dns',
  'connect',
  'connect-timeout',
  'tls-certificate',
  'tls-host-name',
  'tls-protocol',
  'denied-address',
] as const;

/** Why no readable answer came, though the request was sent at least in part. */
type SentCause = 'timeout' | 'reset' | 'not-http' | 'headers-too-large' | 'too-large' | 'redirect';

/** Why no readable answer came, in one word. Records from before 2026-11 also hold `tls` and `address`. */
export type UnreachableCause = (typeof neverSentCauses)[number] | SentCause;

/** No readable answer came. `cause` is a word of ours, never the text of a resolver or socket. */
export class PartnerUnreachable extends DomainError {
  constructor(leg: PartnerLeg, cause: UnreachableCause) {
    super('partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', catalogue.UNEXPECTED_RESPONSE_ERROR.meaning, { ...leg, cause });
  }
}

/** The host app does not take this user access token any more: a 401, or one of the two codes in the body. */
export class UserTokenRejected extends PartnerRefused {}

/** The partner's URL for this call was never stored. */
export class EndpointNotSet extends DomainError {
  constructor(leg: PartnerLeg, setting: string) {
    super('invalid', 'ENDPOINT_URL_NOT_SET', catalogue.ENDPOINT_URL_NOT_SET.meaning, { ...leg, setting });
  }
}

/** `header`: a value that no header can hold; the last two: PartnerBusy. */
const beforeSending: readonly (string | undefined)[] = [...neverSentCauses, 'header', 'partner-saturated', 'circuit-open'];

/** Whether a call failed before a byte of it was written: the partner cannot have acted on it. False: nobody knows. */
export const wasNeverSent = ({ details }: DomainError): boolean => beforeSending.includes(details.cause);

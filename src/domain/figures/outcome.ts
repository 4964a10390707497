import type { ErrorCode } from '../shared/error-catalogue';
import type { Side, Step } from '../shared/errors';

/** The outcome of an exchange, as a keyword. */
export const outcomes = ['ok', 'partner_error', 'refused', 'platform_error'] as const;
export type Outcome = (typeof outcomes)[number];

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** Outcomes of one slot; `slot` is its beginning, in milliseconds since the epoch. */
export interface TrafficSlot extends OutcomeCounts {
  readonly slot: number;
}

/** The ending of an exchange. Absent members: the exchange succeeded, or the sums are not divided by ending. */
export interface CountedEnding {
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly failedSide?: Side | undefined;
  readonly failedStep?: Step | undefined;
}

/** Why the service refused a call. */
export const causes = ['basic', 'signature', 'address', 'feature', 'other'] as const;
export type Cause = (typeof causes)[number];

const causeOfCode: Readonly<Partial<Record<ErrorCode, Cause>>> = {
  ACCESS_DENIED: 'basic',
  MISSING_HEADER: 'signature',
  INVALID_SIGNATURE: 'signature',
  SIGNATURE_VALIDATION_ERROR: 'signature',
  NOT_A_WHITELISTED_IP: 'address',
  NO_INTEGRATION: 'feature',
  HOSTAPP_INTEGRATION_NOT_SET: 'feature',
  MINIAPP_INTEGRATION_NOT_SET: 'feature',
  FEATURE_DISABLED_IN_HOSTAPP: 'feature',
  FEATURE_DISABLED_IN_MINIAPP: 'feature',
  FEATURE_DISABLED_IN_INTEGRATION: 'feature',
  EVENT_RECEIVER_DISABLED: 'feature',
};

/** The error codes with a cause other than `other`. */
export const codesOfCauses = Object.keys(causeOfCode);

/** A failed call to a partner is a `partner_error`; any other status below 500 is a refusal by the service. */
export function outcomeOf({ status = 200, errorCode, failedSide, failedStep }: CountedEnding): Outcome {
  if (status < 400) return 'ok';
  const isPartners = failedStep !== undefined && (failedSide === 'hostapp' || failedSide === 'miniapp');
  // A call that is not made, because its receiver is disabled, has a step as well.
  if (isPartners && causeOf(errorCode) === 'other') return 'partner_error';
  return status >= 500 ? 'platform_error' : 'refused';
}

/** Why a call was refused, by its error code. */
export function causeOf(errorCode: string | undefined): Cause {
  const known = errorCode !== undefined && Object.hasOwn(causeOfCode, errorCode);
  return (known ? causeOfCode[errorCode as ErrorCode] : undefined) ?? 'other';
}

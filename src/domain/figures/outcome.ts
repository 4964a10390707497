import type { ErrorCode } from '../shared/error-catalogue';
import type { CountedEnding } from './ports';

/** How an exchange ended, in one word. */
export const outcomes = ['ok', 'partner_error', 'refused', 'platform_error'] as const;
export type Outcome = (typeof outcomes)[number];

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

/** A partner's failure is one in a call to it; all else below 500 is a refusal of the service. */
export function outcomeOf({ status = 200, errorCode, failedSide, failedStep }: CountedEnding): Outcome {
  if (status < 400) return 'ok';
  const isPartners = failedStep !== undefined && (failedSide === 'hostapp' || failedSide === 'miniapp');
  // Also a call that is not made, as its receiver takes none, has a step.
  if (isPartners && causeOf(errorCode) === 'other') return 'partner_error';
  return status >= 500 ? 'platform_error' : 'refused';
}

/** Why it was refused, by the code of the refusal. */
export function causeOf(errorCode: string | undefined): Cause {
  const known = errorCode !== undefined && Object.hasOwn(causeOfCode, errorCode);
  return (known ? causeOfCode[errorCode as ErrorCode] : undefined) ?? 'other';
}

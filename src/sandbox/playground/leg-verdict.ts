import { catalogue, type ErrorCode } from '../../domain/shared/error-catalogue';

/** The facts about a failure. */
export interface Failure {
  readonly code: string;
  /** The partner that caused the failure, in words. Absent when only the caller or the operator can have caused it. */
  readonly partner?: string;
  /** Set when the code comes from the partner's answer or from a missing answer: the service's operator can do nothing. */
  readonly answered?: boolean;
  /** The caller, in words. */
  readonly caller: string;
  /** Why there was no readable answer, as one word. */
  readonly cause?: string | undefined;
}

/** Two sentences: what went wrong, and which side has to act. */
export function verdictOf({ code, partner, answered, caller, cause }: Failure): string {
  const known = Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode] : undefined;
  const meaning = known?.meaning ?? `The ${partner ?? 'partner'}'s own code, passed on as it came`;
  const other = `The ${partner ?? 'partner'}`;
  const acting = { caller: `The ${caller}`, partner: other, operator: answered ? other : 'The operator' }[known?.acts ?? 'partner'];
  const why = cause === undefined ? '' : ` (${cause})`;
  return `${meaning}${why}. ${acting} has to act.${known?.retryable ? ' The same call may succeed later.' : ''}`;
}

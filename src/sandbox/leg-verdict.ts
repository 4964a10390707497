import { catalogue, type ErrorCode } from '../domain/shared/error-catalogue';

/** The facts about a failure. */
export interface Failure {
  readonly code: string;
  /** The partner whose doing it is, in words; absent: nobody else's than the caller's or the operator's. */
  readonly partner?: string;
  /** The code came from the partner's own answer or for want of one: the operator of the service can do nothing. */
  readonly answered?: boolean;
  /** Who made the call, in words. */
  readonly caller: string;
  /** Why there was no readable answer, in one word. */
  readonly cause?: string | undefined;
}

/** One sentence on what went wrong and one on who has to act. */
export function verdictOf({ code, partner, answered, caller, cause }: Failure): string {
  const known = Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode] : undefined;
  const meaning = known?.meaning ?? `The ${partner ?? 'partner'}'s own code, passed on as it came`;
  const other = `The ${partner ?? 'partner'}`;
  const acting = { caller: `The ${caller}`, partner: other, operator: answered ? other : 'The operator' }[known?.acts ?? 'partner'];
  const why = cause === undefined ? '' : ` (${cause})`;
  return `${meaning}${why}. ${acting} has to act.${known?.retryable ? ' The same call may succeed later.' : ''}`;
}

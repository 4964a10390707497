import type { RateLimiter } from '../credentials/ports';
import type { Integration } from '../partners/integrations/integration';
import { DomainError, refusal } from '../shared/errors';
import { limitedAddress } from '../shared/limited-address';
import type { Clock } from '../shared/ports';
import type { RateCount } from '../shared/rate-count';

/** The caller of a sign-on; the limit on failures counts per caller. */
export interface SignOnCaller {
  readonly integration: Integration;
  /** The caller's address. */
  readonly address: string;
}

interface Spent {
  readonly rate: RateCount;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Maximum number of used-up budgets that are remembered; each costs its caller a minute's failures. */
const maxSpent = 10_000;

/**
 * Counts failed sign-ons per integration and address (RATE_LIMITS.sign_on_failures, 60 a minute): codes, payloads and tokens that the
 * service or a partner refused, never outages. All instances count together; each process remembers used-up budgets that it met, so a call
 * that does not fail costs no SQL statement. Source: contract/sign-on#failures.
 */
export class SignOnFailures {
  private readonly spent = new Map<string, Spent>();

  constructor(private readonly deps: { readonly limiter: RateLimiter; readonly clock: Clock }) {}

  /** Throws RATE_LIMITED while the budget is used up. */
  requireBudget(caller: SignOnCaller): void {
    const subject = subjectOf(caller);
    const known = this.spent.get(subject);
    if (!known) return;
    const leftMs = known.until - this.deps.clock.now();
    if (leftMs > 0) {
      const rate = { ...known.rate, resetS: Math.ceil(leftMs / 1000) };
      throw refusal('too-many', 'RATE_LIMITED', { retryAfterS: rate.resetS, rate, side: 'platform' });
    }
    this.spent.delete(subject);
  }

  /** Counts one failure. Throws RATE_LIMITED where the budget was used up before. */
  async failed(caller: SignOnCaller): Promise<void> {
    const subject = subjectOf(caller);
    try {
      const rate = await this.deps.limiter.count({ limit: 'sign_on_failures', subject });
      if (rate.remaining === 0) this.remember(subject, rate);
    } catch (error) {
      if (error instanceof DomainError && error.details.rate) this.remember(subject, error.details.rate);
      throw error;
    }
  }

  private remember(subject: string, rate: RateCount): void {
    const [oldest] = this.spent.keys();
    if (this.spent.size >= maxSpent && oldest !== undefined) this.spent.delete(oldest);
    this.spent.set(subject, { rate, until: this.deps.clock.now() + rate.resetS * 1000 });
  }
}

/** Whether a sign-on failed because a partner refused the caller's input. */
export const isRefusedSignOn = (error: unknown): boolean => error instanceof DomainError && error.kind === 'partner-refused';

const subjectOf = ({ integration, address }: SignOnCaller): string => JSON.stringify([integration.id, limitedAddress(address)]);

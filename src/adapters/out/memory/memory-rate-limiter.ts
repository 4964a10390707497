import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateBucket, RateLimiter } from '../../../domain/credentials/ports';
import { refusal } from '../../../domain/shared/errors';
import { requireIds } from '../../../domain/shared/required-id';

const windowS = 60;

/** Counts in this process alone. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly limiters: ReadonlyMap<string, RateLimiterMemory>;

  /** `limits`: how many in a minute, by the name of the limit. */
  constructor({ limits }: { readonly limits: Readonly<Record<string, number>> }) {
    const entries = Object.entries(limits).map(
      ([limit, points]) => [limit, new RateLimiterMemory({ keyPrefix: limit, points, duration: windowS })] as const,
    );
    this.limiters = new Map(entries);
  }

  async count({ limit, subject }: RateBucket): Promise<void> {
    requireIds({ limit, subject });
    const limiter = this.limiters.get(limit);
    if (!limiter) throw new Error(`No limit is named ${limit}`);
    try {
      await limiter.consume(subject);
    } catch (reached) {
      if (!(reached instanceof RateLimiterRes)) throw reached;
      const retryAfterS = Math.max(1, Math.ceil(reached.msBeforeNext / 1000));
      throw refusal('too-many', 'RATE_LIMITED', { retryAfterS, side: 'platform' });
    }
  }
}

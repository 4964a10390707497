import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateBucket, RateLimiter } from '../../../../domain/credentials/ports';
import { refusal } from '../../../../domain/shared/errors';
import type { RateCount } from '../../../../domain/shared/rate-count';
import { requireIds } from '../../../../domain/shared/required-id';

const windowS = 60;

/** A rate limiter that counts in this process only. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly limiters: ReadonlyMap<string, RateLimiterMemory>;

  /** `limits`: the allowed points per minute by the name of the limit. */
  constructor({ limits }: { readonly limits: Readonly<Record<string, number>> }) {
    const entries = Object.entries(limits).map(
      ([limit, points]) => [limit, new RateLimiterMemory({ keyPrefix: limit, points, duration: windowS })] as const,
    );
    this.limiters = new Map(entries);
  }

  async count({ limit, subject }: RateBucket): Promise<RateCount> {
    requireIds({ limit, subject });
    const limiter = this.limiters.get(limit);
    if (!limiter) throw new Error(`No limit is named ${limit}`);
    try {
      return countOf(limiter.points, await limiter.consume(subject));
    } catch (reached) {
      if (!(reached instanceof RateLimiterRes)) throw reached;
      const rate = countOf(limiter.points, reached);
      throw refusal('too-many', 'RATE_LIMITED', { retryAfterS: rate.resetS, rate, side: 'platform' });
    }
  }
}

const countOf = (limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): RateCount => ({
  limit,
  remaining: Math.max(0, remainingPoints),
  resetS: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});

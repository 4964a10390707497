import type { RateBucket, RateLimiter } from '../../../domain/credentials/ports';
import { DomainError } from '../../../domain/shared/errors';
import type { RateCount } from '../../../domain/shared/rate-count';
import type { Sample } from './sample';
import { Counts } from './tally';

/** Counts refusals; the wrapped limiter decides. */
export class CountedRateLimiter implements RateLimiter {
  private readonly refused = new Counts('pierhead_rate_limited_total');

  constructor(private readonly limiter: RateLimiter) {}

  count(bucket: RateBucket): Promise<RateCount> {
    return this.limiter.count(bucket).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'too-many') this.refused.add(bucket.limit);
      throw error;
    });
  }

  samples(): readonly Sample[] {
    return [this.refused.sample()];
  }
}

import type { CheckedPartner } from '../exchanges/exchange';
import { DomainError } from '../shared/errors';
import { limitedAddress } from '../shared/limited-address';
import type { RateLimiter } from './ports';

/** The limit of contract/signatures#texts-that-are-tried, by its name in RATE_LIMITS. */
export const signatureLimit = 'signature';

/** How many subjects are remembered at most; the oldest is forgotten first. */
const rememberedAtMost = 10_000;

/** Wrong signatures of one app from one address. */
export interface FailureBudget {
  /** Whether the limit of this minute is known to be reached: then only the raw bytes are tried. */
  isSpent(partner: CheckedPartner, address: string, now: number): boolean;
  /** Counts one. */
  failed(partner: CheckedPartner, address: string, now: number): Promise<void>;
}

/**
 * Counts over all instances; that a limit is reached is remembered here, so that a right signature costs no question. Each
 * instance learns it by the first failure that it counts itself.
 */
export class SignatureFailures implements FailureBudget {
  /** Until when (milliseconds since the epoch), by subject. */
  private readonly spent = new Map<string, number>();

  constructor(private readonly limiter: RateLimiter) {}

  isSpent(partner: CheckedPartner, address: string, now: number): boolean {
    if (this.spent.size === 0) return false;
    return now < (this.spent.get(subjectOf(partner, address)) ?? 0);
  }

  async failed(partner: CheckedPartner, address: string, now: number): Promise<void> {
    const subject = subjectOf(partner, address);
    const endsInS = await this.count(subject);
    if (endsInS === undefined) return;
    this.spent.delete(subject);
    if (this.spent.size >= rememberedAtMost) this.spent.delete(this.spent.keys().next().value ?? '');
    this.spent.set(subject, now + endsInS * 1000);
  }

  /** Seconds until the minute ends, where its limit is reached; `undefined`: it is not. */
  private async count(subject: string): Promise<number | undefined> {
    try {
      const { remaining, resetS } = await this.limiter.count({ limit: signatureLimit, subject });
      return remaining > 0 ? undefined : resetS;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'RATE_LIMITED') throw error;
      return error.details.retryAfterS;
    }
  }
}

const subjectOf = ({ kind, id }: CheckedPartner, address: string): string => `${kind}:${id} ${limitedAddress(address)}`;

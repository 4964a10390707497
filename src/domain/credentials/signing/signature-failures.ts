import type { CheckedPartner } from '../../exchanges/exchange';
import { DomainError } from '../../shared/errors';
import { limitedAddress } from '../../shared/limited-address';
import type { RateLimiter } from '../ports';

/** The name in RATE_LIMITS of the limit of contract/signatures#texts-that-are-tried. */
export const signatureLimit = 'signature';

/** Maximum number of subjects that are remembered; the oldest is forgotten first. */
const maxRemembered = 10_000;

/** Counts wrong signatures by app and address. */
export interface FailureBudget {
  /** Whether this minute's limit is known to be reached: then only the body's raw bytes are tried. */
  isSpent(partner: CheckedPartner, address: string, now: number): boolean;
  /** Counts one failure. */
  failed(partner: CheckedPartner, address: string, now: number): Promise<void>;
}

/**
 * Counts failures over all instances. A reached limit is remembered in the process, so that a valid signature needs no query. Each
 * instance notices a reached limit by the next failure that it counts itself.
 */
export class SignatureFailures implements FailureBudget {
  /** When each subject's limit ends, in milliseconds since the epoch. */
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
    if (this.spent.size >= maxRemembered) this.spent.delete(this.spent.keys().next().value ?? '');
    this.spent.set(subject, now + endsInS * 1000);
  }

  /** Counts a failure. Resolves to the seconds until the minute ends if the limit is reached, otherwise to `undefined`. */
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

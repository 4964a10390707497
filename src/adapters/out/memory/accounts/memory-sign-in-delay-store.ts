import { delayAfter, delayRules } from '../../../../domain/accounts/delay';
import type { SignInDelayStore } from '../../../../domain/accounts/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';

/** Sign-in delays in memory. */
export class MemorySignInDelayStore implements SignInDelayStore {
  private readonly kept = new Map<string, { readonly attempts: number; readonly blockedUntil: number; readonly expiresAt: number }>();

  constructor(private readonly clock: Clock) {}

  async attempt(subject: string, free?: number): Promise<number> {
    requireIds({ subject });
    const now = this.clock.now();
    const found = this.kept.get(subject);
    const before = found && found.expiresAt > now ? found : undefined;
    if (before && before.blockedUntil > now) return before.blockedUntil - now;
    const attempts = (before?.attempts ?? 0) + 1;
    this.kept.set(subject, { attempts, blockedUntil: now + delayAfter(attempts, free), expiresAt: now + delayRules.forgottenMs });
    return 0;
  }

  async clear(subject: string): Promise<void> {
    requireIds({ subject });
    this.kept.delete(subject);
  }
}

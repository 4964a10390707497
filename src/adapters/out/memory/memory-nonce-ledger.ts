import type { NonceLedger, UsedNonce } from '../../../domain/credentials/ports';
import { requireIds } from '../../../domain/shared/required-id';

/** Nonces of this process alone, forgotten soon after they expire. */
export class MemoryNonceLedger implements NonceLedger {
  /** Until when, by partner and nonce, in the order of use. */
  private readonly used = new Map<string, number>();

  /** How many are held. */
  get size(): number {
    return this.used.size;
  }

  async use({ partner, nonce }: UsedNonce, now: number, until: number): Promise<boolean> {
    requireIds({ partner, nonce });
    this.forgetExpired(now);
    const key = JSON.stringify([partner, nonce]);
    if ((this.used.get(key) ?? -Infinity) >= now) return false;
    this.used.delete(key);
    this.used.set(key, until);
    return true;
  }

  /** From the oldest on, up to one that still holds: what stands behind it waits for it, so each is looked at once. */
  private forgetExpired(now: number): void {
    for (const [key, until] of this.used) {
      if (until >= now) return;
      this.used.delete(key);
    }
  }
}

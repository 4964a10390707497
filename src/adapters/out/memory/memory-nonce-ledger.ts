import { nonceSubjects, type NonceLedger, type UsedNonce } from '../../../domain/credentials/ports';
import { requireIds } from '../../../domain/shared/required-id';

/** Nonces of this process alone, forgotten soon after they expire. */
export class MemoryNonceLedger implements NonceLedger {
  /** Until when, by subject and nonce, in the order of use. */
  private readonly used = new Map<string, number>();

  /** How many are held. */
  get size(): number {
    return this.used.size;
  }

  async use(used: UsedNonce, now: number, until: number): Promise<boolean> {
    const { partner, nonce } = used;
    requireIds({ partner, nonce });
    this.forgetExpired(now);
    const names = nonceSubjects(used).map((subject) => JSON.stringify([subject, nonce]));
    const isNew = names.every((name) => (this.used.get(name) ?? -Infinity) < now);
    if (!isNew) return false;
    for (const name of names) {
      this.used.delete(name);
      this.used.set(name, until);
    }
    return true;
  }

  /** From the oldest on, up to one that still holds: those behind it wait for it, so each is checked once. */
  private forgetExpired(now: number): void {
    for (const [key, until] of this.used) {
      if (until >= now) return;
      this.used.delete(key);
    }
  }
}

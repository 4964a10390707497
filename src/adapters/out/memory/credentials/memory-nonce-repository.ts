import { nonceSubjects, type NonceRepository, type UsedNonce } from '../../../../domain/credentials/ports';
import { requireIds } from '../../../../domain/shared/required-id';

/** Nonces of this process only, removed soon after they expire. */
export class MemoryNonceRepository implements NonceRepository {
  /** The expiry of each nonce, by subject and nonce, in the order of use. */
  private readonly used = new Map<string, number>();

  /** The number of stored nonces. */
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

  /** Removes expired nonces from the oldest on, up to the first valid one. Entries behind it are checked later, so each is checked once. */
  private forgetExpired(now: number): void {
    for (const [key, until] of this.used) {
      if (until >= now) return;
      this.used.delete(key);
    }
  }
}

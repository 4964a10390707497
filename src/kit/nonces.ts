import { MemoryNonceRepository } from '../adapters/out/memory/credentials/memory-nonce-repository';
import type { NonceRepository } from '../domain/credentials/ports';

/** Stores used nonces. When several processes receive the platform's calls, they must share one store, such as a table or cache. */
export interface NonceStore {
  /**
   * Stores a nonce until the given time (milliseconds since the epoch). Returns false when it was stored before and has not expired; of
   * concurrent calls with one nonce, exactly one gets true. It must fail when it cannot decide, so that the call is refused.
   */
  use(nonce: string, until: number): boolean | Promise<boolean>;
}

/** Stores nonces in this process's memory until they expire. */
export class MemoryNonceStore implements NonceStore {
  private readonly repository = new MemoryNonceRepository();

  use(nonce: string, until: number): Promise<boolean> {
    return this.repository.use({ partner: 'platform', nonce }, Date.now(), until);
  }
}

/** Adapts a store to the port of the signature check. */
export const repositoryOver = (store: NonceStore): NonceRepository => ({
  use: async ({ nonce }, _now, until) => store.use(nonce, until),
});

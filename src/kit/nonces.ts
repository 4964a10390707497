import { MemoryNonceLedger } from '../adapters/out/memory/memory-nonce-ledger';
import type { NonceLedger } from '../domain/credentials/ports';

/** Nonces that were seen. Where several processes take the platform's calls, they must share it: a table, a cache. */
export interface NonceStore {
  /**
   * Notes a nonce until then (milliseconds since the epoch). False: it was noted before, and has not expired. Of many who note
   * one at once, one hears true. It must fail, not answer, where it cannot tell: then the call is not let in.
   */
  use(nonce: string, until: number): boolean | Promise<boolean>;
}

/** Nonces of this process alone, forgotten when they expire. */
export class MemoryNonceStore implements NonceStore {
  private readonly ledger = new MemoryNonceLedger();

  use(nonce: string, until: number): Promise<boolean> {
    return this.ledger.use({ partner: 'platform', nonce }, Date.now(), until);
  }
}

/** How the signature check asks. */
export const ledgerOver = (store: NonceStore): NonceLedger => ({
  use: async ({ nonce }, _now, until) => store.use(nonce, until),
});

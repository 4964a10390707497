import type { DataSource } from 'typeorm';
import type { NonceLedger, UsedNonce } from '../../../domain/credentials/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { Log } from '../../../domain/shared/ports';
import { pruneExpired, pruneStatement } from './prune-expired';
import { run, type Statement } from './statement';

/**
 * The unique key decides between racers; an expired nonce counts as one that was never used. Its last millisecond still
 * holds: a timestamp exactly at the end of its window is accepted in that very millisecond.
 */
const use: Statement = {
  name: 'used-nonces.use',
  text: `
    insert into used_nonces (partner, nonce, expires_at) values ($1, $2, $4)
    on conflict (partner, nonce) do update set expires_at = excluded.expires_at
    where used_nonces.expires_at < $3
    returning 1`,
};

// Expiry is told by the clocks of the instances and pruned by the database's: ten minutes are more than they may differ.
const prune = pruneStatement('used_nonces', ['partner', 'nonce'], `expires_at < now() - interval '10 minutes'`);

/** Nonces in Postgres, one ledger for all instances. While it is away nothing is accepted, and each refusal is counted in the log. */
export class PostgresNonceLedger implements NonceLedger {
  private refusedWhileAway = 0;

  constructor(private readonly deps: { readonly db: DataSource; readonly log: Log }) {}

  async use({ partner, nonce }: UsedNonce, now: number, until: number): Promise<boolean> {
    requireIds({ partner, nonce });
    try {
      return (await run(this.deps.db, use, [partner, nonce, new Date(now), new Date(until)])).length > 0;
    } catch (error) {
      this.refusedWhileAway += 1;
      this.deps.log.warn('nonce-ledger-away', { refused: this.refusedWhileAway });
      throw error;
    }
  }

  /** Removes what has expired; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }
}

import type { DataSource } from 'typeorm';
import { nonceSubjects, type NonceLedger, type UsedNonce } from '../../../domain/credentials/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { Log } from '../../../domain/shared/ports';
import { columnParameters } from './array-parameters';
import { GroupedStatements } from './grouped-statements';
import { pruneExpired, pruneStatement } from './prune-expired';
import { run, type Statement } from './statement';

/**
 * The unique key decides between racers; an expired nonce counts as one that was never used. Its last millisecond still
 * holds: a timestamp exactly at the end of its window is accepted in that very millisecond. Arrays of partners, nonces and ends, each
 * nonce once; rows are written in one order by all, so that no two statements wait for each other.
 */
const use: Statement = {
  name: 'used-nonces.use',
  text: `
    insert into used_nonces (partner, nonce, expires_at)
    select partner, nonce, expires_at from unnest($1::text[], $2::text[], $3::timestamptz[]) as g (partner, nonce, expires_at)
    order by partner, nonce
    on conflict (partner, nonce) do update set expires_at = excluded.expires_at
    where used_nonces.expires_at < $4
    returning partner, nonce`,
};

/** Nonces that one statement uses at most. */
const most = 64;

/** A nonce that is used at `now`, and holds `until`. */
interface Use extends UsedNonce {
  readonly now: number;
  readonly until: number;
}

const nameOf = ({ partner, nonce }: UsedNonce): string => JSON.stringify([partner, nonce]);

// Expiry goes by the clocks of the instances, pruning by the database's: ten minutes are more than they may differ.
const prune = pruneStatement('used_nonces', 'expires_at', `expires_at < now() - interval '10 minutes'`);

/** Nonces in Postgres, one ledger for all instances. While it is away nothing is accepted, and each refusal is counted in the log. */
export class PostgresNonceLedger implements NonceLedger {
  private refusedWhileAway = 0;
  private readonly uses = new GroupedStatements<Use, boolean>({ most, run: (group) => this.useAll(group), nameOf });

  constructor(private readonly deps: { readonly db: DataSource; readonly log: Log }) {}

  /** The rows of one nonce are brought together, so they go in one statement. */
  async use(used: UsedNonce, now: number, until: number): Promise<boolean> {
    const { partner, nonce } = used;
    requireIds({ partner, nonce });
    try {
      const rows = nonceSubjects(used).map((subject) => this.uses.add({ partner: subject, nonce, now, until }));
      return (await Promise.all(rows)).every((isNew) => isNew);
    } catch (error) {
      this.refusedWhileAway += 1;
      this.deps.log.warn('nonce-ledger-away', { refused: this.refusedWhileAway });
      throw error;
    }
  }

  /** Whether each was unused. They come within milliseconds of each other; the first of them says what has expired. */
  private async useAll(group: readonly Use[]): Promise<boolean[]> {
    const rows = group.map(({ partner, nonce, until }) => [partner, nonce, new Date(until)]);
    const columns = columnParameters(['text', 'text', 'timestamptz'], rows);
    const now = new Date(Math.min(...group.map((one) => one.now)));
    const unused = new Set((await run<UsedNonce>(this.deps.db, use, [...columns, now])).map(nameOf));
    return group.map((one) => unused.has(nameOf(one)));
  }

  /** Removes what has expired; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }
}

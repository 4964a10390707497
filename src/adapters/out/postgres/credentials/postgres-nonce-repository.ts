import type { DataSource } from 'typeorm';
import { nonceSubjects, type NonceRepository, type UsedNonce } from '../../../../domain/credentials/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { Log } from '../../../../domain/shared/ports';
import { columnParameters } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { run, type Statement } from '../connection/statement';

/**
 * The unique key decides between concurrent uses; an expired nonce counts as unused. A nonce is still valid in its last millisecond,
 * because a timestamp exactly at the end of its window is accepted in that millisecond. Takes arrays of partners, distinct nonces and ends.
 * All statements write rows in one order, so that they cannot deadlock.
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

/** The maximum number of nonces that one statement uses. */
const maxGroupSize = 64;

/** A nonce used at `now` and stored until `until`. */
interface Use extends UsedNonce {
  readonly now: number;
  readonly until: number;
}

const nameOf = ({ partner, nonce }: UsedNonce): string => JSON.stringify([partner, nonce]);

// Expiry uses the instances' clocks, pruning the database's. They may differ by less than ten minutes.
const prune = pruneStatement('used_nonces', 'expires_at', `expires_at < now() - interval '10 minutes'`);

/** Nonces in Postgres, shared by all instances. While the database is unavailable no nonce is accepted, and the log counts the refusals. */
export class PostgresNonceRepository implements NonceRepository {
  private refusedWhileAway = 0;
  private readonly uses = new GroupedStatements<Use, boolean>({ maxGroupSize, run: (group) => this.useAll(group), nameOf });

  constructor(private readonly deps: { readonly db: DataSource; readonly log: Log }) {}

  /** Uses of one nonce never share a statement, so they run one after another. */
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

  /** Whether each nonce was unused. The uses are milliseconds apart, so the time of the first decides which rows have expired. */
  private async useAll(group: readonly Use[]): Promise<boolean[]> {
    const rows = group.map(({ partner, nonce, until }) => [partner, nonce, new Date(until)]);
    const columns = columnParameters(['text', 'text', 'timestamptz'], rows);
    const now = new Date(Math.min(...group.map((one) => one.now)));
    const unused = new Set((await run<UsedNonce>(this.deps.db, use, [...columns, now])).map(nameOf));
    return group.map((one) => unused.has(nameOf(one)));
  }

  /** Removes expired nonces; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }
}

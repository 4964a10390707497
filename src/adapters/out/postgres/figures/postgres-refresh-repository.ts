import type { DataSource } from 'typeorm';
import type { FigureQuery } from '../../../../domain/figures/ports';
import {
  RefreshTally,
  type RefreshCount,
  type RefreshFigureReader,
  type RefreshLog,
  type TokenRefresh,
} from '../../../../domain/figures/refreshes';
import { errorFields } from '../../../../domain/shared/fault';
import type { Clock, Log } from '../../../../domain/shared/ports';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { run, type Statement } from '../connection/statement';
import { BackgroundFlush } from '../connection/background-flush';

const flushAfterMs = 2000;
const batchSize = 1000;
const key = 'client_id, minute, token, outcome';

const write: Statement = {
  name: 'refreshes.write',
  // Writes rows in key order, like other instances, so that they cannot deadlock.
  text: `
    insert into token_refreshes as kept (${key}, count)
    select ${key}, count from json_to_recordset($1::json) as x(client_id text, minute timestamptz, token text, outcome text, count bigint)
    order by client_id collate "C", minute, token collate "C", outcome collate "C"
    on conflict (${key}) do update set count = kept.count + excluded.count`,
};

const read: Statement = {
  name: 'refreshes.read',
  text: `
    select date_bin($4 * interval '1 second', minute, timestamptz 'epoch') as slot, token, outcome, sum(count)::double precision as count
    from token_refreshes where minute >= $1 and minute < $2 and ($3::text is null or client_id = $3)
    group by 1, 2, 3`,
};

const prune = pruneStatement('token_refreshes', 'minute', `minute < now() - interval '31 days'`);

interface Deps {
  readonly db: DataSource;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Counts token refreshes in memory and writes the counts to Postgres in groups every two seconds. Keeps counts that cannot be written and
 * tries again.
 */
export class PostgresRefreshRepository implements RefreshLog, RefreshFigureReader {
  private readonly tally = new RefreshTally();
  private readonly background = new BackgroundFlush({
    afterMs: () => flushAfterMs,
    isEmpty: () => this.tally.isEmpty,
    work: () => this.writeTally(),
  });

  constructor(private readonly deps: Deps) {}

  refreshed(refresh: TokenRefresh): void {
    this.tally.refreshed(refresh, this.deps.clock.now());
    this.background.wake();
  }

  async refreshes({
    from,
    to,
    slotS,
    clientId,
  }: Pick<FigureQuery, 'from' | 'to' | 'slotS' | 'clientId'>): Promise<readonly RefreshCount[]> {
    const values = [new Date(from), new Date(to), clientId ?? null, slotS];
    const rows = await run<Omit<RefreshCount, 'slot'> & { slot: Date }>(this.deps.db, read, values);
    return rows.map(({ slot, token, outcome, count }) => ({ slot: slot.getTime(), token, outcome, count }));
  }

  /** Removes rows older than 31 days; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.deps.db, prune);
  }

  /** Writes the counts. Concurrent calls share one write. Never rejects. */
  flush(): Promise<void> {
    return this.background.flush();
  }

  /** Writes the remaining counts. */
  close(): Promise<void> {
    return this.background.close();
  }

  private async writeTally(): Promise<void> {
    const rows = this.tally.drain();
    for (let at = 0; at < rows.length; at += batchSize) {
      const stored = rows.slice(at, at + batchSize).map(({ clientId, minute, ...row }) => {
        return { ...row, client_id: clientId, minute: new Date(minute) };
      });
      try {
        await run(this.deps.db, write, [JSON.stringify(stored)]);
      } catch (error) {
        this.tally.restore(rows.slice(at));
        this.deps.log.warn('refreshes.delayed', { count: rows.length - at, ...errorFields(error) });
        return;
      }
    }
  }
}

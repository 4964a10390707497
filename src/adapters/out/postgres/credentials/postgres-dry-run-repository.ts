import type { DataSource } from 'typeorm';
import { latestOf, DryRunTally, type TalliedDryRun } from '../../../../domain/credentials/dry-run/dry-run-tally';
import {
  dryRunRules,
  type DryRunReader,
  type DryRunCall,
  type DryRunCount,
  type DryRunKey,
  type DryRunLog,
} from '../../../../domain/credentials/dry-run/signature-dry-run';
import { errorFields } from '../../../../domain/shared/fault';
import type { IdGenerator, Log } from '../../../../domain/shared/ports';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import type { DryRunCallRow, DryRunCountRow } from './dry-run.schema';
import { run, type Statement } from '../connection/statement';
import { BackgroundFlush } from '../connection/background-flush';

const flushAfterMs = 2000;
const keyColumns = 'partner_kind, partner_id, dry_run_id';
const ofKey = 'partner_kind = $1 and partner_id = $2 and dry_run_id = $3';

/** Writes counts and calls in one statement, so that both are stored or neither is. */
const write: Statement = {
  name: 'dry-runs.write',
  text: `
    with written as (
      insert into dry_run_calls (${keyColumns}, at, id, verdict, error_code, cause, request_id, path)
      select $1, $2, $3, at, id, verdict, error_code, cause, request_id, path
      from json_to_recordset($5::json) as x(at timestamptz, id text, verdict text, error_code text, cause text, request_id text, path text)
    )
    insert into dry_run_counts as kept (${keyColumns}, verdict, error_code, cause, count, last_at)
    select $1, $2, $3, verdict, error_code, cause, count, last_at
    from json_to_recordset($4::json) as x(verdict text, error_code text, cause text, count bigint, last_at timestamptz)
    order by verdict collate "C", error_code collate "C", cause collate "C"
    on conflict (${keyColumns}, verdict, error_code, cause) do update
    set count = kept.count + excluded.count, last_at = greatest(kept.last_at, excluded.last_at)`,
};

const trim: Statement = {
  name: 'dry-runs.trim',
  text: `
    delete from dry_run_calls where ${ofKey} and (at, id) <= (
      select at, id from dry_run_calls where ${ofKey} order by at desc, id desc offset ${String(dryRunRules.callsKept)} limit 1
    )`,
};

const counts: Statement = {
  name: 'dry-runs.counts',
  text: `select verdict, error_code, cause, count, last_at from dry_run_counts where ${ofKey} order by count desc limit 1000`,
};

const latest: Statement = {
  name: 'dry-runs.latest',
  text: `
    select verdict, error_code, cause, request_id, path, at from dry_run_calls
    where ${ofKey} order by at desc, id desc limit ${String(dryRunRules.callsKept)}`,
};

const prunes = [
  pruneStatement('dry_run_counts', 'last_at', `last_at < now() - interval '31 days'`),
  pruneStatement('dry_run_calls', 'at', `at < now() - interval '31 days'`),
];

interface Deps {
  readonly db: DataSource;
  readonly ids: IdGenerator;
  readonly log: Log;
}

/**
 * Results of calls under dry runs: counted in memory and written to Postgres every two seconds. Keeps results that cannot be written and
 * tries again.
 */
export class PostgresDryRunRepository implements DryRunLog, DryRunReader {
  private readonly tally = new DryRunTally();
  private readonly background = new BackgroundFlush({
    afterMs: () => flushAfterMs,
    isEmpty: () => this.tally.isEmpty,
    work: () => this.writeTally(),
  });

  constructor(private readonly deps: Deps) {}

  tried(key: DryRunKey, call: DryRunCall): void {
    this.tally.tried(key, call);
    this.background.wake();
  }

  async counts(key: DryRunKey): Promise<readonly DryRunCount[]> {
    const rows = await run<DryRunCountRow>(this.deps.db, counts, valuesOf(key));
    return rows.map((row) => ({ ...verdictOf(row), count: Number(row.count), lastAt: row.last_at.getTime() }));
  }

  async latest(key: DryRunKey): Promise<readonly DryRunCall[]> {
    const rows = await run<DryRunCallRow>(this.deps.db, latest, valuesOf(key));
    return rows.map((row) => ({ ...verdictOf(row), requestId: row.request_id, path: row.path, at: row.at.getTime() }));
  }

  /** Removes rows older than 31 days; resolves to the number of rows. */
  async prune(): Promise<number> {
    let removed = 0;
    for (const statement of prunes) removed += await pruneExpired(this.deps.db, statement);
    return removed;
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
    const all = this.tally.drain();
    for (const [at, one] of all.entries()) {
      try {
        await this.write(one);
      } catch (error) {
        this.tally.restore(all.slice(at));
        this.deps.log.warn('dry-runs.delayed', { count: all.length - at, ...errorFields(error) });
        return;
      }
    }
  }

  private async write({ key, counts: counted, calls }: TalliedDryRun): Promise<void> {
    const rows = latestOf(calls).map(({ requestId: request_id, path, at, ...call }) => {
      return { ...columnsOf(call), request_id, path, at: new Date(at), id: this.deps.ids.next() };
    });
    const sums = counted.map(({ count, lastAt, ...alike }) => ({ ...columnsOf(alike), count, last_at: new Date(lastAt) }));
    await run(this.deps.db, write, [...valuesOf(key), JSON.stringify(sums), JSON.stringify(rows)]);
    // After an error, the next write trims the surplus rows.
    await run(this.deps.db, trim, valuesOf(key)).catch((error: unknown) => {
      this.deps.log.warn('dry-runs.untrimmed', { ...errorFields(error) });
    });
  }
}

const valuesOf = ({ partner: { kind, id }, dryRunId }: DryRunKey): readonly string[] => [kind, id, dryRunId];

const columnsOf = ({ verdict, errorCode = '', cause = '' }: Pick<DryRunCall, 'verdict' | 'errorCode' | 'cause'>) => ({
  ...{ verdict, error_code: errorCode, cause },
});

const verdictOf = ({ verdict, error_code: code, cause }: Pick<DryRunCallRow, 'verdict' | 'error_code' | 'cause'>) => ({
  ...{ verdict, errorCode: code === '' ? undefined : code, cause: cause === '' ? undefined : cause },
});

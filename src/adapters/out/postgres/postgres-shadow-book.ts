import type { DataSource } from 'typeorm';
import { latestOf, ShadowTally, type TalliedShadow } from '../../../domain/credentials/shadow-tally';
import {
  shadowRules,
  type ShadowBook,
  type ShadowCall,
  type ShadowCount,
  type ShadowKey,
  type ShadowLog,
} from '../../../domain/credentials/signature-shadow';
import { factsOfFault } from '../../../domain/shared/fault';
import type { IdSource, Log } from '../../../domain/shared/ports';
import { pruneExpired, pruneStatement } from './prune-expired';
import type { ShadowCallRow, ShadowCountRow } from './shadow.schema';
import { run, type Statement } from './statement';
import { DoneLater } from './done-later';

const flushAfterMs = 2000;
const keyColumns = 'partner_kind, partner_id, shadow_id';
const ofKey = 'partner_kind = $1 and partner_id = $2 and shadow_id = $3';

/** Counts and calls in one statement: what a call is counted in and the call itself are both written, or neither is. */
const write: Statement = {
  name: 'shadows.write',
  text: `
    with written as (
      insert into shadow_calls (${keyColumns}, at, id, verdict, error_code, cause, request_id, path)
      select $1, $2, $3, at, id, verdict, error_code, cause, request_id, path
      from json_to_recordset($5::json) as x(at timestamptz, id text, verdict text, error_code text, cause text, request_id text, path text)
    )
    insert into shadow_counts as kept (${keyColumns}, verdict, error_code, cause, count, last_at)
    select $1, $2, $3, verdict, error_code, cause, count, last_at
    from json_to_recordset($4::json) as x(verdict text, error_code text, cause text, count bigint, last_at timestamptz)
    order by verdict collate "C", error_code collate "C", cause collate "C"
    on conflict (${keyColumns}, verdict, error_code, cause) do update
    set count = kept.count + excluded.count, last_at = greatest(kept.last_at, excluded.last_at)`,
};

const trim: Statement = {
  name: 'shadows.trim',
  text: `
    delete from shadow_calls where ${ofKey} and (at, id) <= (
      select at, id from shadow_calls where ${ofKey} order by at desc, id desc offset ${String(shadowRules.callsKept)} limit 1
    )`,
};

const counts: Statement = {
  name: 'shadows.counts',
  text: `select verdict, error_code, cause, count, last_at from shadow_counts where ${ofKey} order by count desc limit 1000`,
};

const latest: Statement = {
  name: 'shadows.latest',
  text: `
    select verdict, error_code, cause, request_id, path, at from shadow_calls
    where ${ofKey} order by at desc, id desc limit ${String(shadowRules.callsKept)}`,
};

const prunes = [
  pruneStatement('shadow_counts', 'last_at', `last_at < now() - interval '31 days'`),
  pruneStatement('shadow_calls', 'at', `at < now() - interval '31 days'`),
];

interface Deps {
  readonly db: DataSource;
  readonly ids: IdSource;
  readonly log: Log;
}

/** How calls fare under shadows, on its way to Postgres: counted in memory, written every two seconds. What cannot be written waits. */
export class PostgresShadowBook implements ShadowLog, ShadowBook {
  private readonly tally = new ShadowTally();
  private readonly later = new DoneLater({
    afterMs: () => flushAfterMs,
    isEmpty: () => this.tally.isEmpty,
    work: () => this.writeTally(),
  });

  constructor(private readonly deps: Deps) {}

  tried(key: ShadowKey, call: ShadowCall): void {
    this.tally.tried(key, call);
    this.later.wake();
  }

  async counts(key: ShadowKey): Promise<readonly ShadowCount[]> {
    const rows = await run<ShadowCountRow>(this.deps.db, counts, valuesOf(key));
    return rows.map((row) => ({ ...verdictOf(row), count: Number(row.count), lastAt: row.last_at.getTime() }));
  }

  async latest(key: ShadowKey): Promise<readonly ShadowCall[]> {
    const rows = await run<ShadowCallRow>(this.deps.db, latest, valuesOf(key));
    return rows.map((row) => ({ ...verdictOf(row), requestId: row.request_id, path: row.path, at: row.at.getTime() }));
  }

  /** Removes rows older than 31 days; resolves to the number of rows. */
  async prune(): Promise<number> {
    let removed = 0;
    for (const statement of prunes) removed += await pruneExpired(this.deps.db, statement);
    return removed;
  }

  /** Writes the counts. Never two at once, never fails. */
  flush(): Promise<void> {
    return this.later.flush();
  }

  /** Writes the rest. */
  close(): Promise<void> {
    return this.later.close();
  }

  private async writeTally(): Promise<void> {
    const all = this.tally.drain();
    for (const [at, one] of all.entries()) {
      try {
        await this.write(one);
      } catch (error) {
        this.tally.restore(all.slice(at));
        this.deps.log.warn('shadows.delayed', { count: all.length - at, ...factsOfFault(error) });
        return;
      }
    }
  }

  private async write({ key, counts: counted, calls }: TalliedShadow): Promise<void> {
    const rows = latestOf(calls).map(({ requestId: request_id, path, at, ...call }) => {
      return { ...columnsOf(call), request_id, path, at: new Date(at), id: this.deps.ids.next() };
    });
    const sums = counted.map(({ count, lastAt, ...alike }) => ({ ...columnsOf(alike), count, last_at: new Date(lastAt) }));
    await run(this.deps.db, write, [...valuesOf(key), JSON.stringify(sums), JSON.stringify(rows)]);
    // Too many rows are trimmed with the next ones.
    await run(this.deps.db, trim, valuesOf(key)).catch((error: unknown) => {
      this.deps.log.warn('shadows.untrimmed', { ...factsOfFault(error) });
    });
  }
}

const valuesOf = ({ partner: { kind, id }, shadowId }: ShadowKey): readonly string[] => [kind, id, shadowId];

const columnsOf = ({ verdict, errorCode = '', cause = '' }: Pick<ShadowCall, 'verdict' | 'errorCode' | 'cause'>) => ({
  ...{ verdict, error_code: errorCode, cause },
});

const verdictOf = ({ verdict, error_code: code, cause }: Pick<ShadowCallRow, 'verdict' | 'error_code' | 'cause'>) => ({
  ...{ verdict, errorCode: code === '' ? undefined : code, cause: cause === '' ? undefined : cause },
});

import type { DataSource } from 'typeorm';
import { runRules, type LongRun, type RunBook, type RunStart, type RunState } from '../../../domain/operations/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { appendAudit } from './audit-statement';
import type { LongRunRow } from './operations.schema';
import { run, runIn, transaction, type Statement } from './statement';

const columns = 'id, kind, subject, state, started_at, beat_at, ended_at, cancel_asked, request, progress';

const interrupt: Statement = {
  name: 'long-runs.interrupt',
  text: `
    update long_runs set state = 'interrupted', ended_at = now()
    where kind = $1 and state = 'running' and beat_at < now() - interval '${String(runRules.silentMs)} ms'`,
};
const insert: Statement = {
  name: 'long-runs.insert',
  text: `
    insert into long_runs (id, kind, subject, state, started_at, beat_at, cancel_asked, request, progress)
    values ($1, $2, $3, 'running', now(), now(), false, $4, $5)
    on conflict (kind) where state = 'running' do nothing
    returning ${columns}`,
};
const forget: Statement = {
  name: 'long-runs.forget',
  text: `
    delete from long_runs where kind = $1 and subject = $2 and state <> 'running' and id not in (
      select id from long_runs where kind = $1 and subject = $2 order by id desc limit ${String(runRules.kept)}
    )`,
};
const beat: Statement = {
  name: 'long-runs.beat',
  text: `
    update long_runs set beat_at = now(), progress = $3 where id = $1 and kind = $2 and state = 'running'
    returning cancel_asked`,
};
const end: Statement = {
  name: 'long-runs.end',
  text: `
    update long_runs set state = $3, ended_at = now(), beat_at = now(), progress = $4
    where id = $1 and kind = $2 and state = 'running'`,
};
const cancel: Statement = {
  name: 'long-runs.cancel',
  text: `update long_runs set cancel_asked = true where id = $1 and kind = $2 and state = 'running' returning ${columns}`,
};
const find: Statement = { name: 'long-runs.find', text: `select ${columns} from long_runs where id = $1 and kind = $2` };
const list: Statement = {
  name: 'long-runs.list',
  text: `
    select ${columns} from long_runs
    where kind = $1 and ($2::text is null or subject = $2) and ($3::text is null or id < $3) order by id desc limit $4`,
};

/** The runs of one kind, in Postgres. A unique index sees to it that one runs at a time; who is silent for a minute runs no more. */
export class PostgresRunBook<Request extends object, Progress extends object> implements RunBook<Request, Progress> {
  constructor(private readonly deps: { readonly db: DataSource; readonly kind: string }) {}

  async start(
    { id, subject, request, progress }: RunStart<Request, Progress>,
    audit: AuditEntry,
  ): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id, subject });
    const { db, kind } = this.deps;
    return transaction(db, async (manager) => {
      await runIn(manager, interrupt, [kind]);
      const values = [id, kind, subject, JSON.stringify(request), JSON.stringify(progress)];
      const [row] = await runIn<LongRunRow<Request, Progress>>(manager, insert, values);
      if (!row) return undefined;
      await runIn(manager, forget, [kind, subject]);
      await appendAudit(manager, audit);
      return runFrom(row);
    });
  }

  async beat(id: string, progress: Progress): Promise<boolean> {
    requireIds({ id });
    const { db, kind } = this.deps;
    const [row] = await run<{ cancel_asked: boolean }>(db, beat, [id, kind, JSON.stringify(progress)]);
    return row?.cancel_asked ?? true;
  }

  async end(id: string, state: RunState, progress: Progress): Promise<void> {
    requireIds({ id });
    await run(this.deps.db, end, [id, this.deps.kind, state, JSON.stringify(progress)]);
  }

  async cancel(id: string, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id });
    return transaction(this.deps.db, async (manager) => {
      const [row] = await runIn<LongRunRow<Request, Progress>>(manager, cancel, [id, this.deps.kind]);
      if (row) await appendAudit(manager, audit);
      return row && runFrom(row);
    });
  }

  async find(id: string): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id });
    const [row] = await run<LongRunRow<Request, Progress>>(this.deps.db, find, [id, this.deps.kind]);
    return row && runFrom(row);
  }

  async list({ limit, after }: PageRequest, subject?: string): Promise<readonly LongRun<Request, Progress>[]> {
    const values = [this.deps.kind, subject ?? null, after ?? null, limit];
    return (await run<LongRunRow<Request, Progress>>(this.deps.db, list, values)).map(runFrom);
  }
}

function runFrom<Request, Progress>(row: LongRunRow<Request, Progress>): LongRun<Request, Progress> {
  const { id, subject, state, request, progress, cancel_asked: cancelAsked } = row;
  return {
    ...{ id, subject, state, request, progress, cancelAsked },
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at?.getTime(),
  };
}

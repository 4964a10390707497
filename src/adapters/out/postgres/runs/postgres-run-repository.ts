import { LessThan, Not, Raw, type DataSource, type EntityManager } from 'typeorm';
import { runRules, type LongRun, type RunRepository, type RunStart, type RunState } from '../../../../domain/operations/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { onConnection, transaction } from '../connection/statement';
import { longRunSchema, onlyOneRuns, type LongRunRow } from './long-run.schema';

/** The database's clock, which all instances share. */
const now = (): string => 'now()';
/** The condition for a run whose process has stopped. */
const longAgo = Raw((time) => `${time} < now() - interval '${String(runRules.silentMs)} ms'`);

/** The runs of one kind, in Postgres. A unique index lets one run at a time; a run that is silent for a minute is interrupted. */
export class PostgresRunRepository<Request extends object, Progress extends object> implements RunRepository<Request, Progress> {
  constructor(private readonly deps: { readonly db: DataSource; readonly kind: string }) {}

  async start(
    { id, subject, request, progress }: RunStart<Request, Progress>,
    audit: AuditEntry,
  ): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id, subject });
    const { db, kind } = this.deps;
    return transaction(db, async (manager) => {
      await manager.update(longRunSchema, { kind, state: 'running', beat_at: longAgo }, { state: 'interrupted', ended_at: now });
      const row = await insert(manager, { id, kind, subject, request, progress });
      if (!row) return undefined;
      await removeOld(manager, { kind, subject });
      await appendAudit(manager, audit);
      return runFrom<Request, Progress>(row);
    });
  }

  async beat(id: string, progress: Progress): Promise<boolean> {
    requireIds({ id });
    const updated = await onConnection(this.deps.db, (manager) =>
      manager.update(longRunSchema, this.running(id), { beat_at: now, progress }, { returning: ['cancel_requested'] }),
    );
    const [row] = updated.raw as Pick<LongRunRow, 'cancel_requested'>[];
    return row?.cancel_requested ?? true;
  }

  async end(id: string, state: RunState, progress: Progress): Promise<void> {
    requireIds({ id });
    await onConnection(this.deps.db, (manager) =>
      manager.update(longRunSchema, this.running(id), { state, ended_at: now, beat_at: now, progress }),
    );
  }

  async cancel(id: string, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id });
    return transaction(this.deps.db, async (manager) => {
      const updated = await manager.update(longRunSchema, this.running(id), { cancel_requested: true }, { returning: '*' });
      const [row] = updated.raw as LongRunRow[];
      if (!row) return undefined;
      await appendAudit(manager, audit);
      return runFrom<Request, Progress>(row);
    });
  }

  async find(id: string): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id });
    const { db, kind } = this.deps;
    const row = await onConnection(db, (manager) => manager.findOneBy(longRunSchema, { id, kind }));
    return row ? runFrom<Request, Progress>(row) : undefined;
  }

  async list({ limit, after }: PageRequest, subject?: string): Promise<readonly LongRun<Request, Progress>[]> {
    const { db, kind } = this.deps;
    const where = { kind, ...(subject !== undefined && { subject }), ...(after !== undefined && { id: LessThan(after) }) };
    const rows = await onConnection(db, (manager) => manager.find(longRunSchema, { where, order: { id: 'DESC' }, take: limit }));
    return rows.map((row) => runFrom<Request, Progress>(row));
  }

  private running(id: string): Pick<LongRunRow, 'id' | 'kind' | 'state'> {
    return { id, kind: this.deps.kind, state: 'running' };
  }
}

type NewRun = Pick<LongRunRow, 'id' | 'kind' | 'subject' | 'request' | 'progress'>;

/** Resolves to `undefined` when another run of this kind is running. */
async function insert(manager: EntityManager, run: NewRun): Promise<LongRunRow | undefined> {
  const inserted = await manager
    .createQueryBuilder()
    .insert()
    .into(longRunSchema)
    .values({ ...run, state: 'running', started_at: now, beat_at: now, cancel_requested: false })
    .orUpdate([], ['kind'], { indexPredicate: onlyOneRuns })
    .returning('*')
    .updateEntity(false)
    .execute();
  const [row] = inserted.raw as LongRunRow[];
  return row;
}

async function removeOld(manager: EntityManager, { kind, subject }: Pick<LongRunRow, 'kind' | 'subject'>): Promise<void> {
  const newest = manager
    .createQueryBuilder(longRunSchema, 'run')
    .select('run.id')
    .where('run.kind = :kind and run.subject = :subject', { kind, subject })
    .orderBy('run.id', 'DESC')
    .limit(runRules.kept);
  await manager
    .createQueryBuilder()
    .delete()
    .from(longRunSchema)
    .where({ kind, subject, state: Not('running') })
    .andWhere(`id not in (${newest.getQuery()})`, newest.getParameters())
    .execute();
}

function runFrom<Request extends object, Progress extends object>(row: LongRunRow): LongRun<Request, Progress> {
  // All runs of a kind have the same types of request and progress, so the cast is safe.
  const { id, subject, state, request, progress, cancel_requested: cancelRequested } = row as LongRunRow<Request, Progress>;
  return {
    id,
    subject,
    state,
    request,
    progress,
    cancelRequested,
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at?.getTime(),
  };
}

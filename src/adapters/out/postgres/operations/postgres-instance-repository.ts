import type { DataSource } from 'typeorm';
import { instanceRules, instanceStateOf, type InstanceRecord, type InstanceReport } from '../../../../domain/operations/instance';
import type { InstanceRepository } from '../../../../domain/operations/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import type { InstanceRow } from './operations.schema';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { run, runIn, transaction, type Statement } from '../connection/statement';

type Row = InstanceRow & { readonly silent_ms: number };

const columns = `id, version, role, started_at, seen_at, drain_requested_at, left_at, figures,
  (extract(epoch from now() - seen_at) * 1000)::double precision as silent_ms`;

const announce: Statement = {
  name: 'instances.announce',
  text: `
    insert into instances (id, version, role, started_at, seen_at, figures) values ($1, $2, $3, $4, now(), $5)
    on conflict (id) do update set seen_at = now(), figures = excluded.figures
    returning drain_requested_at is not null as drains`,
};
const leave: Statement = { name: 'instances.leave', text: 'update instances set left_at = now(), seen_at = now() where id = $1' };
const list: Statement = { name: 'instances.list', text: `select ${columns} from instances where id > $1 order by id limit $2` };
const find: Statement = { name: 'instances.find', text: `select ${columns} from instances where id = $1` };
const lock: Statement = { name: 'instances.lock', text: `select ${columns} from instances where id = $1 for update` };
const drain: Statement = {
  name: 'instances.drain',
  text: `update instances set drain_requested_at = now() where id = $1 returning ${columns}`,
};
const prune = pruneStatement('instances', 'seen_at', `seen_at < now() - interval '${String(instanceRules.keptMs)} ms'`);

/** The running processes of the service, in Postgres. Silence is measured by the database's clock. */
export class PostgresInstanceRepository implements InstanceRepository {
  constructor(private readonly db: DataSource) {}

  async announce({ id, version, role, startedAt, figures }: InstanceReport): Promise<boolean> {
    requireIds({ id });
    const values = [id, version, role, new Date(startedAt), JSON.stringify(figures)];
    const [row] = await run<{ drains: boolean }>(this.db, announce, values);
    return row?.drains === true;
  }

  async leave(id: string): Promise<void> {
    requireIds({ id });
    await run(this.db, leave, [id]);
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly InstanceRecord[]> {
    return (await run<Row>(this.db, list, [after, limit])).map(recordFrom);
  }

  async find(id: string): Promise<InstanceRecord | undefined> {
    requireIds({ id });
    const [row] = await run<Row>(this.db, find, [id]);
    return row && recordFrom(row);
  }

  async requestDrain(id: string, audit: (before: InstanceRecord) => AuditEntry): Promise<InstanceRecord | undefined> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const [row] = await runIn<Row>(manager, lock, [id]);
      const before = row && recordFrom(row);
      if (before?.state !== 'serving') return undefined;
      const [draining] = await runIn<Row>(manager, drain, [id]);
      await appendAudit(manager, audit(before));
      return draining && recordFrom(draining);
    });
  }

  /** Removes instances that were silent for an hour; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.db, prune);
  }
}

function recordFrom(row: Row): InstanceRecord {
  const { id, version, role, figures, silent_ms: silentMs } = row;
  const times = { silentMs, drainRequestedAt: row.drain_requested_at?.getTime(), leftAt: row.left_at?.getTime() };
  const at = { startedAt: row.started_at.getTime(), seenAt: row.seen_at.getTime() };
  return { id, version, role, figures, ...at, ...times, state: instanceStateOf(times) };
}

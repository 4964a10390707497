import type { DataSource } from 'typeorm';
import { endpointQueueRules, queueStateOf, type QueuePause, type EndpointQueueRecord } from '../../../../domain/deliveries/endpoint-queue';
import type { EndpointQueueRepository } from '../../../../domain/deliveries/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import type { EndpointQueueRow } from './endpoint-queue.schema';
import { queueNamesAfter, queueRecovers, lockQueue, pauseEndpointQueue, resumeEndpointQueue, waitingIn } from './endpoint-queue-statements';
import { run, runIn, transaction } from '../connection/statement';

type Row = Pick<EndpointQueueRow, 'queue' | 'paused_at' | 'paused_by' | 'paused_reason'> & {
  [Column in 'failures' | 'circuit_open' | 'recovering_since' | 'probe_at']: EndpointQueueRow[Column] | null;
} & { waiting: number; oldest: Date | null };

/** The endpoint queues that the operator sees and changes, in Postgres. */
export class PostgresEndpointQueueRepository implements EndpointQueueRepository {
  constructor(private readonly db: DataSource) {}

  async list({ limit, after = '' }: PageRequest): Promise<readonly EndpointQueueRecord[]> {
    const names = await run<{ queue: string }>(this.db, queueNamesAfter, [after, limit]);
    return this.records(names.map(({ queue }) => queue));
  }

  async find(queue: string): Promise<EndpointQueueRecord | undefined> {
    requireIds({ queue });
    const record = await this.record(queue);
    return record.state === 'clear' && record.waiting === 0 ? undefined : record;
  }

  async release(queue: string, audit: (before: EndpointQueueRecord) => AuditEntry): Promise<EndpointQueueRecord | undefined> {
    requireIds({ queue });
    const before = await this.find(queue);
    if (!before || before.state === 'clear' || before.state === 'paused') return undefined;
    await transaction(this.db, async (manager) => {
      const locked = await runIn(manager, lockQueue, [queue]);
      if (locked.length === 0) return;
      await runIn(manager, queueRecovers, [queue]);
      await appendAudit(manager, audit(before));
    });
    return (await this.find(queue)) ?? { ...before, state: 'clear', failures: 0, waiting: 0, oldest: undefined, nextProbeAt: undefined };
  }

  async pause(
    queue: string,
    { by, reason }: Omit<QueuePause, 'at'>,
    audit: (before: EndpointQueueRecord) => AuditEntry,
  ): Promise<EndpointQueueRecord> {
    requireIds({ queue });
    const before = await this.record(queue);
    await transaction(this.db, async (manager) => {
      await runIn(manager, pauseEndpointQueue, [queue, by, reason]);
      await appendAudit(manager, audit(before));
    });
    return this.record(queue);
  }

  async resume(queue: string, audit: (before: EndpointQueueRecord) => AuditEntry): Promise<EndpointQueueRecord | undefined> {
    requireIds({ queue });
    const before = await this.record(queue);
    const isResumed = await transaction(this.db, async (manager) => {
      if ((await runIn(manager, resumeEndpointQueue, [queue])).length === 0) return false;
      await appendAudit(manager, audit(before));
      return true;
    });
    return isResumed ? this.record(queue) : undefined;
  }

  private async record(queue: string): Promise<EndpointQueueRecord> {
    const [record] = await this.records([queue]);
    return record ?? { queue, state: 'clear', failures: 0, waiting: 0 };
  }

  private async records(names: readonly string[]): Promise<readonly EndpointQueueRecord[]> {
    if (names.length === 0) return [];
    return (await run<Row>(this.db, waitingIn, [names, endpointQueueRules.counted])).map(recordFrom);
  }
}

const recordFrom = (row: Row): EndpointQueueRecord => ({
  queue: row.queue,
  state: queueStateOf(
    row.circuit_open === null
      ? undefined
      : { isOpen: row.circuit_open, isRecovering: row.recovering_since !== null, isPaused: row.paused_at !== null },
  ),
  failures: row.failures ?? 0,
  waiting: row.waiting,
  oldest: row.oldest?.getTime(),
  nextProbeAt: row.paused_at === null ? row.probe_at?.getTime() : undefined,
  paused: row.paused_at === null ? undefined : { at: row.paused_at.getTime(), by: row.paused_by ?? '', reason: row.paused_reason ?? '' },
});

import { queueStateOf, type QueuePause, type EndpointQueueRecord } from '../../../../domain/deliveries/endpoint-queue';
import type { EndpointQueueRepository } from '../../../../domain/deliveries/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryDeliveries } from './memory-deliveries';
import type { MemoryRegistry } from '../partners/memory-registry';

/** The endpoint queues that the operator sees and changes, in memory. */
export class MemoryEndpointQueueRepository implements EndpointQueueRepository {
  constructor(private readonly deps: { readonly deliveries: MemoryDeliveries; readonly registry: MemoryRegistry; readonly clock: Clock }) {}

  async list({ limit, after = '' }: PageRequest): Promise<readonly EndpointQueueRecord[]> {
    const { pending, queues } = this.deps.deliveries;
    const waiting = pending.firstOfKeys().filter(({ parkedBy }) => parkedBy === undefined);
    const names = new Set([...waiting, ...queues.all()].map(({ queue }) => queue));
    const page = [...names].sort().filter((queue) => queue > after);
    return page.slice(0, limit).map((queue) => this.record(queue));
  }

  async find(queue: string): Promise<EndpointQueueRecord | undefined> {
    requireIds({ queue });
    const record = this.record(queue);
    return record.state === 'clear' && record.waiting === 0 ? undefined : record;
  }

  async release(queue: string, audit: (before: EndpointQueueRecord) => AuditEntry): Promise<EndpointQueueRecord | undefined> {
    requireIds({ queue });
    const before = this.record(queue);
    if (before.state === 'clear' || before.state === 'paused') return undefined;
    this.deps.deliveries.queues.note(queue, 'recovers', this.deps.clock.now());
    this.deps.registry.audit.push(audit(before));
    return this.record(queue);
  }

  async pause(
    queue: string,
    pause: Omit<QueuePause, 'at'>,
    audit: (before: EndpointQueueRecord) => AuditEntry,
  ): Promise<EndpointQueueRecord> {
    requireIds({ queue });
    this.deps.registry.audit.push(audit(this.record(queue)));
    this.deps.deliveries.queues.pause(queue, { ...pause, at: this.deps.clock.now() });
    return this.record(queue);
  }

  async resume(queue: string, audit: (before: EndpointQueueRecord) => AuditEntry): Promise<EndpointQueueRecord | undefined> {
    requireIds({ queue });
    const before = this.record(queue);
    if (before.state !== 'paused') return undefined;
    this.deps.registry.audit.push(audit(before));
    this.deps.deliveries.queues.resume(queue, this.deps.clock.now());
    return this.record(queue);
  }

  private record(queue: string): EndpointQueueRecord {
    const { pending, queues } = this.deps.deliveries;
    const trouble = queues.find(queue);
    const waiting = pending.firstOfKeys().filter((entry) => entry.queue === queue && entry.parkedBy === undefined);
    const since = waiting.map(({ resentAt, createdAt }) => resentAt ?? createdAt);
    return {
      queue,
      state: queueStateOf(
        trouble && {
          isOpen: trouble.circuitOpen,
          isRecovering: trouble.recoveringSince !== undefined,
          isPaused: trouble.paused !== undefined,
        },
      ),
      failures: trouble?.failures ?? 0,
      waiting: waiting.length,
      oldest: since.length > 0 ? Math.min(...since) : undefined,
      nextProbeAt: trouble?.paused ? undefined : trouble?.probeAt,
      paused: trouble?.paused,
    };
  }
}

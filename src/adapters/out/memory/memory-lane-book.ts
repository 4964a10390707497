import { laneStateOf, type LanePause, type LaneRecord } from '../../../domain/deliveries/lane';
import type { LaneBook } from '../../../domain/deliveries/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import type { Clock } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { MemoryDeliveries } from './memory-deliveries';
import type { MemoryRegistry } from './memory-registry';

/** The lanes as the operator sees them, in memory. */
export class MemoryLaneBook implements LaneBook {
  constructor(private readonly deps: { readonly deliveries: MemoryDeliveries; readonly registry: MemoryRegistry; readonly clock: Clock }) {}

  async list({ limit, after = '' }: PageRequest): Promise<readonly LaneRecord[]> {
    const { owed, lanes } = this.deps.deliveries;
    const waiting = owed.firstOfKeys().filter(({ parkedBy }) => parkedBy === undefined);
    const names = new Set([...waiting, ...lanes.all()].map(({ lane }) => lane));
    const page = [...names].sort().filter((lane) => lane > after);
    return page.slice(0, limit).map((lane) => this.record(lane));
  }

  async find(lane: string): Promise<LaneRecord | undefined> {
    requireIds({ lane });
    const record = this.record(lane);
    return record.state === 'clear' && record.waiting === 0 ? undefined : record;
  }

  async release(lane: string, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord | undefined> {
    requireIds({ lane });
    const before = this.record(lane);
    if (before.state === 'clear' || before.state === 'paused') return undefined;
    this.deps.deliveries.lanes.note(lane, 'recovers', this.deps.clock.now());
    this.deps.registry.audit.push(audit(before));
    return this.record(lane);
  }

  async pause(lane: string, pause: Omit<LanePause, 'at'>, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord> {
    requireIds({ lane });
    this.deps.registry.audit.push(audit(this.record(lane)));
    this.deps.deliveries.lanes.pause(lane, { ...pause, at: this.deps.clock.now() });
    return this.record(lane);
  }

  async resume(lane: string, audit: (before: LaneRecord) => AuditEntry): Promise<LaneRecord | undefined> {
    requireIds({ lane });
    const before = this.record(lane);
    if (before.state !== 'paused') return undefined;
    this.deps.registry.audit.push(audit(before));
    this.deps.deliveries.lanes.resume(lane, this.deps.clock.now());
    return this.record(lane);
  }

  private record(lane: string): LaneRecord {
    const { owed, lanes } = this.deps.deliveries;
    const trouble = lanes.find(lane);
    const waiting = owed.firstOfKeys().filter((entry) => entry.lane === lane && entry.parkedBy === undefined);
    const since = waiting.map(({ resentAt, createdAt }) => resentAt ?? createdAt);
    return {
      lane,
      state: laneStateOf(
        trouble && { closed: trouble.closed, released: trouble.releasedAt !== undefined, paused: trouble.paused !== undefined },
      ),
      failures: trouble?.failures ?? 0,
      waiting: waiting.length,
      oldest: since.length > 0 ? Math.min(...since) : undefined,
      nextLookAt: trouble?.paused ? undefined : trouble?.lookAt,
      paused: trouble?.paused,
    };
  }
}

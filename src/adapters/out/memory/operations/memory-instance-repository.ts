import { instanceStateOf, type InstanceRecord, type InstanceReport } from '../../../../domain/operations/instance';
import type { InstanceRepository } from '../../../../domain/operations/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryRegistry } from '../partners/memory-registry';

type Kept = InstanceReport & Pick<InstanceRecord, 'seenAt' | 'drainRequestedAt' | 'leftAt'>;

/** The running processes of the service, in memory. */
export class MemoryInstanceRepository implements InstanceRepository {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly deps: { readonly registry: MemoryRegistry; readonly clock: Clock }) {}

  async announce(report: InstanceReport): Promise<boolean> {
    requireIds({ id: report.id });
    const before = this.kept.get(report.id);
    this.kept.set(report.id, { ...before, ...report, seenAt: this.deps.clock.now() });
    return before?.drainRequestedAt !== undefined;
  }

  async leave(id: string): Promise<void> {
    requireIds({ id });
    const kept = this.kept.get(id);
    const now = this.deps.clock.now();
    if (kept) this.kept.set(id, { ...kept, leftAt: now, seenAt: now });
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly InstanceRecord[]> {
    const ids = [...this.kept.keys()].sort().filter((id) => id > after);
    return ids.slice(0, limit).flatMap((id) => this.record(id) ?? []);
  }

  async find(id: string): Promise<InstanceRecord | undefined> {
    requireIds({ id });
    return this.record(id);
  }

  async requestDrain(id: string, audit: (before: InstanceRecord) => AuditEntry): Promise<InstanceRecord | undefined> {
    requireIds({ id });
    const [kept, before] = [this.kept.get(id), this.record(id)];
    if (!kept || before?.state !== 'serving') return undefined;
    this.kept.set(id, { ...kept, drainRequestedAt: this.deps.clock.now() });
    this.deps.registry.audit.push(audit(before));
    return this.record(id);
  }

  private record(id: string): InstanceRecord | undefined {
    const kept = this.kept.get(id);
    if (!kept) return undefined;
    const { drainRequestedAt, leftAt } = kept;
    const times = { silentMs: this.deps.clock.now() - kept.seenAt, drainRequestedAt, leftAt };
    return { ...kept, ...times, state: instanceStateOf(times) };
  }
}

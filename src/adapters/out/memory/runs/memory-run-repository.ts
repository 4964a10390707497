import { runRules, type LongRun, type RunRepository, type RunStart, type RunState } from '../../../../domain/operations/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryRegistry } from '../partners/memory-registry';

/** The runs of one kind, in memory. */
export class MemoryRunRepository<Request, Progress> implements RunRepository<Request, Progress> {
  private readonly runs = new Map<string, LongRun<Request, Progress> & { readonly beatAt: number }>();

  constructor(private readonly deps: { readonly registry: MemoryRegistry; readonly clock: Clock }) {}

  async start(run: RunStart<Request, Progress>, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined> {
    const { id, subject } = run;
    requireIds({ id, subject });
    const now = this.deps.clock.now();
    for (const [other, { state, beatAt }] of this.runs) {
      if (state === 'running' && now - beatAt > runRules.silentMs) this.change(other, { state: 'interrupted', endedAt: now });
    }
    if ([...this.runs.values()].some(({ state }) => state === 'running')) return undefined;
    this.runs.set(id, { ...run, state: 'running', startedAt: now, beatAt: now, cancelRequested: false });
    this.deps.registry.audit.push(audit);
    for (const old of this.newest(subject).slice(runRules.kept)) this.runs.delete(old.id);
    return this.runs.get(id);
  }

  async beat(id: string, progress: Progress): Promise<boolean> {
    requireIds({ id });
    if (this.runs.get(id)?.state !== 'running') return true;
    return this.change(id, { progress, beatAt: this.deps.clock.now() })?.cancelRequested ?? true;
  }

  async end(id: string, state: RunState, progress: Progress): Promise<void> {
    requireIds({ id });
    if (this.runs.get(id)?.state === 'running') this.change(id, { state, progress, endedAt: this.deps.clock.now() });
  }

  async cancel(id: string, audit: AuditEntry): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id });
    if (this.runs.get(id)?.state !== 'running') return undefined;
    this.deps.registry.audit.push(audit);
    return this.change(id, { cancelRequested: true });
  }

  async find(id: string): Promise<LongRun<Request, Progress> | undefined> {
    requireIds({ id });
    return this.runs.get(id);
  }

  async list({ limit, after }: PageRequest, subject?: string): Promise<readonly LongRun<Request, Progress>[]> {
    return this.newest(subject)
      .filter(({ id }) => after === undefined || id < after)
      .slice(0, limit);
  }

  private newest(subject?: string) {
    const all = [...this.runs.values()].filter((run) => subject === undefined || run.subject === subject);
    return all.sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  private change(id: string, to: Partial<LongRun<Request, Progress> & { beatAt: number }>) {
    const run = this.runs.get(id);
    if (run) this.runs.set(id, { ...run, ...to });
    return this.runs.get(id);
  }
}

import type { Clock, IdGenerator } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { Secret } from '../../../../domain/shared/secret';
import type { SharedTaskStore, SharedTaskFailure, SharedTaskKey, SharedTaskState } from '../../../../domain/shared/tasks/single-flight';

interface SharedTask {
  readonly lease: string;
  readonly state: Exclude<SharedTaskState, { state: 'claimed' }>;
  /** Milliseconds since the epoch: when the lease of a run, a value or a failure ends. */
  readonly until: number;
}

/** How long waiting callers can read a failure, in milliseconds. */
const rememberedMs = 60_000;

/** Shared tasks in memory, shared by all users of this object. */
export class MemorySharedTaskStore implements SharedTaskStore {
  private readonly sharedTasks = new Map<string, SharedTask>();

  constructor(private readonly deps: { clock: Clock; ids: IdGenerator }) {}

  async claim(key: SharedTaskKey, leaseMs: number): Promise<SharedTaskState> {
    const present = this.present(key);
    if (present && present.state !== 'failed') return present;
    const lease = this.deps.ids.next();
    this.sharedTasks.set(nameOf(key), { lease, state: { state: 'running', lease }, until: this.deps.clock.now() + leaseMs });
    return { state: 'claimed', lease };
  }

  async find(key: SharedTaskKey): Promise<SharedTaskState | undefined> {
    return this.present(key);
  }

  async complete(key: SharedTaskKey, lease: string, value: Secret, ttlMs: number): Promise<boolean> {
    return this.end(key, lease, { lease, state: { state: 'completed', value }, until: this.deps.clock.now() + ttlMs });
  }

  async fail(key: SharedTaskKey, lease: string, failure: SharedTaskFailure): Promise<void> {
    this.end(key, lease, { lease, state: { state: 'failed', lease, failure }, until: this.deps.clock.now() + rememberedMs });
  }

  async drop(key: SharedTaskKey, value: Secret): Promise<void> {
    const present = this.present(key);
    if (present?.state === 'completed' && present.value.reveal() === value.reveal()) this.sharedTasks.delete(nameOf(key));
  }

  /** Removes expired entries; resolves to their number. */
  async prune(): Promise<number> {
    const now = this.deps.clock.now();
    const expired = [...this.sharedTasks].filter(([, { until }]) => until <= now);
    for (const [name] of expired) this.sharedTasks.delete(name);
    return expired.length;
  }

  private present(key: SharedTaskKey): SharedTask['state'] | undefined {
    const sharedTask = this.sharedTasks.get(nameOf(key));
    return sharedTask && sharedTask.until > this.deps.clock.now() ? sharedTask.state : undefined;
  }

  private end(key: SharedTaskKey, lease: string, ended: SharedTask): boolean {
    requireIds({ lease });
    const sharedTask = this.sharedTasks.get(nameOf(key));
    if (sharedTask?.state.state !== 'running' || sharedTask.lease !== lease) return false;
    this.sharedTasks.set(nameOf(key), ended);
    return true;
  }
}

const nameOf = ({ purpose, key }: SharedTaskKey): string => {
  requireIds({ purpose, key });
  return JSON.stringify([purpose, key]);
};

import type { ResendRepository } from '../../../../domain/deliveries/ports';
import {
  resendRules,
  type Resend,
  type ResendFilter,
  type ResendPreview,
  type ResendProgress,
  type ResendStart,
  type ResendState,
} from '../../../../domain/deliveries/resend';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryDeliveries } from './memory-deliveries';
import type { Entry } from './memory-pending-deliveries';
import type { MemoryRegistry } from '../partners/memory-registry';

/** A delivery of a batch. */
interface Item {
  readonly entry: Entry;
  readonly wasDelivered: boolean;
  /** The delivery's state before it was queued again. */
  before: Entry | undefined;
}

interface Batch extends ResendStart {
  state: ResendState;
  endedAt: number | undefined;
  fedAt: number;
  fedTo: number;
  readonly items: readonly Item[];
}

interface Deps {
  readonly deliveries: MemoryDeliveries;
  readonly registry: MemoryRegistry;
  readonly clock: Clock;
}

/** Resends by filter, in memory. */
export class MemoryResendRepository implements ResendRepository {
  private readonly batches: Batch[] = [];

  constructor(private readonly deps: Deps) {}

  async preview(filter: ResendFilter): Promise<ResendPreview> {
    const entries = this.matching(filter);
    return { count: entries.length, ids: entries.slice(0, resendRules.previewed).map(({ id }) => id) };
  }

  async start(begun: Omit<ResendStart, 'at'>, audit: (count: number) => AuditEntry): Promise<Resend | undefined> {
    const start: ResendStart = { ...begun, at: this.deps.clock.now() };
    requireIds({ id: start.id });
    const entries = this.matching(start.filter);
    if (entries.length > resendRules.maxDeliveries) return undefined;
    const items = entries.map((entry) => ({ entry, wasDelivered: entry.state === 'delivered', before: undefined }));
    const ended = items.length === 0;
    const more = { state: ended ? 'done' : 'running', endedAt: ended ? start.at : undefined, fedAt: -Infinity, fedTo: 0 } as const;
    const batch: Batch = { ...start, ...more, items };
    this.batches.push(batch);
    this.deps.registry.audit.push(audit(items.length));
    return resendOf(batch);
  }

  async list({ limit, after }: PageRequest): Promise<readonly Resend[]> {
    const newest = this.batches.toReversed();
    const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    return newest.slice(from, from + limit).map(resendOf);
  }

  async find(id: string): Promise<ResendProgress | undefined> {
    requireIds({ id });
    const batch = this.batches.find((one) => one.id === id);
    return batch && progressOf(batch);
  }

  async cancel(id: string, audit: (before: ResendProgress) => AuditEntry): Promise<ResendProgress | undefined> {
    requireIds({ id });
    const now = this.deps.clock.now();
    const batch = this.batches.find((one) => one.id === id);
    if (!batch || batch.state === 'cancelled') return batch && progressOf(batch);
    this.deps.registry.audit.push(audit(progressOf(batch)));
    Object.assign(batch, { state: 'cancelled', endedAt: batch.endedAt ?? now });
    for (const { entry, before } of batch.items) {
      const isHeld = entry.claim !== undefined && entry.claim.until > now;
      if (!before || entry.resendId !== id || entry.state !== 'ready' || isHeld) continue;
      const { state, parkedBy, dueAt, endedAt, resentAt, tries } = before;
      Object.assign(entry, {
        state,
        parkedBy,
        dueAt,
        endedAt,
        resentAt,
        tries,
        byOperator: false,
        resumeAt: undefined,
        resendId: undefined,
      });
    }
    return progressOf(batch);
  }

  async step(): Promise<number> {
    const now = this.deps.clock.now();
    const batch = this.batches.find(({ state, fedAt }) => state === 'running' && fedAt <= now - resendRules.stepMs);
    if (!batch) return 0;
    const items = batch.items.slice(batch.fedTo, batch.fedTo + batch.perSecond);
    for (const item of items) {
      const { entry, wasDelivered } = item;
      if (entry.state === 'delivered' && !wasDelivered) continue;
      item.before = { ...entry, attempts: [...entry.attempts] };
      if (!entry.byOperator) this.deps.deliveries.pending.requeue(entry, batch.id);
    }
    Object.assign(batch, { fedTo: batch.fedTo + items.length, fedAt: now });
    if (items.length < batch.perSecond) Object.assign(batch, { state: 'done', endedAt: now });
    return 1;
  }

  /** The matching deliveries, oldest first. */
  private matching({ failedSince, missingSince, from = -Infinity, to = Infinity, ...equal }: ResendFilter): readonly Entry[] {
    const { pending } = this.deps.deliveries;
    return pending.all().filter((entry) => {
      const { pair, kind, state } = pending.record(entry);
      const has: ResendFilter = { kind, state, ...pair };
      const isEqual = (['kind', 'state', 'clientId', 'appId'] as const).every(
        (name) => equal[name] === undefined || equal[name] === has[name],
      );
      const isFailed = failedSince === undefined || (state === 'failed' && (entry.endedAt ?? 0) >= failedSince);
      const isMissing = missingSince === undefined || (state !== 'delivered' && entry.createdAt >= missingSince);
      return isEqual && isFailed && isMissing && entry.createdAt >= from && entry.createdAt < to;
    });
  }
}

const resendOf = ({ id, filter, perSecond, at, state, items, endedAt }: Batch): Resend => ({
  ...{ id, filter, perSecond, at, state, count: items.length, endedAt },
});

function progressOf(batch: Batch): ResendProgress {
  const wasAttempted = ({ entry, before }: Item): boolean => before !== undefined && entry.attempts.length > before.attempts.length;
  const isDelivered = (item: Item): boolean => item.entry.state === 'delivered' && (item.before ? wasAttempted(item) : !item.wasDelivered);
  const delivered = batch.items.filter(isDelivered).length;
  const failed = batch.items.filter((item) => item.entry.state !== 'delivered' && wasAttempted(item)).length;
  return { ...resendOf(batch), waiting: batch.items.length - delivered - failed, delivered, failed };
}

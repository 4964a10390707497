import type { AuditEntry } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { Moved, ShiftedPair, TimeShiftRepository, Upcoming, UpcomingStep } from '../../../../domain/timeshift/ports';
import type { MemoryDeliveries } from './memory-deliveries';
import type { Entry } from './memory-pending-deliveries';
import type { MemoryOrderPaymentRepository } from '../payments/memory-order-payment-repository';
import type { MemoryStatusPollRepository } from '../payments/memory-status-poll-repository';
import type { MemoryRegistry } from '../partners/memory-registry';

interface Deps {
  readonly registry: MemoryRegistry;
  readonly deliveries: MemoryDeliveries;
  readonly payments: MemoryOrderPaymentRepository;
  readonly polls: MemoryStatusPollRepository;
  readonly clock: { now(): number };
}

/** Shifts the stored times of one integration, in memory, as if time had passed. */
export class MemoryTimeShiftRepository implements TimeShiftRepository {
  constructor(private readonly deps: Deps) {}

  async upcoming(pair: ShiftedPair): Promise<Upcoming | undefined> {
    const integrationId = this.idOf(pair);
    if (integrationId === undefined) return undefined;
    const now = this.deps.clock.now();
    const { pending } = this.deps.deliveries;
    const heads = pending.firstOfKeys().filter((entry) => entry.integrationId === integrationId);
    const isHeld = ({ claim }: Entry): boolean => claim !== undefined && claim.until > now;
    const polls = this.deps.polls.upcoming(integrationId);
    const steps = [
      ...heads
        .filter((entry) => !isHeld(entry))
        .map((entry): UpcomingStep => ({ what: 'delivery', id: entry.id, at: this.beginOf(entry) })),
      ...polls.waiting.map(({ id, at }): UpcomingStep => ({ what: 'payment', id, at })),
    ];
    const [next] = steps.sort((a, b) => a.at - b.at);
    return { inFlight: heads.filter(isHeld).length + polls.inFlight, ...(next && { next }) };
  }

  async advance(
    { clientId, appId, ms }: ShiftedPair & { readonly ms: number },
    audit: (moved: Moved) => AuditEntry,
  ): Promise<Moved | undefined> {
    const integrationId = this.idOf({ clientId, appId });
    if (integrationId === undefined) return undefined;
    const { deliveries, payments, polls, registry } = this.deps;
    const waiting = deliveries.pending.all().filter((entry) => entry.integrationId === integrationId && entry.state === 'ready');
    for (const entry of waiting) bringNearer(entry, ms);
    for (const queue of new Set(waiting.map((entry) => entry.queue))) deliveries.queues.bringNearer(queue, ms);
    polls.bringNearer({ clientId, integrationId, ms });
    const moved = { deliveries: waiting.length, payments: payments.bringNearer(integrationId, ms) };
    registry.audit.push(audit(moved));
    return moved;
  }

  /** When the delivery can be attempted. With an open circuit it also waits for the probe. */
  private beginOf({ dueAt, queue, parkedBy, byOperator }: Entry): number {
    const trouble = this.deps.deliveries.queues.find(queue);
    return trouble?.circuitOpen && parkedBy === undefined && !byOperator ? Math.max(dueAt, trouble.probeAt) : dueAt;
  }

  private idOf({ clientId, appId }: ShiftedPair): string | undefined {
    requireIds({ clientId, appId });
    return [...this.deps.registry.integrations.values()].find((one) => one.clientId === clientId && one.appId === appId)?.id;
  }
}

function bringNearer(entry: Entry, ms: number): void {
  const earlier = (at: number | undefined): number | undefined => (at === undefined ? undefined : at - ms);
  const { createdAt, dueAt, resentAt, resumeAt, attemptedAt, attempts } = entry;
  Object.assign(entry, { createdAt: createdAt - ms, dueAt: dueAt - ms });
  Object.assign(entry, { resentAt: earlier(resentAt), resumeAt: earlier(resumeAt), attemptedAt: earlier(attemptedAt) });
  attempts.splice(0, attempts.length, ...attempts.map((attempt) => ({ ...attempt, at: attempt.at - ms })));
}

import type { AuditEntry } from '../../../domain/partners/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { Moved, ShiftedPair, TimeShift, Upcoming, UpcomingStep } from '../../../domain/timeshift/ports';
import type { MemoryDeliveries } from './memory-deliveries';
import type { Entry } from './memory-owed';
import type { MemoryOrderPaymentRepository } from './memory-order-payment-repository';
import type { MemoryPaymentAsks } from './memory-payment-asks';
import type { MemoryRegistry } from './memory-registry';

interface Deps {
  readonly registry: MemoryRegistry;
  readonly deliveries: MemoryDeliveries;
  readonly payments: MemoryOrderPaymentRepository;
  readonly asks: MemoryPaymentAsks;
  readonly clock: { now(): number };
}

/** Lets time pass for one integration, in memory. */
export class MemoryTimeShift implements TimeShift {
  constructor(private readonly deps: Deps) {}

  async upcoming(pair: ShiftedPair): Promise<Upcoming | undefined> {
    const integrationId = this.idOf(pair);
    if (integrationId === undefined) return undefined;
    const now = this.deps.clock.now();
    const { owed } = this.deps.deliveries;
    const heads = owed.firstOfKeys().filter((entry) => entry.integrationId === integrationId);
    const isHeld = ({ claim }: Entry): boolean => claim !== undefined && claim.until > now;
    const asks = this.deps.asks.upcoming(integrationId);
    const steps = [
      ...heads
        .filter((entry) => !isHeld(entry))
        .map((entry): UpcomingStep => ({ what: 'delivery', id: entry.id, at: this.beginOf(entry) })),
      ...asks.waiting.map(({ id, at }): UpcomingStep => ({ what: 'payment', id, at })),
    ];
    const [next] = steps.sort((a, b) => a.at - b.at);
    return { underWay: heads.filter(isHeld).length + asks.underWay, ...(next && { next }) };
  }

  async advance(
    { clientId, appId, ms }: ShiftedPair & { readonly ms: number },
    audit: (moved: Moved) => AuditEntry,
  ): Promise<Moved | undefined> {
    const integrationId = this.idOf({ clientId, appId });
    if (integrationId === undefined) return undefined;
    const { deliveries, payments, asks, registry } = this.deps;
    const waiting = deliveries.owed.all().filter((entry) => entry.integrationId === integrationId && entry.state === 'ready');
    for (const entry of waiting) bringNearer(entry, ms);
    for (const lane of new Set(waiting.map((entry) => entry.lane))) deliveries.lanes.bringNearer(lane, ms);
    asks.bringNearer({ clientId, integrationId, ms });
    const moved = { deliveries: waiting.length, payments: payments.bringNearer(integrationId, ms) };
    registry.audit.push(audit(moved));
    return moved;
  }

  /** When it can be begun: what waits in a closed lane waits for a look, too. */
  private beginOf({ dueAt, lane, parkedBy, byOperator }: Entry): number {
    const trouble = this.deps.deliveries.lanes.find(lane);
    return trouble?.closed && parkedBy === undefined && !byOperator ? Math.max(dueAt, trouble.lookAt) : dueAt;
  }

  private idOf({ clientId, appId }: ShiftedPair): string | undefined {
    requireIds({ clientId, appId });
    return [...this.deps.registry.agreements.values()].find((one) => one.clientId === clientId && one.appId === appId)?.id;
  }
}

function bringNearer(entry: Entry, ms: number): void {
  const earlier = (at: number | undefined): number | undefined => (at === undefined ? undefined : at - ms);
  const { createdAt, dueAt, resentAt, resumeAt, attemptedAt, attempts } = entry;
  Object.assign(entry, { createdAt: createdAt - ms, dueAt: dueAt - ms });
  Object.assign(entry, { resentAt: earlier(resentAt), resumeAt: earlier(resumeAt), attemptedAt: earlier(attemptedAt) });
  attempts.splice(0, attempts.length, ...attempts.map((attempt) => ({ ...attempt, at: attempt.at - ms })));
}

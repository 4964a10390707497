import type {
  PollClaim,
  PollEnd,
  PollRequest,
  DueStatusPoll,
  HostAppTrouble,
  Overdue,
  StatusPollRepository,
} from '../../../../domain/payments/status-poll-repository';
import { fasterPace, pollSlots, pollRules, pollsPerTurn, slowerPace, type PollTurn } from '../../../../domain/payments/poll-pace';
import type { Clock, IdGenerator } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryOrderPaymentRepository, PlannedPayment } from './memory-order-payment-repository';

/** The state of one payment's polls. */
interface MemoryPoll {
  count: number;
  polledAt: number | undefined;
  outcome: string | undefined;
  /** The time of the next poll; `undefined`: no more polls. */
  nextAt: number | undefined;
  claim: { readonly lease: string; readonly until: number } | undefined;
}

interface PolledHostApp {
  failures: number;
  troubles: number;
  perSecond: number;
  backoffUntil: number;
  turnAt: number;
}

interface Deps {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly payments: Pick<MemoryOrderPaymentRepository, 'planned' | 'markUnmatched'>;
  /** A host app's own cap, in polls per second. */
  readonly capOf?: (clientId: string) => number | undefined;
}

/** Status polls of the payments in the same memory. */
export class MemoryStatusPollRepository implements StatusPollRepository {
  private readonly polls = new Map<string, MemoryPoll>();
  private readonly hostApps = new Map<string, PolledHostApp>();

  constructor(private readonly deps: Deps) {}

  async claimDue({ limit, leaseMs, maxPerSecond }: PollRequest): Promise<readonly DueStatusPoll[]> {
    const now = this.deps.clock.now();
    const due = this.due(now);
    const taken: DueStatusPoll[] = [];
    for (const clientId of new Set(due.map((planned) => planned.clientId))) {
      const hostApp = this.hostApp(clientId, now);
      if (hostApp.turnAt > now || hostApp.backoffUntil > now) continue;
      const maxPace = (this.deps.capOf?.(clientId) ?? maxPerSecond) * pollRules.shareOfCap;
      if (hostApp.turnAt < now - pollRules.forgetAfterMs) hostApp.perSecond = Math.min(hostApp.perSecond, pollRules.startPerSecond);
      hostApp.perSecond = Math.min(hostApp.perSecond, maxPace);
      const quota = pollsPerTurn(hostApp.perSecond);
      hostApp.turnAt = Math.max(hostApp.turnAt, now - pollRules.lateMs) + (quota * 1000) / hostApp.perSecond;
      const maxPolls = Math.max(0, Math.min(quota, pollSlots(hostApp) - this.inFlight(clientId, now)));
      const ofHostApp = due.filter((planned) => planned.clientId === clientId).slice(0, Math.min(maxPolls, limit - taken.length));
      const { failures, troubles } = hostApp;
      const turn = { failures, troubles, isFull: ofHostApp.length === maxPolls, maxPace };
      taken.push(...ofHostApp.map((planned) => this.claimed(planned, turn, now + leaseMs)));
    }
    return taken;
  }

  async finish({ id, clientId, turn, lease }: PollClaim, { polledAt, outcome, nextAfterMs, isWell, trouble }: PollEnd): Promise<boolean> {
    requireIds({ id, clientId, lease });
    const hostApp = this.hostApp(clientId);
    if (trouble) this.slowDown(hostApp, turn, trouble);
    else if (polledAt !== undefined && turn.troubles === hostApp.troubles) {
      Object.assign(hostApp, { failures: 0, backoffUntil: -Infinity });
      if (isWell && turn.isFull) hostApp.perSecond = fasterPace(hostApp.perSecond, 1, turn);
    }
    const poll = this.polls.get(id);
    if (poll?.claim?.lease !== lease) return false;
    const count = poll.count + (polledAt === undefined ? 0 : 1);
    const createdAt = this.deps.payments.planned().find(({ payment }) => payment.id === id)?.payment.createdAt;
    const nextAt = nextAfterMs === undefined || createdAt === undefined ? undefined : createdAt + nextAfterMs;
    Object.assign(poll, { count, polledAt: polledAt ?? poll.polledAt, outcome, nextAt, claim: undefined });
    return true;
  }

  private slowDown(hostApp: PolledHostApp, { troubles }: PollTurn, { backoffMs, isAway }: HostAppTrouble): void {
    if (troubles === hostApp.troubles) {
      hostApp.troubles++;
      if (isAway || hostApp.perSecond <= pollRules.startPerSecond) hostApp.failures++;
      hostApp.perSecond = slowerPace(hostApp.perSecond);
    }
    if (hostApp.failures > 0) hostApp.backoffUntil = Math.max(hostApp.backoffUntil, this.deps.clock.now() + backoffMs);
  }

  async endOverdue({
    pollsEndAfterMs,
    resultsAfterMs,
  }: {
    readonly pollsEndAfterMs: number;
    readonly resultsAfterMs: number;
  }): Promise<Overdue> {
    const now = this.deps.clock.now();
    const overdue = this.due(now).filter(({ payment }) => payment.createdAt < now - pollsEndAfterMs);
    for (const planned of overdue) this.pollOf(planned).nextAt = undefined;
    return { polls: overdue.length, results: this.deps.payments.markUnmatched(now - resultsAfterMs) };
  }

  /** The waiting polls of one integration with the earliest time of each, and the number of polls in flight. */
  upcoming(integrationId: string): { waiting: { id: string; at: number }[]; inFlight: number } {
    const now = this.deps.clock.now();
    const of = this.deps.payments.planned().filter(({ payment }) => payment.integrationId === integrationId);
    const isInFlight = (planned: PlannedPayment): boolean => (this.pollOf(planned).claim?.until ?? -Infinity) > now;
    const waiting = of.flatMap((planned) => {
      const { nextAt } = this.pollOf(planned);
      const { backoffUntil, turnAt } = this.hostApp(planned.clientId);
      return nextAt === undefined || isInFlight(planned) ? [] : [{ id: planned.payment.id, at: Math.max(nextAt, backoffUntil, turnAt) }];
    });
    return { waiting, inFlight: of.filter(isInFlight).length };
  }

  /** Moves planned polls of an integration and the backoff of its host app `ms` milliseconds back in time. */
  bringNearer({ clientId, integrationId, ms }: { clientId: string; integrationId: string; ms: number }): void {
    for (const planned of this.deps.payments.planned()) {
      if (planned.payment.integrationId !== integrationId) continue;
      const poll = this.pollOf(planned);
      if (poll.nextAt !== undefined) poll.nextAt -= ms;
      if (poll.polledAt !== undefined) poll.polledAt -= ms;
    }
    const hostApp = this.hostApp(clientId);
    hostApp.backoffUntil -= ms;
    hostApp.turnAt -= ms;
  }

  /** Due polls without a claim: payments never polled first, then those due longest. */
  private due(now: number): PlannedPayment[] {
    return this.deps.payments
      .planned()
      .filter((planned) => {
        const { nextAt = Infinity, claim } = this.pollOf(planned);
        return nextAt <= now && (claim?.until ?? -Infinity) <= now;
      })
      .sort((a, b) => rankOf(this.pollOf(a)) - rankOf(this.pollOf(b)) || (this.pollOf(a).nextAt ?? 0) - (this.pollOf(b).nextAt ?? 0));
  }

  private inFlight(clientId: string, now: number): number {
    return this.deps.payments
      .planned()
      .filter((planned) => planned.clientId === clientId && (this.pollOf(planned).claim?.until ?? -Infinity) > now).length;
  }

  private claimed(planned: PlannedPayment, turn: PollTurn, until: number): DueStatusPoll {
    const lease = this.deps.ids.next();
    this.pollOf(planned).claim = { lease, until };
    const { id, integrationId, orderPaymentId } = planned.payment;
    return { id, integrationId, orderPaymentId, clientId: planned.clientId, turn, lease };
  }

  private pollOf({ payment: { id }, firstPollAt: at }: PlannedPayment): MemoryPoll {
    const known = this.polls.get(id) ?? { count: 0, polledAt: undefined, outcome: undefined, nextAt: at, claim: undefined };
    this.polls.set(id, known);
    return known;
  }

  private hostApp(clientId: string, now = this.deps.clock.now()): PolledHostApp {
    const known = this.hostApps.get(clientId) ?? {
      ...{ failures: 0, troubles: 0, perSecond: pollRules.startPerSecond },
      ...{ backoffUntil: -Infinity, turnAt: now },
    };
    this.hostApps.set(clientId, known);
    return known;
  }
}

const rankOf = ({ count }: MemoryPoll): number => Math.min(count, 1);

import type { AskClaim, AskEnd, AskRequest, DueAsk, HostAppTrouble, Overdue, PaymentAsks } from '../../../domain/payments/payment-asks';
import { fasterPace, pollPlaces, pollRules, pollsPerTurn, slowerPace, type PollTurn } from '../../../domain/payments/poll-pace';
import type { Clock, IdSource } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { MemoryOrderPaymentRepository, PlannedPayment } from './memory-order-payment-repository';

/** The state of one payment's polls. */
interface MemoryAsk {
  asks: number;
  askedAt: number | undefined;
  outcome: string | undefined;
  /** `undefined`: no more. */
  nextAt: number | undefined;
  claim: { readonly lease: string; readonly until: number } | undefined;
}

interface PolledHostApp {
  failures: number;
  troubles: number;
  perSecond: number;
  quietUntil: number;
  turnAt: number;
}

interface Deps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly payments: Pick<MemoryOrderPaymentRepository, 'planned' | 'markUnmatched'>;
  /** The cap of its own that a host app has set, in polls per second. */
  readonly capOf?: (clientId: string) => number | undefined;
}

/** Asks about the payments of the same memory. */
export class MemoryPaymentAsks implements PaymentAsks {
  private readonly asks = new Map<string, MemoryAsk>();
  private readonly hostApps = new Map<string, PolledHostApp>();

  constructor(private readonly deps: Deps) {}

  async claimDue({ limit, leaseMs, maxPerSecond }: AskRequest): Promise<readonly DueAsk[]> {
    const now = this.deps.clock.now();
    const due = this.due(now);
    const taken: DueAsk[] = [];
    for (const clientId of new Set(due.map(({ ask }) => ask.clientId))) {
      const hostApp = this.hostApp(clientId, now);
      if (hostApp.turnAt > now || hostApp.quietUntil > now) continue;
      const mostPerSecond = (this.deps.capOf?.(clientId) ?? maxPerSecond) * pollRules.shareOfCap;
      if (hostApp.turnAt < now - pollRules.forgetAfterMs) hostApp.perSecond = Math.min(hostApp.perSecond, pollRules.startPerSecond);
      hostApp.perSecond = Math.min(hostApp.perSecond, mostPerSecond);
      const quota = pollsPerTurn(hostApp.perSecond);
      hostApp.turnAt = Math.max(hostApp.turnAt, now - pollRules.lateMs) + (quota * 1000) / hostApp.perSecond;
      const most = Math.max(0, Math.min(quota, pollPlaces(hostApp) - this.underWay(clientId, now)));
      const ofHostApp = due.filter(({ ask }) => ask.clientId === clientId).slice(0, Math.min(most, limit - taken.length));
      const { failures, troubles } = hostApp;
      const turn = { failures, troubles, isFull: ofHostApp.length === most, mostPerSecond };
      taken.push(...ofHostApp.map((planned) => this.claimed(planned, turn, now + leaseMs)));
    }
    return taken;
  }

  async finish({ id, clientId, turn, lease }: AskClaim, { askedAt, outcome, nextAfterMs, isWell, trouble }: AskEnd): Promise<boolean> {
    requireIds({ id, clientId, lease });
    const hostApp = this.hostApp(clientId);
    if (trouble) this.slowDown(hostApp, turn, trouble);
    else if (askedAt !== undefined && turn.troubles === hostApp.troubles) {
      Object.assign(hostApp, { failures: 0, quietUntil: -Infinity });
      if (isWell && turn.isFull) hostApp.perSecond = fasterPace(hostApp.perSecond, 1, turn);
    }
    const ask = this.asks.get(id);
    if (ask?.claim?.lease !== lease) return false;
    const asks = ask.asks + (askedAt === undefined ? 0 : 1);
    const createdAt = this.deps.payments.planned().find(({ payment }) => payment.id === id)?.payment.createdAt;
    const nextAt = nextAfterMs === undefined || createdAt === undefined ? undefined : createdAt + nextAfterMs;
    Object.assign(ask, { asks, askedAt: askedAt ?? ask.askedAt, outcome, nextAt, claim: undefined });
    return true;
  }

  private slowDown(hostApp: PolledHostApp, { troubles }: PollTurn, { quietMs, isAway }: HostAppTrouble): void {
    if (troubles === hostApp.troubles) {
      hostApp.troubles++;
      if (isAway || hostApp.perSecond <= pollRules.startPerSecond) hostApp.failures++;
      hostApp.perSecond = slowerPace(hostApp.perSecond);
    }
    if (hostApp.failures > 0) hostApp.quietUntil = Math.max(hostApp.quietUntil, this.deps.clock.now() + quietMs);
  }

  async endOverdue({ asksAfterMs, resultsAfterMs }: { readonly asksAfterMs: number; readonly resultsAfterMs: number }): Promise<Overdue> {
    const now = this.deps.clock.now();
    const overdue = this.due(now).filter(({ payment }) => payment.createdAt < now - asksAfterMs);
    for (const planned of overdue) this.askOf(planned).nextAt = undefined;
    return { asks: overdue.length, results: this.deps.payments.markUnmatched(now - resultsAfterMs) };
  }

  /** Of one integration: when what waits can be asked about, and how many are being asked about. */
  upcoming(integrationId: string): { waiting: { id: string; at: number }[]; underWay: number } {
    const now = this.deps.clock.now();
    const of = this.deps.payments.planned().filter(({ payment }) => payment.integrationId === integrationId);
    const isUnderWay = (planned: PlannedPayment): boolean => (this.askOf(planned).claim?.until ?? -Infinity) > now;
    const waiting = of.flatMap((planned) => {
      const { nextAt } = this.askOf(planned);
      const { quietUntil, turnAt } = this.hostApp(planned.ask.clientId);
      return nextAt === undefined || isUnderWay(planned) ? [] : [{ id: planned.payment.id, at: Math.max(nextAt, quietUntil, turnAt) }];
    });
    return { waiting, underWay: of.filter(isUnderWay).length };
  }

  /** Planned polls come `ms` milliseconds earlier, and the host app is spared so much shorter. */
  bringNearer({ clientId, integrationId, ms }: { clientId: string; integrationId: string; ms: number }): void {
    for (const planned of this.deps.payments.planned()) {
      if (planned.payment.integrationId !== integrationId) continue;
      const ask = this.askOf(planned);
      if (ask.nextAt !== undefined) ask.nextAt -= ms;
      if (ask.askedAt !== undefined) ask.askedAt -= ms;
    }
    const hostApp = this.hostApp(clientId);
    hostApp.quietUntil -= ms;
    hostApp.turnAt -= ms;
  }

  /** Due polls that nobody makes: payments never polled first, then those due longest. */
  private due(now: number): PlannedPayment[] {
    return this.deps.payments
      .planned()
      .filter((planned) => {
        const { nextAt = Infinity, claim } = this.askOf(planned);
        return nextAt <= now && (claim?.until ?? -Infinity) <= now;
      })
      .sort((a, b) => rankOf(this.askOf(a)) - rankOf(this.askOf(b)) || (this.askOf(a).nextAt ?? 0) - (this.askOf(b).nextAt ?? 0));
  }

  private underWay(clientId: string, now: number): number {
    return this.deps.payments
      .planned()
      .filter((planned) => planned.ask.clientId === clientId && (this.askOf(planned).claim?.until ?? -Infinity) > now).length;
  }

  private claimed(planned: PlannedPayment, turn: PollTurn, until: number): DueAsk {
    const lease = this.deps.ids.next();
    this.askOf(planned).claim = { lease, until };
    const { id, integrationId, orderPaymentId } = planned.payment;
    return { id, integrationId, orderPaymentId, clientId: planned.ask.clientId, turn, lease };
  }

  private askOf({ payment: { id }, ask: { at } }: PlannedPayment): MemoryAsk {
    const known = this.asks.get(id) ?? { asks: 0, askedAt: undefined, outcome: undefined, nextAt: at, claim: undefined };
    this.asks.set(id, known);
    return known;
  }

  private hostApp(clientId: string, now = this.deps.clock.now()): PolledHostApp {
    const known = this.hostApps.get(clientId) ?? {
      ...{ failures: 0, troubles: 0, perSecond: pollRules.startPerSecond },
      ...{ quietUntil: -Infinity, turnAt: now },
    };
    this.hostApps.set(clientId, known);
    return known;
  }
}

const rankOf = ({ asks }: MemoryAsk): number => Math.min(asks, 1);

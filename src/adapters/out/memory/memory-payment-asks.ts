import { askRules } from '../../../domain/payments/ask-plan';
import type { AskClaim, AskEnd, DueAsk, Overdue, PaymentAsks } from '../../../domain/payments/payment-asks';
import type { Clock, IdSource } from '../../../domain/shared/ports';
import { requireIds } from '../../../domain/shared/required-id';
import type { MemoryOrderPaymentRepository, PlannedPayment } from './memory-order-payment-repository';

/** What is known of one payment's asks. */
interface MemoryAsk {
  asks: number;
  askedAt: number | undefined;
  outcome: string | undefined;
  /** `undefined`: no more. */
  nextAt: number | undefined;
  claim: { readonly lease: string; readonly until: number } | undefined;
}

interface AskedHostApp {
  failures: number;
  quietUntil: number;
  turnAt: number;
}

interface Deps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly payments: Pick<MemoryOrderPaymentRepository, 'planned' | 'markUnmatched'>;
}

/** Asks about the payments of the same memory. */
export class MemoryPaymentAsks implements PaymentAsks {
  private readonly asks = new Map<string, MemoryAsk>();
  private readonly hostApps = new Map<string, AskedHostApp>();

  constructor(private readonly deps: Deps) {}

  async claimDue({ limit, leaseMs }: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueAsk[]> {
    const now = this.deps.clock.now();
    const due = this.due(now);
    const taken: DueAsk[] = [];
    for (const clientId of new Set(due.map(({ ask }) => ask.clientId))) {
      const hostApp = this.hostApp(clientId);
      if (hostApp.turnAt > now || hostApp.quietUntil > now) continue;
      hostApp.turnAt = now + askRules.turnEveryMs;
      const places = (hostApp.failures > 0 ? 1 : askRules.places) - this.underWay(clientId, now);
      const ofHostApp = due.filter(({ ask }) => ask.clientId === clientId).slice(0, Math.max(0, Math.min(places, limit - taken.length)));
      taken.push(...ofHostApp.map((planned) => this.claimed(planned, hostApp, now + leaseMs)));
    }
    return taken;
  }

  async finish({ id, clientId, failures, lease }: AskClaim, { askedAt, outcome, nextAt, quietUntil }: AskEnd): Promise<boolean> {
    requireIds({ id, clientId, lease });
    const hostApp = this.hostApp(clientId);
    if (quietUntil !== undefined) {
      hostApp.failures = Math.max(hostApp.failures, failures + 1);
      hostApp.quietUntil = Math.max(hostApp.quietUntil, quietUntil);
    } else if (askedAt !== undefined && failures > 0 && hostApp.failures === failures) {
      Object.assign(hostApp, { failures: 0, quietUntil: -Infinity });
    }
    const ask = this.asks.get(id);
    if (ask?.claim?.lease !== lease) return false;
    const asks = ask.asks + (askedAt === undefined ? 0 : 1);
    Object.assign(ask, { asks, askedAt: askedAt ?? ask.askedAt, outcome, nextAt, claim: undefined });
    return true;
  }

  async endOverdue({
    createdBefore,
    reportedBefore,
  }: {
    readonly createdBefore: number;
    readonly reportedBefore: number;
  }): Promise<Overdue> {
    const overdue = this.due(this.deps.clock.now()).filter(({ payment }) => payment.createdAt < createdBefore);
    for (const planned of overdue) this.askOf(planned).nextAt = undefined;
    return { asks: overdue.length, results: this.deps.payments.markUnmatched(reportedBefore) };
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

  /** What is planned comes `ms` milliseconds earlier, and the host app is spared so much shorter. */
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

  /** What is due and nobody asks, due longest first. */
  private due(now: number): PlannedPayment[] {
    return this.deps.payments
      .planned()
      .filter((planned) => {
        const { nextAt = Infinity, claim } = this.askOf(planned);
        return nextAt <= now && (claim?.until ?? -Infinity) <= now;
      })
      .sort((a, b) => (this.askOf(a).nextAt ?? 0) - (this.askOf(b).nextAt ?? 0));
  }

  private underWay(clientId: string, now: number): number {
    return this.deps.payments
      .planned()
      .filter((planned) => planned.ask.clientId === clientId && (this.askOf(planned).claim?.until ?? -Infinity) > now).length;
  }

  private claimed(planned: PlannedPayment, { failures }: AskedHostApp, until: number): DueAsk {
    const lease = this.deps.ids.next();
    this.askOf(planned).claim = { lease, until };
    const { id, integrationId, orderPaymentId } = planned.payment;
    return { id, integrationId, orderPaymentId, clientId: planned.ask.clientId, failures, lease };
  }

  private askOf({ payment: { id }, ask: { at } }: PlannedPayment): MemoryAsk {
    const known = this.asks.get(id) ?? { asks: 0, askedAt: undefined, outcome: undefined, nextAt: at, claim: undefined };
    this.asks.set(id, known);
    return known;
  }

  private hostApp(clientId: string): AskedHostApp {
    const known = this.hostApps.get(clientId) ?? { failures: 0, quietUntil: -Infinity, turnAt: -Infinity };
    this.hostApps.set(clientId, known);
    return known;
  }
}

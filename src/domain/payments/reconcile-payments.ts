import type { Integration } from '../partners/integration';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal } from '../shared/errors';
import { factsOfFault } from '../shared/fault';
import { AskAndSettle, type AskAndSettleDeps } from './ask-and-settle';
import type { StatusAsk } from './ask-host-app';
import { askRules, isTrouble, nextAskAt, quietUntil } from './ask-plan';
import { askedIntegration } from './asked-integration';
import type { OrderPayment } from './order-payment';
import type { AskEnd, DueAsk, PaymentAsks } from './payment-asks';
import { unansweredForMs, type OrderPaymentRepository } from './ports';

interface Deps extends AskAndSettleDeps {
  readonly asks: PaymentAsks;
  readonly payments: OrderPaymentRepository;
  readonly directory: PartnerDirectory;
  /** As `askTimesMs`. */
  readonly timesMs: readonly number[];
}

/** A claim outlives its ask by this much, in milliseconds, so that a live ask keeps it while its end is written. */
const leaseMarginMs = 5000;
/** How often what has come to an end by its age is looked for, in milliseconds. */
const overdueEveryMs = 60_000;

/**
 * Asks host apps about payments that stay in process (`askTimesMs`). A final answer settles the payment as if the host app had
 * called to complete it: one result, one completion owed. Each ask is an exchange of its own, `reconcile`. A host app that is in
 * trouble is left alone for growing times; what fell due meanwhile is asked once, when it is back.
 */
export class ReconcilePayments {
  private overdueLookedAt = -Infinity;
  private readonly askAndSettle: AskAndSettle;

  constructor(private readonly deps: Deps) {
    this.askAndSettle = new AskAndSettle(deps);
  }

  /** Claims what is due and begins to ask, `limit` asks at most. The promises never reject. */
  async execute({ limit }: { readonly limit: number }): Promise<readonly Promise<void>[]> {
    await this.endOverdue();
    const due = await this.deps.asks.claimDue({ limit, leaseMs: this.deps.timeoutMs + leaseMarginMs });
    return due.map((ask) => this.follow(ask));
  }

  private async endOverdue(): Promise<void> {
    const { asks, clock, log } = this.deps;
    const now = clock.now();
    if (now - this.overdueLookedAt < overdueEveryMs) return;
    const ended = await asks.endOverdue({ createdBefore: now - askRules.lateForMs, reportedBefore: now - unansweredForMs });
    this.overdueLookedAt = now;
    if (ended.asks > 0) log.warn('reconcile.given-up', { count: ended.asks });
    if (ended.results > 0) log.warn('payment.unmatched', { count: ended.results });
  }

  /** Where the database is away the ask stays claimed: it is due again when the claim has run out. */
  private async follow(due: DueAsk): Promise<void> {
    const { asks, log } = this.deps;
    try {
      const held = await asks.finish(due, await this.endOf(due));
      if (!held) log.warn('reconcile.claim-lost', { payment_id: due.id });
    } catch (error) {
      log.warn('reconcile.fault', { payment_id: due.id, ...factsOfFault(error) });
    }
  }

  /** Throws Unavailable. */
  private async endOf(due: DueAsk): Promise<AskEnd> {
    const payment = await this.deps.payments.find(due);
    if (payment?.status !== 'in_process') return { outcome: payment?.status ?? 'ORDER_NOT_FOUND' };
    const integration = await this.integrationOf(payment);
    if (!(integration instanceof DomainError)) return this.ask(due, { integration, payment });
    return { outcome: integration.code, nextAt: this.nextAt(payment, true) };
  }

  private nextAt({ createdAt }: OrderPayment, isReached: boolean): number | undefined {
    const { clock, timesMs } = this.deps;
    return nextAskAt({ createdAt, now: clock.now(), isReached, timesMs });
  }

  /** Looked up anew at each ask. A refusal, given back, is why nobody is asked. */
  private async integrationOf({ integrationId }: OrderPayment): Promise<Integration | DomainError> {
    try {
      const integration = await askedIntegration(this.deps.directory, integrationId);
      if (integration.settings.reconcile) return integration;
      return refusal('invalid', 'FEATURE_DISABLED_IN_INTEGRATION', { setting: 'reconcile', side: 'platform' });
    } catch (error) {
      if (error instanceof DomainError && error.kind !== 'unavailable') return error;
      throw error;
    }
  }

  private async ask({ failures }: DueAsk, parts: Omit<StatusAsk, 'relay'>): Promise<AskEnd> {
    const { at, outcome, leg } = await this.askAndSettle.execute(parts);
    const inTrouble = leg !== undefined && isTrouble(leg);
    return {
      askedAt: at,
      outcome,
      nextAt: this.nextAt(parts.payment, !inTrouble),
      ...(inTrouble && { quietUntil: quietUntil({ failures, now: this.deps.clock.now(), retryAfterS: leg.retryAfterS }) }),
    };
  }
}

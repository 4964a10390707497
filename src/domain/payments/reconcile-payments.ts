import type { Leg } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal } from '../shared/errors';
import { factsOfFault } from '../shared/fault';
import { AskAndSettle, type AskAndSettleDeps } from './ask-and-settle';
import type { StatusAsk } from './ask-host-app';
import { askRules, isTrouble, nextAskAfterMs, quietMsAfter } from './ask-plan';
import { askedIntegration } from './asked-integration';
import type { OrderPayment } from './order-payment';
import type { AskEnd, DueAsk, HostAppTrouble, PaymentAsks } from './payment-asks';
import { pollRules, type PollTurn } from './poll-pace';
import { unansweredForMs, type OrderPaymentRepository } from './ports';

interface Deps extends AskAndSettleDeps {
  readonly asks: PaymentAsks;
  readonly payments: OrderPaymentRepository;
  readonly directory: PartnerDirectory;
  /** As `askTimesMs`. */
  readonly timesMs: readonly number[];
  /** The cap of status polls per second at one host app, over all instances; a host app may have one of its own. */
  readonly maxPerSecond: number;
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

  /** Claims due polls and begins them, `limit` at most. The promises never reject. */
  async execute({ limit }: { readonly limit: number }): Promise<readonly Promise<void>[]> {
    await this.endOverdue();
    const { asks, timeoutMs, maxPerSecond } = this.deps;
    const due = await asks.claimDue({ limit, leaseMs: timeoutMs + leaseMarginMs, maxPerSecond });
    return due.map((ask) => this.follow(ask));
  }

  private async endOverdue(): Promise<void> {
    const { asks, clock, log } = this.deps;
    const now = clock.now();
    if (now - this.overdueLookedAt < overdueEveryMs) return;
    const ended = await asks.endOverdue({ asksAfterMs: askRules.lateForMs, resultsAfterMs: unansweredForMs });
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
    return { outcome: integration.code, nextAfterMs: this.nextAfterMs(payment, true) };
  }

  private nextAfterMs({ createdAt }: OrderPayment, isReached: boolean): number | undefined {
    const { clock, timesMs } = this.deps;
    return nextAskAfterMs({ ageMs: clock.now() - createdAt, isReached, timesMs });
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

  private async ask({ turn }: DueAsk, parts: Omit<StatusAsk, 'relay'>): Promise<AskEnd> {
    const { at, outcome, leg } = await this.askAndSettle.execute(parts);
    const inTrouble = leg !== undefined && isTrouble(leg);
    return {
      askedAt: at,
      outcome,
      nextAfterMs: this.nextAfterMs(parts.payment, !inTrouble),
      isWell: leg !== undefined && !inTrouble && leg.ms <= pollRules.wellWithinMs,
      ...(inTrouble && { trouble: troubleOf(leg, turn) }),
    };
  }
}

const troubleOf = ({ status, retryAfterS }: Leg, { failures }: PollTurn): HostAppTrouble => ({
  quietMs: quietMsAfter({ failures, retryAfterS }),
  isAway: status === undefined || retryAfterS !== undefined,
});

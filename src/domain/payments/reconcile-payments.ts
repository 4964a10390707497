import { laneOfCompletion } from '../deliveries/lane';
import type { DeliveryBell } from '../deliveries/ports';
import { ExchangeTrace, type Ending, type Relay } from '../exchanges/exchange';
import type { ExchangeLog } from '../exchanges/ports';
import type { Integration } from '../partners/integration';
import { integrationById } from '../partners/integration-by-id';
import { EndpointNotSet } from '../partners/partner-errors';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal, Unavailable } from '../shared/errors';
import { factsOfFault } from '../shared/fault';
import type { Clock, IdSource, Log } from '../shared/ports';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import { asCompletion, askHostApp, type StatusAsk } from './ask-host-app';
import { askRules, isTrouble, nextAskAt, quietUntil } from './ask-plan';
import { settle, type OrderPayment } from './order-payment';
import type { AskEnd, DueAsk, PaymentAsks } from './payment-asks';
import { unansweredForMs, type HostAppPaymentGateway, type OrderPaymentRepository, type StatusReport } from './ports';

interface Deps {
  readonly asks: PaymentAsks;
  readonly payments: OrderPaymentRepository;
  readonly directory: PartnerDirectory;
  readonly hostApp: HostAppPaymentGateway;
  readonly users: Pick<CallAsStoredUser, 'execute'>;
  readonly exchanges: ExchangeLog;
  readonly bell: DeliveryBell;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** As `askTimesMs`. */
  readonly timesMs: readonly number[];
  /** Milliseconds that one ask may take. */
  readonly timeoutMs: number;
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

  constructor(private readonly deps: Deps) {}

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
      const integration = await integrationById(this.deps.directory, { integrationId, feature: 'payments' });
      if (!integration.settings.reconcile) {
        return refusal('invalid', 'FEATURE_DISABLED_IN_INTEGRATION', { setting: 'reconcile', side: 'platform' });
      }
      if (integration.hostApp.settings.endpoints.getOrderPaymentStatus !== undefined) return integration;
      return new EndpointNotSet({ side: 'hostapp', step: 'status' }, 'get_order_payment_status_url');
    } catch (error) {
      if (error instanceof DomainError && error.kind !== 'unavailable') return error;
      throw error;
    }
  }

  private async ask(due: DueAsk, parts: Omit<StatusAsk, 'relay'>): Promise<AskEnd> {
    const { clock, ids, exchanges, timeoutMs } = this.deps;
    const at = clock.now();
    const trace = new ExchangeTrace();
    const relay: Relay = { requestId: ids.next(), deadline: at + timeoutMs, trace };
    const { outcome, ...ending } = await this.answerTo({ relay, ...parts });
    const { hostApp, miniapp } = parts.integration;
    const of = { id: ids.next(), requestId: relay.requestId, call: 'reconcile', clientId: hostApp.id, appId: miniapp.id };
    exchanges.append(trace.record({ ...of, at, ms: clock.now() - at }, ending));
    if (ending.status === statusOf.unavailable) throw new Unavailable('database-away');
    const leg = trace.lastLeg;
    const inTrouble = leg !== undefined && isTrouble(leg);
    const { failures } = due;
    return {
      askedAt: at,
      outcome,
      nextAt: this.nextAt(parts.payment, !inTrouble),
      ...(inTrouble && { quietUntil: quietUntil({ failures, now: clock.now(), retryAfterS: leg.retryAfterS }) }),
    };
  }

  /** What the host app says, settled where it is final; or the code of what went wrong. */
  private async answerTo(ask: StatusAsk): Promise<Ending & { readonly outcome: string }> {
    try {
      const report = await askHostApp(this.deps, ask);
      const isTaken = await this.settle(ask, report);
      if (isTaken) return { outcome: report.word, status: statusOf.answered };
      return { outcome: report.word, status: statusOf.refused, errorCode: 'INVALID_PAYMENT_STATUS', side: 'hostapp', step: 'status' };
    } catch (error) {
      return this.failureOf(ask, error);
    }
  }

  /** False: another result was taken meanwhile; this one is kept as a conflict. */
  private async settle(ask: StatusAsk, report: StatusReport): Promise<boolean> {
    const { payments, bell, clock, log } = this.deps;
    const said = asCompletion(ask, report, clock.now());
    const { outcome, payment } = await payments.settle(ask.payment, (stored) => settle(stored, said));
    if (outcome === 'settled') {
      bell.ring(laneOfCompletion(said));
      log.info('payment.reconciled', { payment_id: payment.id, status: payment.status });
    }
    return outcome !== 'refused';
  }

  private failureOf({ payment }: StatusAsk, error: unknown): Ending & { readonly outcome: string } {
    if (!(error instanceof DomainError)) {
      this.deps.log.warn('reconcile.fault', { payment_id: payment.id, ...factsOfFault(error) });
      return { outcome: 'UNKNOWN_ERROR', status: statusOf.fault, errorCode: 'UNKNOWN_ERROR', side: 'platform' };
    }
    const { code, kind, details } = error;
    const status = kind === 'unavailable' || kind === 'fault' ? statusOf[kind] : statusOf.refused;
    return { outcome: code, status, errorCode: code, side: details.side, step: details.step };
  }
}

/** With which status get-payment-status would have answered; the record of an ask has it. */
const statusOf = { answered: 200, refused: 400, fault: 500, unavailable: 503 } as const;

import type { Leg } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import type { PartnerDirectory } from '../partners/ports';
import { DomainError, refusal } from '../shared/errors';
import { errorFields } from '../shared/fault';
import { PollAndSettle, type PollAndSettleDeps } from './poll-and-settle';
import type { StatusPoll } from './poll-host-app';
import { pollPlanRules, isTrouble, nextPollAfterMs, backoffMsAfter } from './poll-plan';
import { integrationForPoll } from './integration-for-poll';
import type { OrderPayment } from './order-payment';
import type { PollEnd, DueStatusPoll, HostAppTrouble, StatusPollRepository } from './status-poll-repository';
import { pollRules, type PollTurn } from './poll-pace';
import { unansweredForMs, type OrderPaymentRepository } from './ports';

interface Deps extends PollAndSettleDeps {
  readonly polls: StatusPollRepository;
  readonly payments: OrderPaymentRepository;
  readonly directory: PartnerDirectory;
  /** As `pollTimesMs`. */
  readonly timesMs: readonly number[];
  /** Maximum status polls per second at one host app, over all instances; a host app's own setting overrides it. */
  readonly maxPerSecond: number;
}

/** Milliseconds by which a claim outlives its poll's timeout, so that the poll still holds the claim while its result is stored. */
const leaseMarginMs = 5000;
/** Milliseconds between two checks for polls and results that end by age. */
const overdueEveryMs = 60_000;

/**
 * Polls host apps for payments that stay in process (`pollTimesMs`). A final status settles the payment as a call of complete-order would:
 * one result, one completion to deliver. Each poll has an exchange record of its own, `reconcile`. A failing host app is polled after
 * growing backoffs; a payment that was due several times meanwhile is polled once.
 */
export class ReconcilePayments {
  private overdueCheckedAt = -Infinity;
  private readonly pollAndSettle: PollAndSettle;

  constructor(private readonly deps: Deps) {
    this.pollAndSettle = new PollAndSettle(deps);
  }

  /** Claims at most `limit` due polls and begins them. The promises never reject. */
  async execute({ limit }: { readonly limit: number }): Promise<readonly Promise<void>[]> {
    await this.endOverdue();
    const { polls, timeoutMs, maxPerSecond } = this.deps;
    const due = await polls.claimDue({ limit, leaseMs: timeoutMs + leaseMarginMs, maxPerSecond });
    return due.map((poll) => this.follow(poll));
  }

  private async endOverdue(): Promise<void> {
    const { polls, clock, log } = this.deps;
    const now = clock.now();
    if (now - this.overdueCheckedAt < overdueEveryMs) return;
    const ended = await polls.endOverdue({ pollsEndAfterMs: pollPlanRules.lateForMs, resultsAfterMs: unansweredForMs });
    this.overdueCheckedAt = now;
    if (ended.polls > 0) log.warn('reconcile.given-up', { count: ended.polls });
    if (ended.results > 0) log.warn('payment.unmatched', { count: ended.results });
  }

  /** Runs one poll. When the database is unavailable, the poll stays claimed and is due again once the claim has expired. */
  private async follow(due: DueStatusPoll): Promise<void> {
    const { polls, log } = this.deps;
    try {
      const held = await polls.finish(due, await this.endOf(due));
      if (!held) log.warn('reconcile.claim-lost', { payment_id: due.id });
    } catch (error) {
      log.warn('reconcile.fault', { payment_id: due.id, ...errorFields(error) });
    }
  }

  /** Throws Unavailable. */
  private async endOf(due: DueStatusPoll): Promise<PollEnd> {
    const payment = await this.deps.payments.find(due);
    if (payment?.status !== 'in_process') return { outcome: payment?.status ?? 'ORDER_NOT_FOUND' };
    const integration = await this.integrationOf(payment);
    if (!(integration instanceof DomainError)) return this.poll(due, { integration, payment });
    return { outcome: integration.code, nextAfterMs: this.nextAfterMs(payment, true) };
  }

  private nextAfterMs({ createdAt }: OrderPayment, isReached: boolean): number | undefined {
    const { clock, timesMs } = this.deps;
    return nextPollAfterMs({ ageMs: clock.now() - createdAt, isReached, timesMs });
  }

  /** Looks up the integration, anew at each poll. Returns, not throws, the refusal for which no poll is made. */
  private async integrationOf({ integrationId }: OrderPayment): Promise<Integration | DomainError> {
    try {
      const integration = await integrationForPoll(this.deps.directory, integrationId);
      if (integration.settings.reconcile) return integration;
      return refusal('invalid', 'FEATURE_DISABLED_IN_INTEGRATION', { setting: 'reconcile', side: 'platform' });
    } catch (error) {
      if (error instanceof DomainError && error.kind !== 'unavailable') return error;
      throw error;
    }
  }

  private async poll({ turn }: DueStatusPoll, parts: Omit<StatusPoll, 'relay'>): Promise<PollEnd> {
    const { at, outcome, leg } = await this.pollAndSettle.execute(parts);
    const inTrouble = leg !== undefined && isTrouble(leg);
    return {
      polledAt: at,
      outcome,
      nextAfterMs: this.nextAfterMs(parts.payment, !inTrouble),
      isWell: leg !== undefined && !inTrouble && leg.ms <= pollRules.wellWithinMs,
      ...(inTrouble && { trouble: troubleOf(leg, turn) }),
    };
  }
}

const troubleOf = ({ status, retryAfterS }: Leg, { failures }: PollTurn): HostAppTrouble => ({
  backoffMs: backoffMsAfter({ failures, retryAfterS }),
  isAway: status === undefined || retryAfterS !== undefined,
});

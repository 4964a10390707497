import type { RateLimiter } from '../credentials/ports';
import type { ChangeOrigin } from '../partners/partner-draft';
import type { PartnerDirectory } from '../partners/ports';
import { refusal } from '../shared/errors';
import type { Clock } from '../shared/ports';
import { PollAndSettle, type PollAndSettleDeps } from './poll-and-settle';
import { integrationForPoll } from './integration-for-poll';
import { UnknownPayment, type PaymentRecordRepository, type PaymentHistory } from './payment-record-repository';
import type { OrderPaymentRepository } from './ports';

export interface PollPaymentNowCommand extends ChangeOrigin {
  readonly id: string;
}

interface Deps extends PollAndSettleDeps {
  readonly repository: Pick<PaymentRecordRepository, 'find' | 'notePoll'>;
  readonly payments: Pick<OrderPaymentRepository, 'find' | 'settle'>;
  readonly directory: PartnerDirectory;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

/**
 * Polls a payment's status at an operator's request, final or not, at once and outside the poll plan. Throws UnknownPayment, RATE_LIMITED
 * (by host app), ORDER_NOT_FOUND where the host app never opened a payment, and what `integrationForPoll` throws. A failed poll does not
 * throw; its outcome is stored.
 */
export class PollPaymentNow {
  private readonly pollAndSettle: PollAndSettle;

  constructor(private readonly deps: Deps) {
    this.pollAndSettle = new PollAndSettle(deps);
  }

  async execute({ id, actor, requestId }: PollPaymentNowCommand): Promise<PaymentHistory> {
    const { repository, payments, directory, limiter, clock } = this.deps;
    const { integrationId, orderPaymentId, status } = await this.known(id);
    const payment = orderPaymentId === undefined ? undefined : await payments.find({ integrationId, orderPaymentId });
    if (!payment)
      throw refusal('invalid', 'ORDER_NOT_FOUND', { side: 'platform' }, 'The host app has opened no payment that could be asked about');
    const integration = await integrationForPoll(directory, integrationId);
    await limiter.count({ limit: 'payment-poll', subject: integration.hostApp.id });
    const { at, outcome } = await this.pollAndSettle.execute({ integration, payment }, requestId);
    const after = { outcome };
    await repository.notePoll(
      id,
      { polledAt: at, outcome },
      { actor, action: 'payment.polled', subject: `payment:${id}`, before: { status }, after, requestId, at: clock.now() },
    );
    return this.known(id);
  }

  private async known(id: string): Promise<PaymentHistory> {
    const payment = await this.deps.repository.find(id);
    if (!payment) throw new UnknownPayment();
    return payment;
  }
}

import type { RateLimiter } from '../credentials/ports';
import type { ChangeOrigin } from '../partners/partner-draft';
import type { PartnerDirectory } from '../partners/ports';
import { refusal } from '../shared/errors';
import type { Clock } from '../shared/ports';
import { AskAndSettle, type AskAndSettleDeps } from './ask-and-settle';
import { askedIntegration } from './asked-integration';
import { UnknownPayment, type PaymentBook, type PaymentHistory } from './payment-book';
import type { OrderPaymentRepository } from './ports';

export interface AskPaymentNowCommand extends ChangeOrigin {
  readonly id: string;
}

interface Deps extends AskAndSettleDeps {
  readonly book: Pick<PaymentBook, 'find' | 'noteAsk'>;
  readonly payments: Pick<OrderPaymentRepository, 'find' | 'settle'>;
  readonly directory: PartnerDirectory;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

/**
 * Somebody wants to know now how a payment stands at its host app, final or not: the reconciler's ask, at once and beside its
 * plan. Throws UnknownPayment, RATE_LIMITED (by host app), ORDER_NOT_FOUND where the host app never opened one, and what
 * `askedIntegration` throws; a failed ask is an answer.
 */
export class AskPaymentNow {
  private readonly askAndSettle: AskAndSettle;

  constructor(private readonly deps: Deps) {
    this.askAndSettle = new AskAndSettle(deps);
  }

  async execute({ id, actor, requestId }: AskPaymentNowCommand): Promise<PaymentHistory> {
    const { book, payments, directory, limiter, clock } = this.deps;
    const { integrationId, orderPaymentId, status } = await this.known(id);
    const payment = orderPaymentId === undefined ? undefined : await payments.find({ integrationId, orderPaymentId });
    if (!payment)
      throw refusal('invalid', 'ORDER_NOT_FOUND', { side: 'platform' }, 'The host app has opened no payment that could be asked about');
    const integration = await askedIntegration(directory, integrationId);
    await limiter.count({ limit: 'payment-ask', subject: integration.hostApp.id });
    const { at, outcome } = await this.askAndSettle.execute({ integration, payment }, requestId);
    const after = { outcome };
    await book.noteAsk(
      id,
      { askedAt: at, outcome },
      { actor, action: 'payment.asked', subject: `payment:${id}`, before: { status }, after, requestId, at: clock.now() },
    );
    return this.known(id);
  }

  private async known(id: string): Promise<PaymentHistory> {
    const payment = await this.deps.book.find(id);
    if (!payment) throw new UnknownPayment();
    return payment;
  }
}

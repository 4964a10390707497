import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import { UnknownPayment, type ConflictKey, type PaymentBook, type PaymentHistory } from './payment-book';

export interface ResolveConflictCommand extends ChangeOrigin, ConflictKey {
  /** The finding; kept with the conflict and in the audit trail. */
  readonly reason: string;
}

/** Somebody has looked into a report that contradicted a payment's result. The result stays. Throws UnknownPayment. */
export class ResolveConflict {
  constructor(private readonly deps: { readonly book: Pick<PaymentBook, 'resolve'>; readonly clock: Clock }) {}

  async execute({ paymentId, conflictId, reason, actor, requestId }: ResolveConflictCommand): Promise<PaymentHistory> {
    const at = this.deps.clock.now();
    const resolved = await this.deps.book.resolve({ paymentId, conflictId }, { at, by: actor, reason }, ({ kind, word }) => ({
      ...{ actor, action: 'payment.conflict-resolved', subject: `payment:${paymentId}`, requestId, at },
      before: { kind, payment_status: word },
      after: { reason },
    }));
    if (!resolved) throw new UnknownPayment();
    return resolved;
  }
}

import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import { UnknownPayment, type ConflictKey, type PaymentRecordRepository, type PaymentHistory } from './payment-record-repository';

export interface ResolveConflictCommand extends ChangeOrigin, ConflictKey {
  /** The operator's finding; stored with the conflict and in the audit trail. */
  readonly reason: string;
}

/** Marks a report that contradicted a payment's result as resolved. The result stays. Throws UnknownPayment. */
export class ResolveConflict {
  constructor(private readonly deps: { readonly repository: Pick<PaymentRecordRepository, 'resolve'>; readonly clock: Clock }) {}

  async execute({ paymentId, conflictId, reason, actor, requestId }: ResolveConflictCommand): Promise<PaymentHistory> {
    const at = this.deps.clock.now();
    const resolved = await this.deps.repository.resolve({ paymentId, conflictId }, { at, by: actor, reason }, ({ kind, word }) => ({
      ...{ actor, action: 'payment.conflict-resolved', subject: `payment:${paymentId}`, requestId, at },
      before: { kind, payment_status: word },
      after: { reason },
    }));
    if (!resolved) throw new UnknownPayment();
    return resolved;
  }
}

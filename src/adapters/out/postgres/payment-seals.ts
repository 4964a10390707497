import type { SecretBox } from '../../../domain/credentials/ports';
import type { Completion, OrderPayment } from '../../../domain/payments/order-payment';
import type { PaymentKey } from '../../../domain/payments/ports';
import { bodyPlace } from './delivery.schema';
import { completionFrom, completionText, orderPlace, reportText, type OrderPaymentRow } from './payment.schema';
import type { ReferenceIndex } from './reference-index';
import { openText, sealText } from './sealed-text';

/** Seals and opens stored values of payments, each value bound to its table, column and row. */
export class PaymentSeals {
  constructor(private readonly deps: { readonly box: SecretBox; readonly index: ReferenceIndex }) {}

  order(id: string, text: string): Buffer {
    return sealText(this.deps.box, text, orderPlace(id));
  }

  user(id: string, reference: string | undefined): Buffer | null {
    return sealText(this.deps.box, reference, userPlace(id));
  }

  /** `text`: of `completionText`. */
  completion(id: string, text: string): Buffer {
    return sealText(this.deps.box, text, completionPlace(id));
  }

  /** `text`: of `completionText`. */
  delivery(id: string, text: string): Buffer {
    return sealText(this.deps.box, text, bodyPlace(id));
  }

  early(key: PaymentKey, completion: Completion): Buffer {
    return sealText(this.deps.box, completionText(completion), earlyPlace(key));
  }

  earlyFrom(key: PaymentKey, sealed: Buffer): Completion {
    return completionFrom(this.deps.box.open(sealed, earlyPlace(key)));
  }

  /** A report that does not agree, under a digest of what it says. */
  disagreement(key: PaymentKey, report: Completion): { readonly digest: Buffer; readonly sealed: Buffer } {
    const digest = this.deps.index.digest('payment-report', reportText(report));
    return { digest, sealed: sealText(this.deps.box, completionText(report), conflictPlace(key, digest)) };
  }

  payment(row: PaymentRow): OrderPayment {
    const { box } = this.deps;
    return {
      id: row.id,
      integrationId: row.integration_id,
      orderPaymentId: row.order_payment_id,
      status: row.status,
      ...(row.user_reference && { userReference: openText(box, row.user_reference, userPlace(row.id)) }),
      ...(row.completion && { completion: completionFrom(box.open(row.completion, completionPlace(row.id))) }),
      createdAt: row.created_at.getTime(),
    };
  }
}

/** A row of order_payments that is bound to a host app's id. */
export type PaymentRow = Pick<OrderPaymentRow, 'id' | 'integration_id' | 'status' | 'user_reference' | 'completion' | 'created_at'> & {
  readonly order_payment_id: string;
};

/** Where the sealed values of payments lie, beside `orderPlace`. */
export const userPlace = (id: string): string => `order_payments.user_reference:${id}`;
export const completionPlace = (id: string): string => `order_payments.completion:${id}`;
export const earlyPlace = (key: PaymentKey): string => `payment_completions_early.completion:${nameOf(key)}`;
export const conflictPlace = (key: PaymentKey, digest: Buffer): string =>
  `payment_conflicts.completion:${nameOf(key)}/${digest.toString('hex')}`;
/** Tells a key from every other. */
export const nameOf = ({ integrationId, orderPaymentId }: PaymentKey): string => JSON.stringify([integrationId, orderPaymentId]);

import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { Completion, OrderPayment } from '../../../../domain/payments/order-payment';
import type { PaymentKey } from '../../../../domain/payments/ports';
import { bodySealContext } from '../deliveries/delivery.schema';
import { completionFrom, completionText, orderSealContext, reportText, type OrderPaymentRow } from './payment.schema';
import type { ReferenceIndex } from '../sealing/reference-index';
import { openText, sealText } from '../sealing/sealed-text';

/** Seals and decrypts stored values of payments, each bound to its table, column and row. */
export class PaymentSeals {
  constructor(private readonly deps: { readonly box: SecretCipher; readonly index: ReferenceIndex }) {}

  order(id: string, text: string): Buffer {
    return sealText(this.deps.box, text, orderSealContext(id));
  }

  /** `text`: of `summaryText`. */
  summary(id: string, text: string): Buffer {
    return sealText(this.deps.box, text, summarySealContext(id));
  }

  user(id: string, reference: string | undefined): Buffer | null {
    return sealText(this.deps.box, reference, userReferenceSealContext(id));
  }

  /** `text`: of `completionText`. */
  completion(id: string, text: string): Buffer {
    return sealText(this.deps.box, text, completionSealContext(id));
  }

  /** `text`: of `completionText`. */
  delivery(id: string, text: string): Buffer {
    return sealText(this.deps.box, text, bodySealContext(id));
  }

  early(key: PaymentKey, completion: Completion): Buffer {
    return sealText(this.deps.box, completionText(completion), earlySealContext(key));
  }

  earlyFrom(key: PaymentKey, sealed: Buffer): Promise<Completion> {
    return completionFrom(this.deps.box.open(sealed, earlySealContext(key)));
  }

  /** Seals a report that disagrees, with a keyed digest of its content. */
  disagreement(key: PaymentKey, report: Completion): { readonly digest: Buffer; readonly sealed: Buffer } {
    const digest = this.deps.index.digest('payment-report', reportText(report));
    return { digest, sealed: sealText(this.deps.box, completionText(report), conflictSealContext(key, digest)) };
  }

  async payment(row: PaymentRow): Promise<OrderPayment> {
    const { box } = this.deps;
    return {
      id: row.id,
      integrationId: row.integration_id,
      orderPaymentId: row.order_payment_id,
      status: row.status,
      ...(row.user_reference && { userReference: openText(box, row.user_reference, userReferenceSealContext(row.id)) }),
      ...(row.completion && { completion: await completionFrom(box.open(row.completion, completionSealContext(row.id))) }),
      createdAt: row.created_at.getTime(),
    };
  }
}

/** A row of order_payments that is bound to a host app's id. */
export type PaymentRow = Pick<OrderPaymentRow, 'id' | 'integration_id' | 'status' | 'user_reference' | 'completion' | 'created_at'> & {
  readonly order_payment_id: string;
};

/** The seal contexts of payments, beside `orderSealContext`. */
export const summarySealContext = (id: string): string => `order_payments.sealed_summary:${id}`;
export const userReferenceSealContext = (id: string): string => `order_payments.user_reference:${id}`;
export const completionSealContext = (id: string): string => `order_payments.completion:${id}`;
export const earlySealContext = (key: PaymentKey): string => `payment_completions_early.completion:${nameOf(key)}`;
export const conflictSealContext = (key: PaymentKey, digest: Buffer): string =>
  `payment_conflicts.completion:${nameOf(key)}/${digest.toString('hex')}`;
/** A unique text for a key. */
export const nameOf = ({ integrationId, orderPaymentId }: PaymentKey): string => JSON.stringify([integrationId, orderPaymentId]);

import {
  settle,
  type Completion,
  type Disagreement,
  type PendingCompletion,
  type PaymentIntent,
  type PaymentWord,
} from '../../../src/domain/payments/order-payment';
import type { OrderPaymentRepository, PaymentKey } from '../../../src/domain/payments/ports';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';

export interface PaymentHarness {
  readonly payments: OrderPaymentRepository;
  /** Another instance's repository over the same storage. */
  readonly other: OrderPaymentRepository;
  pending(): Promise<readonly PendingCompletion[]>;
  disagreements(): Promise<readonly (Disagreement & PaymentKey)[]>;
  /** Makes every creation look as if it began and ended this much earlier. */
  age(ms: number): Promise<void>;
}

export const key: PaymentKey = { integrationId: 'int_1', orderPaymentId: 'op-1 €' };
export const begun = Date.now();
export const anIntent = (id = 'pay_1', more: Partial<PaymentIntent> = {}): PaymentIntent => ({
  id,
  integrationId: 'int_1',
  clientId: 'host_1',
  order: {
    fields: { currency: 'USD', amount: '1.10', miniappOrderId: 'order-1', hostappUserId: 'üser-1' },
    relayed: readJsonText('{"currency":"USD","amount":1.10,"__proto__":{}}') as JsonObject,
  },
  at: begun,
  ...more,
});

export const report = (word: PaymentWord, more: Partial<Completion> = {}): Completion => ({
  clientId: 'host_1',
  appId: 'app_1',
  orderPaymentId: key.orderPaymentId,
  word,
  failReason: 'wêird "reason"',
  customAttributes: readJsonText('{"z":1.10,"a":[12345678901234567890],"__proto__":null}'),
  requestId: 'req-1',
  at: 1_700_000_000_000,
  ...more,
});

export const notFound = { kind: 'invalid', code: 'ORDER_NOT_FOUND' };

/** What a partner does with one harness, in few words. */
export const actionsOn = ({ payments, pending }: PaymentHarness) => ({
  complete: (completion: Completion, of = key, on = payments) => on.settle(of, (payment) => settle(payment, completion)),
  opened: async (intent = anIntent(), of = key) => {
    await payments.intend(intent);
    await payments.open(intent, of.orderPaymentId);
    return (await payments.find(of))!;
  },
  pendingIds: async () => (await pending()).map(({ id }) => id),
});

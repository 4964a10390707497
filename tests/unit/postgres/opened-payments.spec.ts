import { OpenedPayments } from '../../../src/adapters/out/postgres/opened-payments';
import type { OrderPayment } from '../../../src/domain/payments/order-payment';

const payment = (n: number, more: Partial<OrderPayment> = {}): OrderPayment => ({
  ...{ id: `pay_${n}`, integrationId: 'int_1', orderPaymentId: `op ${n}`, status: 'in_process', createdAt: n },
  ...more,
});
const keyOf = ({ integrationId, orderPaymentId }: OrderPayment) => ({ integrationId, orderPaymentId });

describe('payments that this process has opened', () => {
  it('are known by their keys, with their users masked alone', () => {
    const opened = new OpenedPayments();
    opened.remember(payment(1, { userReference: 'user-of-ada' }));
    opened.remember(payment(3));
    expect(opened.find(keyOf(payment(1)))).toEqual(payment(1, { maskedUser: 'us****da' }));
    expect(opened.find(keyOf(payment(3)))).toEqual(payment(3));
    expect(opened.find(keyOf(payment(2)))).toBeUndefined();
    expect(opened.find({ ...keyOf(payment(1)), integrationId: 'int_2' })).toBeUndefined();
  });

  it('are not known any more once they were settled', () => {
    const opened = new OpenedPayments();
    opened.remember(payment(1, { status: 'paid' }));
    expect(opened.find(keyOf(payment(1)))).toBeUndefined();
    opened.remember(payment(2));
    opened.forget(keyOf(payment(2)));
    expect(opened.find(keyOf(payment(2)))).toBeUndefined();
  });

  it('are bounded, and the newest are kept', () => {
    const opened = new OpenedPayments();
    const many = Array.from({ length: 25_001 }, (_, n) => payment(n));
    for (const one of many) opened.remember(one);
    expect(many.filter((one) => !opened.find(keyOf(one)))).toEqual([many[0]]);
  });
});

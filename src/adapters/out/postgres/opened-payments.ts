import { LRUCache } from 'lru-cache';
import type { OrderPayment } from '../../../domain/payments/order-payment';
import type { PaymentKey } from '../../../domain/payments/ports';
import { nameOf } from './payment-seals';
import { roomByNeed } from './room-by-need';

/** Payments that are remembered at most, some 300 bytes each. */
const most = 25_000;

/** Where a payment lies in the database. */
type Opened = Pick<OrderPayment, 'id' | 'createdAt'>;

/**
 * The payments that this process has opened lately and nobody has settled, as far as it knows: their ids by the host apps' ones, which never
 * change, and nothing of what is in them. The newest are kept.
 */
export class OpenedPayments {
  private readonly opened = new LRUCache<string, Opened>(roomByNeed(most));

  remember(payment: OrderPayment): void {
    if (payment.status === 'in_process') this.opened.set(nameOf(payment), { id: payment.id, createdAt: payment.createdAt });
  }

  /** Without its user, who may have been erased meanwhile. */
  find(key: PaymentKey): OrderPayment | undefined {
    const opened = this.opened.peek(nameOf(key));
    if (!opened) return undefined;
    const { integrationId, orderPaymentId } = key;
    return { id: opened.id, integrationId, orderPaymentId, status: 'in_process', createdAt: opened.createdAt };
  }

  forget(key: PaymentKey): void {
    this.opened.delete(nameOf(key));
  }
}

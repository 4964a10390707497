import { LRUCache } from 'lru-cache';
import { maskReference } from '../../../domain/exchanges/exchange';
import type { OrderPayment } from '../../../domain/payments/order-payment';
import type { PaymentKey } from '../../../domain/payments/ports';
import { nameOf } from './payment-seals';
import { roomByNeed } from './room-by-need';

/** Payments that are remembered at most, some 300 bytes each. */
const most = 25_000;

/** Where a payment lies in the database, and whose it was. */
type Opened = Pick<OrderPayment, 'id' | 'createdAt' | 'maskedUser'>;

/**
 * The payments that this process has opened lately and nobody has settled, as far as it knows: their ids by the host apps' ones, which never
 * change, and nothing of what is in them but how their users are masked. The newest are kept.
 */
export class OpenedPayments {
  private readonly opened = new LRUCache<string, Opened>(roomByNeed(most));

  remember(payment: OrderPayment): void {
    const { id, createdAt, status, userReference } = payment;
    if (status !== 'in_process') return;
    this.opened.set(nameOf(payment), { id, createdAt, maskedUser: userReference === undefined ? undefined : maskReference(userReference) });
  }

  /** Its user may have been erased meanwhile. */
  find(key: PaymentKey): OrderPayment | undefined {
    const opened = this.opened.peek(nameOf(key));
    if (!opened) return undefined;
    const { integrationId, orderPaymentId } = key;
    const { id, createdAt, maskedUser } = opened;
    return { id, integrationId, orderPaymentId, status: 'in_process', createdAt, maskedUser };
  }

  forget(key: PaymentKey): void {
    this.opened.delete(nameOf(key));
  }
}

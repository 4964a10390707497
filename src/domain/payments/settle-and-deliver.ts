import { queueOfCompletion } from '../deliveries/endpoint-queue';
import type { DeliveryNotifier, DeliveryDispatch } from '../deliveries/ports';
import { settle, statusOfWord, type Completion, type Settlement } from './order-payment';
import type { OrderPaymentRepository, PaymentKey } from './ports';

export interface SettleAndDeliverDeps {
  readonly payments: Pick<OrderPaymentRepository, 'settle'>;
  /** Absent: every delivery is left to the delivery workers. */
  readonly dispatch?: DeliveryDispatch | undefined;
  readonly notifier: DeliveryNotifier;
}

/**
 * Settles a payment by a host app's report and, once the result and its delivery are committed, begins the delivery to the miniapp: in
 * this process if a slot is free, otherwise in the first worker that claims it. Throws ORDER_NOT_FOUND and Unavailable.
 */
export async function settleAndDeliver(
  { payments, dispatch, notifier }: SettleAndDeliverDeps,
  key: PaymentKey,
  report: Completion,
): Promise<Settlement> {
  const queue = queueOfCompletion(report);
  const slot = statusOfWord[report.word] === 'in_process' ? undefined : dispatch?.reserve(queue);
  try {
    const settlement = await payments.settle(key, (stored) => settle(stored, report), { claimForMs: slot?.leaseMs });
    if (settlement.claimed) slot?.begin(settlement.claimed);
    else if (settlement.outcome === 'settled') notifier.notify(queue);
    return settlement;
  } finally {
    slot?.release();
  }
}

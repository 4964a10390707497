import { laneOfCompletion } from '../deliveries/lane';
import type { DeliveryBell, DeliveryDispatch } from '../deliveries/ports';
import { settle, statusOfWord, type Completion, type Settlement } from './order-payment';
import type { OrderPaymentRepository, PaymentKey } from './ports';

export interface SettleAndDeliverDeps {
  readonly payments: Pick<OrderPaymentRepository, 'settle'>;
  /** Absent: the delivery is left to whoever claims it. */
  readonly dispatch?: DeliveryDispatch | undefined;
  readonly bell: DeliveryBell;
}

/**
 * Settles a payment by a host app's report, and begins the delivery that tells the miniapp once both are committed: in this process, where a
 * slot is free; otherwise whoever claims it first has it. Throws ORDER_NOT_FOUND and Unavailable.
 */
export async function settleAndDeliver(
  { payments, dispatch, bell }: SettleAndDeliverDeps,
  key: PaymentKey,
  report: Completion,
): Promise<Settlement> {
  const lane = laneOfCompletion(report);
  const slot = statusOfWord[report.word] === 'in_process' ? undefined : dispatch?.reserve(lane);
  try {
    const settlement = await payments.settle(key, (stored) => settle(stored, report), { claimForMs: slot?.leaseMs });
    if (settlement.claimed) slot?.begin(settlement.claimed);
    else if (settlement.outcome === 'settled') bell.ring(lane);
    return settlement;
  } finally {
    slot?.release();
  }
}

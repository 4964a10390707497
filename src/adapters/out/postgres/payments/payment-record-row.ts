import type { SecretCipher } from '../../../../domain/credentials/ports';
import type { PaymentRecord, PollRecord } from '../../../../domain/payments/payment-record-repository';
import { JsonObject } from '../../../../domain/shared/json';
import { readInTurns } from '../../../json/in-turns';
import { readableInTurns } from '../sealing/unreadable';
import { orderSealContext, type OrderPaymentRow } from './payment.schema';
import { summarySealContext } from './payment-seals';

/** The names of a row's pair. Null: the integration was removed. */
export interface PairRow {
  client_id: string | null;
  app_id: string | null;
}

type Columns = 'id' | 'integration_id' | 'order_payment_id' | 'creation' | 'status' | 'sealed_summary' | 'created_at' | 'settled_at';

/** A payment as it is read for the operator. */
export interface RecordRow extends Pick<OrderPaymentRow, Columns | 'polls' | 'polled_at' | 'poll_outcome'>, PairRow {
  /** Null where there is a summary. */
  sealed_order: Buffer | null;
  next_poll_at: Date | null;
  notice: PaymentRecord['notice'] | null;
  open_conflicts: number;
}

/** A payment as the operator sees it. */
export async function recordFrom(box: SecretCipher, row: RecordRow): Promise<PaymentRecord> {
  const order = await readableInTurns(async () => readInTurns(opened(box, row)));
  const text = (name: string): string | undefined => {
    const value = order instanceof JsonObject ? order.get(name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const [amount, currency] = [text('amount'), text('currency')];
  return {
    id: row.id,
    integrationId: row.integration_id,
    pair: pairOf(row),
    orderPaymentId: row.order_payment_id ?? undefined,
    creation: row.creation,
    status: row.status,
    amount: amount ?? '',
    currency: currency ?? '',
    isUnreadable: amount === undefined || currency === undefined ? true : undefined,
    orderId: text('miniapp_order_id'),
    createdAt: row.created_at.getTime(),
    settledAt: row.settled_at?.getTime(),
    plan: planFrom(row),
    notice: row.notice ?? undefined,
    openConflicts: row.open_conflicts,
  };
}

/** Opens the summary or, where there is none, the order: it has the same members. */
function opened(box: SecretCipher, { id, sealed_summary: summary, sealed_order: order }: RecordRow): Uint8Array {
  if (summary) return box.open(summary, summarySealContext(id));
  if (order) return box.open(order, orderSealContext(id));
  throw new Error('A payment was read without summary and order');
}

/** The pair of a row; `undefined` where its integration was removed. */
export const pairOf = ({ client_id: clientId, app_id: appId }: PairRow): PaymentRecord['pair'] =>
  clientId === null || appId === null ? undefined : { clientId, appId };

const planFrom = ({ polls, polled_at: lastPollAt, poll_outcome: outcome, next_poll_at: nextAt }: RecordRow): PollRecord => ({
  polls,
  lastPollAt: lastPollAt?.getTime(),
  outcome: outcome ?? undefined,
  nextAt: nextAt?.getTime(),
});

import { strippedCompletion, strippedOrder, strippedReport } from '../../../domain/sso/stripped';
import { JsonObject, readJson } from '../../../domain/shared/json';
import { completionFrom, completionText, orderText } from './payment.schema';
import { reportFrom, reportText } from './transaction.schema';

/** A stored order without all that may tell of its user. Throws where it is none. */
export function strippedOrderText(stored: Uint8Array): string {
  const order = readJson(stored);
  const member = (name: string): string | undefined => {
    const value = order instanceof JsonObject ? order.get(name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const [currency, amount] = [member('currency'), member('amount')];
  if (currency === undefined || amount === undefined) throw new Error('A stored order has no currency or amount');
  return orderText(strippedOrder({ facts: { currency, amount, miniappOrderId: member('miniapp_order_id') } }));
}

/** A stored report of a payment, in the same way. */
export const strippedCompletionText = (stored: Uint8Array): string => completionText(strippedCompletion(completionFrom(stored)));

/** A stored report of a transaction, in the same way. */
export const strippedReportText = (stored: Uint8Array): string => reportText(strippedReport(reportFrom(stored)));

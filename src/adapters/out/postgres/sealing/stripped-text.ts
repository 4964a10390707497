import { strippedCompletion, strippedOrder, strippedReport } from '../../../../domain/sso/stripped';
import { JsonObject, readJson } from '../../../../domain/shared/json';
import { completionFrom, completionText, orderText } from '../payments/payment.schema';
import { reportFrom, reportText } from '../analytics/transaction.schema';

/** A stored order without the data that may identify its user. Throws if the text is no order. */
export function strippedOrderText(stored: Uint8Array): string {
  const order = readJson(stored);
  const member = (name: string): string | undefined => {
    const value = order instanceof JsonObject ? order.get(name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const [currency, amount] = [member('currency'), member('amount')];
  if (currency === undefined || amount === undefined) throw new Error('A stored order has no currency or amount');
  return orderText(strippedOrder({ fields: { currency, amount, miniappOrderId: member('miniapp_order_id') } }));
}

/** A stored report of a payment without such data. */
export const strippedCompletionText = (stored: Uint8Array): string => completionText(strippedCompletion(completionFrom(stored)));

/** A stored report of a transaction without such data. */
export const strippedReportText = (stored: Uint8Array): string => reportText(strippedReport(reportFrom(stored)));

import { strippedCompletion, strippedOrder, strippedReport } from '../../../../domain/sso/stripped';
import { JsonObject } from '../../../../domain/shared/json';
import { readInTransaction } from '../../../json/in-turns';
import { completionFrom, completionText, orderText } from '../payments/payment.schema';
import { reportFrom, reportText } from '../analytics/transaction.schema';

/** A stored order without the data that may identify its user. Throws if the text is no order. */
export async function strippedOrderText(stored: Uint8Array): Promise<string> {
  const order = await readInTransaction(stored);
  const member = (name: string): string | undefined => {
    const value = order instanceof JsonObject ? order.get(name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const [currency, amount] = [member('currency'), member('amount')];
  if (currency === undefined || amount === undefined) throw new Error('A stored order has no currency or amount');
  return orderText(strippedOrder({ fields: { currency, amount, miniappOrderId: member('miniapp_order_id') } }));
}

/** A stored report of a payment without such data. */
export const strippedCompletionText = async (stored: Uint8Array): Promise<string> =>
  completionText(strippedCompletion(await completionFrom(stored)));

/** A stored report of a transaction without such data. */
export const strippedReportText = async (stored: Uint8Array): Promise<string> => reportText(strippedReport(await reportFrom(stored)));

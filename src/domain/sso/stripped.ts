import type { TransactionReport } from '../analytics/transaction-report';
import type { Completion, Order } from '../payments/order-payment';
import { JsonObject } from '../shared/json';

/** The rest of an order when its user is erased: its price, and the miniapp's own id of it. */
export const strippedOrder = ({ facts: { currency, amount, miniappOrderId } }: Pick<Order, 'facts'>): Order => ({
  facts: { currency, amount, miniappOrderId },
  relayed: JsonObject.of({}),
});

/** The rest of a report of a payment: the result, without its reason and attributes. */
export const strippedCompletion = ({ failReason: _reason, customAttributes: _attributes, ...rest }: Completion): Completion => rest;

/** The rest of a miniapp's report of a transaction: no user, customer, items or attributes. */
export const strippedReport = (report: TransactionReport): TransactionReport => {
  const { userReference: _user, customer: _customer, items: _items, customAttributes: _attributes, ...rest } = report;
  return rest;
};

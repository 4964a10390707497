import type { TransactionReport } from '../analytics/transaction-report';
import type { Completion, Order } from '../payments/order-payment';
import { JsonObject } from '../shared/json';

/** The part of an order that is kept when its user is erased: price and the miniapp's own id. */
export const strippedOrder = ({ fields: { currency, amount, miniappOrderId } }: Pick<Order, 'fields'>): Order => ({
  fields: { currency, amount, miniappOrderId },
  relayed: JsonObject.of({}),
});

/** The part of a payment report that is kept: the result, without its reason and attributes. */
export const strippedCompletion = ({ failReason: _reason, customAttributes: _attributes, ...rest }: Completion): Completion => rest;

/** The part of a miniapp's transaction report that is kept: no user, customer, items or attributes. */
export const strippedReport = (report: TransactionReport): TransactionReport => {
  const { userReference: _user, customer: _customer, items: _items, customAttributes: _attributes, ...rest } = report;
  return rest;
};

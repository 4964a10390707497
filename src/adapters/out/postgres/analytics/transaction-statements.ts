import type { TransactionFilter } from '../../../../domain/analytics/ports';
import type { Conditions } from '../connection/filtered-statement';

const window = {
  from: 'at >= to_timestamp(?::double precision / 1000)',
  to: 'at < to_timestamp(?::double precision / 1000)',
};

export const list = {
  select: `
    select id, client_id, app_id, transaction_id, status, currency, amount_text, shipping, tax, discount, order_payment_id,
      miniapp_order_id, at, received_at, request_id
    from miniapp_transactions`,
  end: 'order by at desc, id desc limit ?',
};

export const listConditions: Conditions<TransactionFilter & { after?: string }> = {
  clientId: 'client_id = ?',
  appId: 'app_id = ?',
  status: 'status = ?',
  currency: 'currency = ?',
  transactionId: 'transaction_id = ?',
  orderPaymentId: 'order_payment_id = ?',
  miniappOrderId: 'miniapp_order_id = ?',
  ...window,
  after: '(at, id) < (select at, id from miniapp_transactions where id = ?)',
};

/** A decimal as text with at least two decimals. Payments store amounts as numeric, so `49.00` may be stored as `49`. */
export const toTheCent = (value: string): string => `round(${value}, greatest(scale(${value}), 2))::text`;

import type { TransactionFilter } from '../../../domain/analytics/ports';
import type { Conditions } from './filtered-statement';
import type { Statement } from './statement';

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

/** A decimal as text, with two digits after the point at least: payments keep their amounts by value, `49` for `49.00`. */
export const toTheCent = (value: string): string => `round(${value}, greatest(scale(${value}), 2))::text`;

/** Of one integration ($1, of the partners $7 and $8), in a window ($2, $3), of one kind ($4), after a line ($5), at most $6; $2 to $5 may be null. */
export const differences: Statement = {
  name: '',
  text: `
    with asked as (
      select coalesce(to_timestamp($2::double precision / 1000), '-infinity') as from_at,
        coalesce(to_timestamp($3::double precision / 1000), 'infinity') as to_at
    ), keys as (
      select order_payment_id from miniapp_transactions, asked
      where client_id = $7 and app_id = $8 and integration_id = $1 and order_payment_id is not null and at >= from_at and at < to_at
      union
      select order_payment_id from order_payments, asked
      where integration_id = $1 and order_payment_id is not null and created_at >= from_at and created_at < to_at
    ), lines as (
      select coalesce(t.id, p.id) collate "C" as id, keys.order_payment_id, t.transaction_id,
        case when p.id is null then 'only_reported' when t.id is null then 'only_seen' else 'different' end as kind,
        array_remove(array[
          case when t.status <> 'refunded' and t.amount <> p.amount then 'amount' end,
          case when upper(t.currency) <> upper(p.currency) then 'currency' end,
          case when case t.status when 'refunded' then 'paid' else t.status end <> p.status then 'status' end
        ], null) as differs,
        t.status as reported_status, t.amount_text as reported_amount, t.currency as reported_currency, t.at as reported_at,
        p.status as seen_status, ${toTheCent('p.amount')} as seen_amount, p.currency as seen_currency, p.created_at as seen_at
      from keys
      left join miniapp_transactions t on t.integration_id = $1 and t.order_payment_id = keys.order_payment_id
      left join order_payments p on p.integration_id = $1 and p.order_payment_id = keys.order_payment_id
    )
    select id, kind, order_payment_id, transaction_id, differs, reported_status, reported_amount, reported_currency, reported_at,
      seen_status, seen_amount, seen_currency, seen_at
    from lines
    where (kind <> 'different' or cardinality(differs) > 0) and ($4::text is null or kind = $4) and ($5::text is null or id < $5)
    order by id desc limit $6`,
};

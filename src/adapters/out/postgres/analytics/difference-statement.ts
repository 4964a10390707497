import type { Statement } from '../connection/statement';
import { toTheCent } from './transaction-statements';

const epoch = (at: string): string => `(extract(epoch from ${at}) * 1000000)::bigint`;
/** Inside the window from $4 on, before $5. Null: open end. */
const within = (at: string): string => `${at} >= coalesce(to_timestamp($4::double precision / 1000), '-infinity')
        and ${at} < coalesce(to_timestamp($5::double precision / 1000), 'infinity')`;
/** At or before the time of the cursor $7, in microseconds. */
const back = (at: string): string => `
        and ${at} <= coalesce(timestamptz 'epoch' + $7::bigint * interval '1 microsecond', 'infinity')`;
const newest = (at: string): string => `order by ${at} desc, id desc limit $10`;

const differs = `array_remove(array[
        case when t.status <> 'refunded' and t.amount <> p.amount then 'amount' end,
        case when upper(t.currency) <> upper(p.currency) then 'currency' end,
        case when case t.status when 'refunded' then 'paid' else t.status end <> p.status then 'status' end
      ], null)`;

const line = (at: string): string => `
      select ${epoch(at)} as at_us, coalesce(t.id, p.id) collate "C" as id, coalesce(t.order_payment_id, p.order_payment_id) as order_payment_id,
        t.transaction_id, case when p.id is null then 'only_reported' when t.id is null then 'only_seen' else 'different' end as kind,
        ${differs} as differs,
        t.status as reported_status, t.amount_text as reported_amount, t.currency as reported_currency, t.at as reported_at,
        p.status as seen_status, ${toTheCent('p.amount')} as seen_amount, p.currency as seen_currency, p.created_at as seen_at`;

const reports = `
      select id, transaction_id, order_payment_id, status, amount, amount_text, currency, at from miniapp_transactions
      where client_id = $2 and app_id = $3 and integration_id = $1 and order_payment_id is not null and ${within('at')} ${back('at')}`;
const payments = `
      select id, order_payment_id, status, amount, currency, created_at from order_payments
      where integration_id = $1 and order_payment_id is not null and ${within('created_at')} ${back('created_at')}`;

/** The time since which all rows are included. Null when fewer rows than the limit came back, because those are all. */
const completeSince = (table: string, at: string): string => `(select min(${at}) from ${table} having count(*) = $10)`;

interface Parts {
  readonly reports: string;
  readonly payments: string;
  /** The time since which the lines are complete. */
  readonly since: string;
}

const textOf = (parts: Parts): string => `
    with reports as (${parts.reports}), payments as (${parts.payments}), seen as (select ${parts.since} as since), lines as (${line('t.at')}
      from reports t left join order_payments p on p.integration_id = $1 and p.order_payment_id = t.order_payment_id
      where t.at > (select since from seen)
      union all ${line('p.created_at')}
      from payments p left join miniapp_transactions t on t.integration_id = $1 and t.order_payment_id = p.order_payment_id
      where p.created_at > (select since from seen) and (t.id is null or not (${within('t.at')}))
    )
    select seen.since = '-infinity' as is_all, page.* from seen left join (
      select * from lines
      where (kind <> 'different' or cardinality(differs) > 0) and ($6::text is null or kind = $6)
        and ($7::bigint is null or (at_us, id) < ($7::bigint, $8::text))
      order by at_us desc, id desc limit $9
    ) as page on true
    order by at_us desc, id desc`;

/**
 * The differences of one integration ($1, of the partners $2 and $3), of one kind ($6, or null), after the line $8 at $7, at most $9. A
 * report in the window is listed at its own time, a payment without a report in the window at its creation. Returns one row even when there
 * is no line.
 */
export const differences: Statement = {
  name: '',
  text: textOf({ reports, payments, since: `'-infinity'::timestamptz` }),
};

/** Like `differences`, among the newest $10 reports and $10 payments. `is_all`: there are no more. */
export const recentDifferences: Statement = {
  name: '',
  text: textOf({
    reports: `${reports} ${newest('at')}`,
    payments: `${payments} ${newest('created_at')}`,
    since: `greatest(${completeSince('reports', 'at')}, ${completeSince('payments', 'created_at')}, '-infinity')`,
  }),
};

import { barOf, binOf, msBetween, paymentsAsChanges, stepOf } from './payment-figure-statements';
import type { Statement } from '../connection/statement';

/**
 * Sums are read from `sum_from` on, before `sum_to`: half-days from `half_from` on, before `half_to`, and hours around them. Payments
 * created before `since` are not summed. Scalar subqueries let the planner know these bounds before it reads rows.
 */
const bounds = `
  sums as materialized (
    select sum_from, greatest(sum_from, $4::timestamptz) as sum_to from (
      select greatest($3::timestamptz, coalesce((select since from payment_figure_progress where name = 'sums'), $2::timestamptz)) as sum_from
    ) as begin
  ), bounds as materialized (
    select sum_from, sum_to, half_from, greatest(half_from, least($6::timestamptz, ${binOf('12 hours', 'sum_to')})) as half_to
    from (select sums.*, ${binOf('12 hours', `sum_from + interval '12 hours' - interval '1 microsecond'`)} as half_from from sums) as begun
  )`;
const bound = (name: string): string => `(select ${name} from bounds)`;

const inSums = (slot: string): string => `${slot} >= ${bound('sum_from')} and ${slot} < ${bound('sum_to')}`;
/** In hours in which only some payments have reached an age, payments in process are not read from sums but one by one. */
const isMixed = (slot: string): string => `stage = 'accepted' and ${slot} = any ($5::timestamptz[])`;

const summed = (grain: string, from: string, to: string): string => `
  select scope as integration_id, stage, slot as at, bar, step, count from payment_figure_sums
  where grain = '${grain}' and slot >= ${from} and slot < ${to} and not (${isMixed('slot')})`;

const bySum = [
  summed('hour', bound('sum_from'), `least(${bound('half_from')}, ${bound('sum_to')})`),
  summed('half-day', bound('half_from'), bound('half_to')),
  summed('hour', bound('half_to'), bound('sum_to')),
];

const one = 'select integration_id, stage, at, ms, count from';
const bySingle = [
  `${one} (${paymentsAsChanges(`p.created_at >= $1 and p.created_at < least($2::timestamptz, ${bound('sum_from')})`)}) as before`,
  `${one} (${paymentsAsChanges(`p.created_at >= ${bound('sum_to')} and p.created_at < $2`)}) as after`,
  `${one} (${paymentsAsChanges(
    `p.status = 'in_process' and p.creation = 'opened' and ${inSums('hour')}`,
    `unnest($5::timestamptz[]) as hour join order_payments p on p.created_at >= hour and p.created_at < hour + interval '1 hour'`,
  )}) as mixed`,
  `select integration_id, stage, slot, ms, count from payment_figure_changes where ${inSums('slot')} and not (${isMixed('slot')})`,
];

/**
 * Payments created from $1 on, before $2. The whole hours between begin at $3 and end at $4. $5: the hours in which only some payments have
 * reached an age. $6: half-days that end by then have only payments past the last age. $7: now. $8: payments in process since before then
 * are overdue.
 */
const countedOf = (name: string, scope: string, ofScope: string): Statement => ({
  name: `payment-figures.count-${name}`,
  text: `
    with ${bounds}
    select stage, is_overdue, case when is_overdue then ${barOf(msBetween('at', '$7::timestamptz'))} when stage = 'final' then bar else 0 end as bar,
      step, sum(count)::integer as count
    from (
      select stage, at, bar, step, count, stage = 'accepted' and at < $8 as is_overdue
      from (
        ${bySum.map((select) => `${select} and scope ${scope}`).join(' union all ')}
        union all
        select integration_id, stage, at, ${barOf('ms')}, ${stepOf('ms')}, count from (${bySingle.join(' union all ')}) as single ${ofScope}
      ) as fact
    ) as aged
    group by 1, 2, 3, 4 having sum(count) <> 0`,
});

const partners = 'in (select id from integrations where ($9::text is null or client_id = $9) and ($10::text is null or app_id = $10))';

/**
 * Counts all payments, or with $9 or $10 those of a host app's or a miniapp's integrations. One snapshot, so that no payment is missed or
 * counted twice.
 */
export const countPayments = {
  all: countedOf('all', `= ''`, ''),
  ofPartner: countedOf('partner', partners, `where integration_id ${partners}`),
} as const;

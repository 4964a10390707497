import { timeToFinalEdgesMs } from '../../../../domain/payments/payment-figures';
import type { Statement } from '../connection/statement';

/** Times to a result are stored in steps, each 2 % above the one before, so a percentile is at most 1 % off. */
export const stepRatio = 1.02;

const edges = `array[${timeToFinalEdgesMs.join(', ')}]::double precision[]`;
export const barOf = (ms: string): string => `coalesce(width_bucket(${ms}, ${edges}), 0)`;
export const stepOf = (ms: string): string =>
  `coalesce(ceil(ln(greatest(${ms}, 1)) / ln(${String(stepRatio)}::double precision))::integer, 0)`;

/** `extract` computes in numeric, which is ten times slower. */
export const msBetween = (since: string, to: string): string => `(date_part('epoch', ${to} - ${since}) * 1000)`;
export const binOf = (width: string, at: string): string => `date_bin('${width}', ${at}, timestamptz 'epoch')`;

/** Single payments in the shape of changes; `where` selects them. */
export const paymentsAsChanges = (where: string, from = 'order_payments p'): string => `
  select p.integration_id, p.created_at as at,
    case when p.status <> 'in_process' then 'final' when p.creation = 'opened' then 'accepted' else 'created' end as stage,
    ${msBetween('p.created_at', 'p.settled_at')} as ms, 1 as count
  from ${from} where p.creation <> 'repeated' and ${where}`;

/** Adds the rows that `facts` selects to the sums of their integration and of all integrations, in their hour and half-day. */
const addToSums = (source: string): string => `
  insert into payment_figure_sums as s (grain, scope, slot, stage, bar, step, count)
  select grain, scope, case grain when 'hour' then slot else ${binOf('12 hours', 'slot')} end as slot, stage, bar, step, sum(count)
  from (
    select integration_id, ${binOf('1 hour', 'at')} as slot, stage, ${barOf('ms')} as bar, ${stepOf('ms')} as step, sum(count) as count
    from (${source}) as fact group by 1, 2, 3, 4, 5
  ) as counted, unnest(array['hour', 'half-day']) as grain, unnest(array['', integration_id]) as scope
  group by 1, 2, 3, 4, 5, 6 having sum(count) <> 0
  order by 1, 2, 3, 4, 5, 6
  on conflict (grain, scope, slot, stage, bar, step) do update set count = s.count + excluded.count`;

/** Begins without sums: there are no payments created from $1 on. */
export const beginSums: Statement = {
  name: 'payment-figures.begin',
  text: `insert into payment_figure_progress (name, since) values ('sums', $1) on conflict (name) do nothing`,
};

/** Lets one instance at a time add up. No row: another instance holds the lock. */
export const lockSums: Statement = {
  name: 'payment-figures.lock',
  text: `select since from payment_figure_progress where name = 'sums' for update skip locked`,
};

export const noteSince: Statement = {
  name: 'payment-figures.note',
  text: `update payment_figure_progress set since = $1 where name = 'sums'`,
};

/** Moves at most $1 changes into the sums. Leaves out payments created before $2, because those are summed later in their current state. */
export const takeChanges: Statement = {
  name: 'payment-figures.take-changes',
  text: `
    with taken as (
      delete from payment_figure_changes where seq in (select seq from payment_figure_changes order by seq limit $1)
      returning integration_id, slot as at, stage, ms, count
    ), added as (${addToSums('select * from taken where at >= $2')})
    select count(*)::integer as taken from taken`,
};

/** The creation time of the last payment created at or after $1 and before $2. */
export const lastBefore: Statement = {
  name: 'payment-figures.last-before',
  text: 'select max(created_at) as at from order_payments where created_at >= $1 and created_at < $2',
};

/**
 * Sums the current state of payments created from $1 on, before $2. Deletes their changes in the same snapshot, because the payments
 * already contain them.
 */
export const sumPayments: Statement = {
  name: 'payment-figures.sum',
  text: `
    with seen as (delete from payment_figure_changes where slot >= $1 and slot < $2)
    ${addToSums(paymentsAsChanges('p.created_at >= $1 and p.created_at < $2'))}`,
};

/** Deletes sums of payments created before $1, and sums whose count is 0. */
export const pruneSums: Statement = {
  name: 'payment-figures.prune',
  text: 'delete from payment_figure_sums where slot < $1 or count = 0',
};

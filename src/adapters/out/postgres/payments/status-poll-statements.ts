import { pollRules } from '../../../../domain/payments/poll-pace';
import type { Statement } from '../connection/statement';

const { turnMs, lateMs, startPerSecond, minPerSecond, growthPerSecond, shareOfCap, forgetAfterMs } = pollRules;

/** Must match the predicate of the index order_payments_to_poll. */
const isPlanned = `p.status = 'in_process' and p.order_payment_id is not null and p.poll_at is not null`;
const isDue = `${isPlanned} and p.poll_at <= now() and (p.poll_lease_until is null or p.poll_lease_until <= now())`;

/**
 * At most $1 host apps that may be polled now and have a due payment, longest waiting first. Each takes a few index steps, however many
 * payments are in process or have ended.
 */
export const hostAppsToPoll: Statement = {
  name: 'status-polls.host-apps',
  text: `
    with recursive planned (client_id) as (
      (select p.polled_host_app from order_payments p where ${isPlanned} order by p.polled_host_app limit 1)
      union all
      select (select p.polled_host_app from order_payments p where ${isPlanned} and p.polled_host_app > n.client_id order by p.polled_host_app limit 1)
      from planned n where n.client_id is not null
    )
    select n.client_id from planned n left join polled_host_apps h on h.client_id = n.client_id
    where n.client_id is not null
      and (h.client_id is null or (h.turn_at <= now() and (h.backoff_until is null or h.backoff_until <= now())))
      and exists (select from order_payments p where p.polled_host_app = n.client_id and ${isDue})
    order by h.turn_at nulls first limit $1`,
};

export const meetHostApps: Statement = {
  name: 'status-polls.meet-host-apps',
  text: `
    insert into polled_host_apps (client_id, failures, turn_at)
    select client_id, 0, now() from unnest($1::text[]) as n (client_id) order by client_id
    on conflict (client_id) do nothing`,
};

/**
 * Takes the turn of the host apps $1, so that no other instance begins polls there before the next turn. $2 is the cap in polls per second
 * for host apps without a cap of their own. The next turn comes when the pace allows one more poll than this turn may begin.
 */
export const takeTurns: Statement = {
  name: 'status-polls.take-turns',
  text: `
    with free as (
      select h.client_id, greatest(h.turn_at, now() - ${lateMs} * interval '1 ms') as began,
        h.turn_at < now() - ${forgetAfterMs} * interval '1 ms' as forgotten, h.polls_per_second as pace,
        coalesce((p.settings->>'reconcileMaxPerSecond')::float8, $2) * ${shareOfCap} as max_pace
      from polled_host_apps h left join host_apps p on p.id = h.client_id
      where h.client_id = any ($1::text[]) and h.turn_at <= now() and (h.backoff_until is null or h.backoff_until <= now())
      order by h.client_id for update of h skip locked
    ), paced as (
      select client_id, began, max_pace, least(pace, max_pace, case when forgotten then ${startPerSecond} end) as pace from free
    ), turn as (
      select *, greatest(1, floor(pace * ${turnMs} / 1000)) as quota from paced
    )
    update polled_host_apps h set polls_per_second = pace, turn_at = began + quota / pace * interval '1 s'
    from turn where h.client_id = turn.client_id
    returning h.client_id, h.failures, h.troubles, pace, quota::integer, max_pace`,
};

/**
 * Claims payments at the host apps $1 ($2: how many at each), first those never polled, then those due longest, $3 in total. The slots are
 * those that the pace allows minus the polls in flight. Runs in the transaction that took the turns, so that no other instance counts the
 * same slots.
 */
export const claimPolls: Statement = {
  name: 'status-polls.claim',
  text: `
    with turn as (
      select t.client_id, least(t.quota, t.slots - (
        select count(*) from order_payments u where u.polled_host_app = t.client_id and u.poll_lease_until > now()
      )) as max_polls
      from unnest($1::text[], $2::integer[], $6::integer[]) as t (client_id, quota, slots)
    ), never as (
      select t.client_id, c.id from turn t cross join lateral (
        select p.id from order_payments p where p.polled_host_app = t.client_id and p.polls = 0 and ${isDue}
        order by p.poll_at limit greatest(t.max_polls, 0) for update skip locked
      ) c
    ), again as (
      select t.client_id, c.id from turn t cross join lateral (
        select p.id from order_payments p where p.polled_host_app = t.client_id and p.polls > 0 and ${isDue}
        order by p.poll_at limit greatest(t.max_polls - (select count(*) from never n where n.client_id = t.client_id), 0) for update skip locked
      ) c
    ), due as (
      select id, max_polls from (
        select id, client_id, row_number() over (partition by client_id order by rank) as ordinal
        from (select *, 1 as rank from never union all select *, 2 from again) c
      ) numbered join turn using (client_id) order by ordinal limit $3
    )
    update order_payments p set poll_lease = $4, poll_lease_until = now() + $5 * interval '1 ms'
    from due where p.id = due.id
    returning p.id, p.integration_id, p.order_payment_id, p.polled_host_app, due.max_polls::integer`,
};

/**
 * Ends claims. Takes arrays of payments, leases, when each poll was made (null: it was not made), its outcome, and the next due time in
 * milliseconds after the creation (null: never); $6 is their length.
 */
export const finishPolls: Statement = {
  name: 'status-polls.finish',
  text: `
    with ended as (
      select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::integer[]) limit $6
    )
    update order_payments p set poll_lease = null, poll_lease_until = null, polls = polls + (e.made_at is not null)::integer,
      polled_at = coalesce(e.made_at, p.polled_at), poll_outcome = e.outcome, poll_at = p.created_at + e.next_ms * interval '1 ms'
    from ended e (of_payment, held, made_at, outcome, next_ms)
    where p.id = e.of_payment and p.poll_lease = e.held
    returning p.id`,
};

/**
 * Records the results of polls, one row per host app: its trouble count when they began ($2), how many answers allow a faster pace ($3),
 * its maximum pace ($4), whether it was reached ($5) or in trouble ($6), whether it is unavailable ($7), and then the backoff in
 * milliseconds ($8). Trouble counts once for all polls that began before it.
 */
export const noteHostApps: Statement = {
  name: 'status-polls.note-host-apps',
  text: `
    with noted as (
      select * from unnest($1::text[], $2::integer[], $3::integer[], $4::float8[], $5::boolean[], $6::boolean[], $7::boolean[], $8::float8[])
        as n (client_id, troubles, answers, max_pace, reached, troubled, away, quiet_ms)
    ), judged as (
      select h.client_id, n.quiet_ms, n.troubled, n.troubles = h.troubles and n.troubled as counts,
        case when n.troubles <> h.troubles then h.failures
          when n.troubled then h.failures + (n.away or h.polls_per_second <= ${startPerSecond})::integer
          when n.reached then 0 else h.failures end as failures,
        case when n.troubles <> h.troubles then h.polls_per_second
          when n.troubled then greatest(${minPerSecond}, h.polls_per_second / 2)
          else least(greatest(n.max_pace, h.polls_per_second), h.polls_per_second + ${growthPerSecond} * n.answers / h.polls_per_second) end as pace
      from polled_host_apps h join noted n using (client_id)
      order by h.client_id for update of h
    )
    update polled_host_apps h set failures = j.failures, troubles = h.troubles + j.counts::integer, polls_per_second = j.pace,
      backoff_until = case when j.failures = 0 then null
        when j.troubled then greatest(h.backoff_until, now() + j.quiet_ms * interval '1 ms') else h.backoff_until end
    from judged j where h.client_id = j.client_id`,
};

/** Stops polling payments created more than $1 milliseconds ago, at most 1000 at each host app. */
export const endOverduePolls: Statement = {
  name: 'status-polls.end-overdue',
  text: `
    update order_payments set poll_at = null
    where id in (
      select o.id from polled_host_apps h cross join lateral (
        select p.id from order_payments p where p.polled_host_app = h.client_id and ${isDue} and p.created_at < now() - $1 * interval '1 ms'
        order by p.poll_at limit 1000 for update skip locked
      ) o
    )
    returning id`,
};

/** Marks results that arrived more than $1 milliseconds ago and whose payment was never opened. */
export const markUnmatched: Statement = {
  name: 'status-polls.mark-unmatched',
  text: `
    update payment_completions_early set unmatched_since = now()
    where unmatched_since is null and at < now() - $1 * interval '1 ms'
    returning order_payment_id`,
};

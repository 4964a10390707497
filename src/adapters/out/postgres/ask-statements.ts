import { pollRules } from '../../../domain/payments/poll-pace';
import type { Statement } from './statement';

const { turnMs, lateMs, startPerSecond, leastPerSecond, growthPerSecond, shareOfCap, forgetAfterMs } = pollRules;

/** As the index order_payments_to_ask has it. */
const isToAsk = `p.status = 'in_process' and p.order_payment_id is not null and p.ask_at is not null`;
const isDue = `${isToAsk} and p.ask_at <= now() and (p.ask_lease_until is null or p.ask_lease_until <= now())`;

/**
 * Host apps whose turn it is and that have something due, $1 at most, those that waited longest first. Each is found by steps in
 * the index, however many payments are in process or have ended.
 */
export const hostAppsToAsk: Statement = {
  name: 'asks.host-apps',
  text: `
    with recursive planned (client_id) as (
      (select p.asked_of from order_payments p where ${isToAsk} order by p.asked_of limit 1)
      union all
      select (select p.asked_of from order_payments p where ${isToAsk} and p.asked_of > n.client_id order by p.asked_of limit 1)
      from planned n where n.client_id is not null
    )
    select n.client_id from planned n left join asked_host_apps h on h.client_id = n.client_id
    where n.client_id is not null
      and (h.client_id is null or (h.turn_at <= now() and (h.quiet_until is null or h.quiet_until <= now())))
      and exists (select from order_payments p where p.asked_of = n.client_id and ${isDue})
    order by h.turn_at nulls first limit $1`,
};

export const meetHostApps: Statement = {
  name: 'asks.meet-host-apps',
  text: `
    insert into asked_host_apps (client_id, failures, turn_at)
    select client_id, 0, now() from unnest($1::text[]) as n (client_id) order by client_id
    on conflict (client_id) do nothing`,
};

/**
 * Takes the turn of these host apps ($1), so that nobody else begins polls there before the next one; $2 is the cap in polls per second of a
 * host app that has none of its own. The next turn comes when the pace allows one poll more than this turn may begin.
 */
export const takeTurns: Statement = {
  name: 'asks.take-turns',
  text: `
    with free as (
      select h.client_id, greatest(h.turn_at, now() - ${lateMs} * interval '1 ms') as began,
        h.turn_at < now() - ${forgetAfterMs} * interval '1 ms' as forgotten, h.polls_per_second as pace,
        coalesce((p.settings->>'reconcileMaxPerSecond')::float8, $2) * ${shareOfCap} as most
      from asked_host_apps h left join host_apps p on p.id = h.client_id
      where h.client_id = any ($1::text[]) and h.turn_at <= now() and (h.quiet_until is null or h.quiet_until <= now())
      order by h.client_id for update of h skip locked
    ), paced as (
      select client_id, began, most, least(pace, most, case when forgotten then ${startPerSecond} end) as pace from free
    ), turn as (
      select *, greatest(1, floor(pace * ${turnMs} / 1000)) as quota from paced
    )
    update asked_host_apps h set polls_per_second = pace, turn_at = began + quota / pace * interval '1 s'
    from turn where h.client_id = turn.client_id
    returning h.client_id, h.failures, h.troubles, pace, quota::integer, most`,
};

/**
 * Claims at these host apps ($1; $2 how many at each) payments never polled, then those due longest, $3 in all. The places are those of
 * the pace, less those under way; in the transaction that took the turns, so that nobody else counts the same places.
 */
export const claimAsks: Statement = {
  name: 'asks.claim',
  text: `
    with turn as (
      select t.client_id, least(t.quota, t.places - (
        select count(*) from order_payments u where u.asked_of = t.client_id and u.ask_lease_until > now()
      )) as most
      from unnest($1::text[], $2::integer[], $6::integer[]) as t (client_id, quota, places)
    ), never as (
      select t.client_id, c.id from turn t cross join lateral (
        select p.id from order_payments p where p.asked_of = t.client_id and p.asks = 0 and ${isDue}
        order by p.ask_at limit greatest(t.most, 0) for update skip locked
      ) c
    ), again as (
      select t.client_id, c.id from turn t cross join lateral (
        select p.id from order_payments p where p.asked_of = t.client_id and p.asks > 0 and ${isDue}
        order by p.ask_at limit greatest(t.most - (select count(*) from never n where n.client_id = t.client_id), 0) for update skip locked
      ) c
    ), due as (
      select id, most from (
        select id, client_id, row_number() over (partition by client_id order by rank) as place
        from (select *, 1 as rank from never union all select *, 2 from again) c
      ) placed join turn using (client_id) order by place limit $3
    )
    update order_payments p set ask_lease = $4, ask_lease_until = now() + $5 * interval '1 ms'
    from due where p.id = due.id
    returning p.id, p.integration_id, p.order_payment_id, p.asked_of, due.most::integer`,
};

/**
 * Ends claims: an array of payments, leases, when each ask was made (null: it was not), its outcome, and when the next one is due in
 * milliseconds after the creation (null: never); $6 is their number.
 */
export const finishAsks: Statement = {
  name: 'asks.finish',
  text: `
    with ended as (
      select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::integer[]) limit $6
    )
    update order_payments p set ask_lease = null, ask_lease_until = null, asks = asks + (e.made_at is not null)::integer,
      asked_at = coalesce(e.made_at, p.asked_at), ask_outcome = e.outcome, ask_at = p.created_at + e.next_ms * interval '1 ms'
    from ended e (of_payment, held, made_at, outcome, next_ms)
    where p.id = e.of_payment and p.ask_lease = e.held
    returning p.id`,
};

/**
 * What polls say of their host apps, one row each: its troubles when they began ($2), how many answers are a reason to go faster ($3), how fast it
 * may be polled at most ($4), whether it was reached ($5) or in trouble ($6), whether it is away ($7), and for how many milliseconds it is
 * left alone then ($8). Trouble counts once for all that began before it.
 */
export const noteHostApps: Statement = {
  name: 'asks.note-host-apps',
  text: `
    with noted as (
      select * from unnest($1::text[], $2::integer[], $3::integer[], $4::float8[], $5::boolean[], $6::boolean[], $7::boolean[], $8::float8[])
        as n (client_id, troubles, answers, most, reached, troubled, away, quiet_ms)
    ), judged as (
      select h.client_id, n.quiet_ms, n.troubled, n.troubles = h.troubles and n.troubled as counts,
        case when n.troubles <> h.troubles then h.failures
          when n.troubled then h.failures + (n.away or h.polls_per_second <= ${startPerSecond})::integer
          when n.reached then 0 else h.failures end as failures,
        case when n.troubles <> h.troubles then h.polls_per_second
          when n.troubled then greatest(${leastPerSecond}, h.polls_per_second / 2)
          else least(greatest(n.most, h.polls_per_second), h.polls_per_second + ${growthPerSecond} * n.answers / h.polls_per_second) end as pace
      from asked_host_apps h join noted n using (client_id)
      order by h.client_id for update of h
    )
    update asked_host_apps h set failures = j.failures, troubles = h.troubles + j.counts::integer, polls_per_second = j.pace,
      quiet_until = case when j.failures = 0 then null
        when j.troubled then greatest(h.quiet_until, now() + j.quiet_ms * interval '1 ms') else h.quiet_until end
    from judged j where h.client_id = j.client_id`,
};

/** Ends the polls of payments created more than $1 milliseconds ago, 1000 at each host app at most. */
export const endOverdueAsks: Statement = {
  name: 'asks.end-overdue',
  text: `
    update order_payments set ask_at = null
    where id in (
      select o.id from asked_host_apps h cross join lateral (
        select p.id from order_payments p where p.asked_of = h.client_id and ${isDue} and p.created_at < now() - $1 * interval '1 ms'
        order by p.ask_at limit 1000 for update skip locked
      ) o
    )
    returning id`,
};

/** Marks results that came more than $1 milliseconds ago, and whose payment was never opened. */
export const markUnmatched: Statement = {
  name: 'asks.mark-unmatched',
  text: `
    update payment_completions_early set unmatched_since = now()
    where unmatched_since is null and at < now() - $1 * interval '1 ms'
    returning order_payment_id`,
};

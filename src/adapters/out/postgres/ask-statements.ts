import type { Statement } from './statement';

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

/** Takes the turn of these host apps ($1), so that nobody else begins an ask there before the next one, $2 milliseconds from now. */
export const takeTurns: Statement = {
  name: 'asks.take-turns',
  text: `
    with turn as (
      select client_id from asked_host_apps
      where client_id = any ($1::text[]) and turn_at <= now() and (quiet_until is null or quiet_until <= now())
      order by client_id for update skip locked
    )
    update asked_host_apps h set turn_at = now() + $2 * interval '1 ms'
    from turn where h.client_id = turn.client_id
    returning h.client_id, h.failures`,
};

/**
 * Claims at these host apps ($1, with their failures, $2) what is due longest, for as many as there are places for: $3, or one
 * while there are failures. In the transaction that took the turns, so that nobody else counts the same places.
 */
export const claimAsks: Statement = {
  name: 'asks.claim',
  text: `
    with turn as (
      select t.client_id, t.failures, case when t.failures > 0 then 1 else $3::integer end - (
        select count(*) from order_payments u where u.asked_of = t.client_id and u.ask_lease_until > now()
      ) as places
      from unnest($1::text[], $2::integer[]) as t (client_id, failures)
    ),
    due as (
      select c.id, t.failures from turn t
      cross join lateral (
        select p.id, p.ask_at from order_payments p where p.asked_of = t.client_id and ${isDue}
        order by p.ask_at limit greatest(t.places, 0) for update skip locked
      ) c
      order by c.ask_at limit $4
    )
    update order_payments p set ask_lease = $5, ask_lease_until = now() + $6 * interval '1 ms'
    from due where p.id = due.id
    returning p.id, p.integration_id, p.order_payment_id, p.asked_of, due.failures`,
};

/** Ends a claim: $3 is when the ask was made, null where it was not; $5 when the next one is due, null for never. */
export const finishAsk: Statement = {
  name: 'asks.finish',
  text: `
    update order_payments set ask_lease = null, ask_lease_until = null, asks = asks + ($3::timestamptz is not null)::integer,
      asked_at = coalesce($3, asked_at), ask_outcome = $4, ask_at = $5
    where id = $1 and ask_lease = $2
    returning id`,
};

/** The host app is left alone until $3; what was begun at the same count of failures ($2) counts once. */
export const leaveAlone: Statement = {
  name: 'asks.leave-alone',
  text: `
    update asked_host_apps set failures = greatest(failures, $2 + 1), quiet_until = greatest(quiet_until, $3)
    where client_id = $1`,
};

/** The host app was reached after failures. One that came after the ask ($2) began stands. */
export const reached: Statement = {
  name: 'asks.reached',
  text: 'update asked_host_apps set failures = 0, quiet_until = null where client_id = $1 and failures = $2',
};

/** Ends what was planned for payments created before $1, 1000 at each host app at most. */
export const endOverdueAsks: Statement = {
  name: 'asks.end-overdue',
  text: `
    update order_payments set ask_at = null
    where id in (
      select o.id from asked_host_apps h cross join lateral (
        select p.id from order_payments p where p.asked_of = h.client_id and ${isDue} and p.created_at < $1
        order by p.ask_at limit 1000 for update skip locked
      ) o
    )
    returning id`,
};

/** Marks results that came before $1, and whose payment was never opened. */
export const markUnmatched: Statement = {
  name: 'asks.mark-unmatched',
  text: 'update payment_completions_early set unmatched_since = now() where unmatched_since is null and at < $1 returning order_payment_id',
};

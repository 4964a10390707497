import type { Statement } from './statement';

/** The first delivery of each lane in which something waits, found by one step in the index each, however much waits there. */
export const firstOfLanes = `
  with recursive waiting (lane, due_at) as (
    (select lane, due_at from deliveries where state = 'ready' and head and parked_by is null order by lane, due_at limit 1)
    union all
    select next.lane, next.due_at from waiting w cross join lateral (
      select d.lane, d.due_at from deliveries d
      where d.state = 'ready' and d.head and d.parked_by is null and d.lane > w.lane order by d.lane, d.due_at limit 1
    ) next
  )`;

/**
 * The lanes in which something may be attempted, due longest first, but those in $2; $1: how many at most. Of an endpoint that is back it
 * may be attempted though it is not due.
 */
export const dueLanes: Statement = {
  name: 'deliveries.due-lanes',
  text: `${firstOfLanes}
    select w.lane from waiting w left join delivery_lanes l on l.lane = w.lane
    where w.lane <> all ($2::text[]) and (l.released_at is not null or (w.due_at <= now() and l.closed is not true))
    order by w.due_at limit $1`,
};

const msUntil = (time: string): string => `ceil(extract(epoch from ${time} - now()) * 1000)::double precision`;

/** Whether anything waits, and the milliseconds until something may be done, but in the lanes $1; null: nothing will have to be. */
export const nextDue: Statement = {
  name: 'deliveries.next-due',
  text: `${firstOfLanes}
    select
      exists (select from waiting) or exists (select from delivery_lanes) as waits,
      least(
        ${msUntil(`(
          select min(w.due_at) from waiting w
          where w.lane <> all ($1::text[]) and not exists (select from delivery_lanes l where l.lane = w.lane and l.closed and l.released_at is null)
        )`)},
        ${msUntil('(select min(look_at) from delivery_lanes where lane <> all ($1::text[]) and paused_at is null)')},
        ${msUntil(`(select min(due_at) from deliveries where state = 'ready' and by_operator and resend_id is null and head)`)},
        ${msUntil(`(select min(due_at) from deliveries where state = 'ready' and parked_by is not null)`)},
        ${msUntil(`(select min(fed_at) + interval '1 s' from resends where state = 'running')`)}
      ) as in_ms`,
};

/**
 * Troubled lanes that it is time to look into, by one instance at a time: $1 are the milliseconds until the next look, $2 where the
 * endpoint is back.
 */
export const lookIntoLanes: Statement = {
  name: 'deliveries.look-into-lanes',
  text: `
    with due as (select lane from delivery_lanes where look_at <= now() and paused_at is null order by look_at limit 100 for update skip locked)
    update delivery_lanes l
    set look_at = now() + (case when l.released_at is null then $1::integer else $2::integer end) * interval '1 ms'
    from due where l.lane = due.lane
    returning l.lane, l.closed and l.released_at is null as is_open`,
};

/**
 * The endpoint has failed once more. After $3 failures in a row its circuit opens, and the next probe comes in $2 milliseconds; until
 * then it is left as it is.
 */
export const laneFailed: Statement = {
  name: 'deliveries.lane-failed',
  text: `
    insert into delivery_lanes (lane, failures, closed, look_at) values ($1, 1, $3 <= 1, now() + $2 * interval '1 ms')
    on conflict (lane) do update set
      failures = delivery_lanes.failures + 1,
      closed = delivery_lanes.closed or delivery_lanes.failures + 1 >= $3,
      released_at = case when delivery_lanes.failures + 1 >= $3 then null else delivery_lanes.released_at end,
      since = case when delivery_lanes.released_at is not null and delivery_lanes.failures + 1 >= $3 then now() else delivery_lanes.since end,
      look_at = case
        when delivery_lanes.released_at is not null and delivery_lanes.failures + 1 < $3 then delivery_lanes.look_at
        else excluded.look_at
      end`,
};

/** The endpoint is well again: its circuit is half-open, and what waits is attempted from now on. Where it is so already only its failures end. */
export const laneRecovers: Statement = {
  name: 'deliveries.lane-recovers',
  text: `
    update delivery_lanes set failures = 0, closed = closed or released_at is null, released_at = coalesce(released_at, now()),
      look_at = case when released_at is null then now() else look_at end
    where lane = $1 and (released_at is null or failures > 0) and paused_at is null
    returning lane`,
};

/** The endpoint has received something after a failure. Where its circuit is open that is as a probe. */
export const laneAnswers: Statement = {
  name: 'deliveries.lane-answers',
  text: `
    update delivery_lanes set failures = 0, released_at = case when closed then coalesce(released_at, now()) else released_at end,
      look_at = case when closed and released_at is null then now() else look_at end
    where lane = $1 and failures > 0 and paused_at is null
    returning lane`,
};

/** The endpoint takes what comes: its circuit closes. What still waits for its schedule is attempted ahead of it. */
export const laneKeepsUp: Statement = {
  name: 'deliveries.lane-keeps-up',
  text: `
    update delivery_lanes set failures = 0, closed = false where lane = $1 and released_at is not null and (closed or failures > 0) and paused_at is null
    returning lane`,
};

/** Nothing was learned of the endpoint, as the feature is switched off: its lane is claimed from at once. */
export const lookAgain: Statement = {
  name: 'deliveries.look-again',
  text: 'update delivery_lanes set look_at = now() where lane = $1 and released_at is null and closed',
};

/**
 * Forgets the troubles of lanes in which nothing waits any more, or, where the endpoint is back, nothing is under way and nothing has
 * not been tried since.
 */
export const forgetLanes: Statement = {
  name: 'deliveries.forget-lanes',
  text: `
    delete from delivery_lanes l where lane = any ($1::text[]) and not exists (
      select from deliveries d where d.lane = l.lane and d.state = 'ready' and d.head and d.parked_by is null
        and (l.released_at is null or d.lease_until > now() or d.due_at <= now() or d.attempted_at is null or d.attempted_at < l.released_at)
    )`,
};

/**
 * Gives up what has waited for open circuits for $1 milliseconds and has been due for $2, 1000 at most; a head whose key goes on is
 * left to an attempt.
 */
export const giveUpOverdue: Statement = {
  name: 'deliveries.give-up-overdue',
  text: `
    update deliveries set state = 'failed', ended_at = now(), lease = null, lease_until = null, by_operator = false, resume_at = null, resend_id = null
    where id in (
      select d.id from deliveries d join delivery_lanes l on l.lane = d.lane and l.closed and l.paused_at is null
      where d.state = 'ready' and d.parked_by is null and d.created_at < now() - $1 * interval '1 ms'
        and coalesce(d.resent_at, d.created_at) < now() - $1 * interval '1 ms' and d.due_at < now() - $2 * interval '1 ms'
        and d.head and d.key = d.id and (d.lease_until is null or d.lease_until <= now())
      limit 1000 for update of d skip locked
    )
    returning id`,
};

/** The names of the lanes in trouble, and of those in which something waits: after $1, $2 at most. */
export const laneNamesAfter: Statement = {
  name: 'deliveries.lane-names',
  text: `
    with recursive waiting (lane) as (
      (select lane from deliveries where state = 'ready' and head and parked_by is null and lane > $1 order by lane limit 1)
      union all
      select next.lane from waiting w cross join lateral (
        select d.lane from deliveries d
        where d.state = 'ready' and d.head and d.parked_by is null and d.lane > w.lane order by d.lane limit 1
      ) next
    )
    (select lane from waiting limit $2)
    union
    (select lane from delivery_lanes where lane > $1 order by lane limit $2)
    order by lane limit $2`,
};

/** How the lanes $1 stand; of each $2 deliveries are counted at most. */
export const waitingIn: Statement = {
  name: 'deliveries.waiting-in',
  text: `
    select a.lane, l.failures, l.closed, l.released_at, l.look_at, l.paused_at, l.paused_by, l.paused_reason, w.waiting, w.oldest
    from unnest($1::text[]) as a (lane) left join delivery_lanes l on l.lane = a.lane
    cross join lateral (
      select count(*)::integer as waiting, min(owed_since) as oldest from (
        select coalesce(d.resent_at, d.created_at) as owed_since from deliveries d
        where d.lane = a.lane and d.state = 'ready' and d.head and d.parked_by is null limit $2
      ) counted
    ) w
    order by a.lane`,
};

export const lockLane: Statement = { name: 'deliveries.lock-lane', text: 'select lane from delivery_lanes where lane = $1 for update' };

/** Its circuit is open, and nobody probes it: to a process that does not know of the pause yet it is one whose endpoint fails. */
export const pauseLane: Statement = {
  name: 'deliveries.pause-lane',
  text: `
    insert into delivery_lanes (lane, failures, closed, look_at, paused_at, paused_by, paused_reason) values ($1, 0, true, now(), now(), $2, $3)
    on conflict (lane) do update set closed = true, released_at = null,
      paused_at = coalesce(delivery_lanes.paused_at, excluded.paused_at), paused_by = excluded.paused_by, paused_reason = excluded.paused_reason`,
};

/** Its circuit is half-open, as if the endpoint had been away. */
export const resumeLane: Statement = {
  name: 'deliveries.resume-lane',
  text: `
    update delivery_lanes set paused_at = null, paused_by = null, paused_reason = null, failures = 0, released_at = now(), look_at = now()
    where lane = $1 and paused_at is not null returning lane`,
};

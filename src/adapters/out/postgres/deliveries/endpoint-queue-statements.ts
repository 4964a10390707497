import type { Statement } from '../connection/statement';

/** The first pending delivery of each queue. It takes one index step per queue, however many deliveries the queue holds. */
export const firstOfQueues = `
  with recursive waiting (queue, due_at) as (
    (select queue, due_at from deliveries where state = 'ready' and head and parked_by is null order by queue, due_at limit 1)
    union all
    select next.queue, next.due_at from waiting w cross join lateral (
      select d.queue, d.due_at from deliveries d
      where d.state = 'ready' and d.head and d.parked_by is null and d.queue > w.queue order by d.queue, d.due_at limit 1
    ) next
  )`;

/**
 * At most $1 queues that have a delivery to attempt, longest due first, without the queues $2. A recovering endpoint gets attempts before
 * they are due.
 */
export const dueQueues: Statement = {
  name: 'deliveries.due-queues',
  text: `${firstOfQueues}
    select w.queue from waiting w left join endpoint_queues l on l.queue = w.queue
    where w.queue <> all ($2::text[]) and (l.recovering_since is not null or (w.due_at <= now() and l.circuit_open is not true))
    order by w.due_at limit $1`,
};

const msUntil = (time: string): string => `ceil(extract(epoch from ${time} - now()) * 1000)::double precision`;

/** Whether any delivery waits, and the milliseconds until the next work outside the queues $1. Null: no work is scheduled. */
export const nextDue: Statement = {
  name: 'deliveries.next-due',
  text: `${firstOfQueues}
    select
      exists (select from waiting) or exists (select from endpoint_queues) as waits,
      least(
        ${msUntil(`(
          select min(w.due_at) from waiting w
          where w.queue <> all ($1::text[]) and not exists (select from endpoint_queues l where l.queue = w.queue and l.circuit_open and l.recovering_since is null)
        )`)},
        ${msUntil('(select min(probe_at) from endpoint_queues where queue <> all ($1::text[]) and paused_at is null)')},
        ${msUntil(`(select min(due_at) from deliveries where state = 'ready' and by_operator and resend_id is null and head)`)},
        ${msUntil(`(select min(due_at) from deliveries where state = 'ready' and parked_by is not null)`)},
        ${msUntil(`(select min(fed_at) + interval '1 s' from resends where state = 'running')`)}
      ) as in_ms`,
};

/**
 * Queues in trouble whose probe is due, each taken by one instance at a time. The next probe is due in $1 milliseconds, or in $2 while the
 * endpoint recovers.
 */
export const probeQueues: Statement = {
  name: 'deliveries.probe-queues',
  text: `
    with due as (select queue from endpoint_queues where probe_at <= now() and paused_at is null order by probe_at limit 100 for update skip locked)
    update endpoint_queues l
    set probe_at = now() + (case when l.recovering_since is null then $1::integer else $2::integer end) * interval '1 ms'
    from due where l.queue = due.queue
    returning l.queue, l.circuit_open and l.recovering_since is null as is_open`,
};

/**
 * Counts one more failure of the endpoint. After $3 failures in a row its circuit opens, and the next probe is due in $2 milliseconds. A
 * recovering endpoint keeps its state until then.
 */
export const queueFailed: Statement = {
  name: 'deliveries.queue-failed',
  text: `
    insert into endpoint_queues (queue, failures, circuit_open, probe_at) values ($1, 1, $3 <= 1, now() + $2 * interval '1 ms')
    on conflict (queue) do update set
      failures = endpoint_queues.failures + 1,
      circuit_open = endpoint_queues.circuit_open or endpoint_queues.failures + 1 >= $3,
      recovering_since = case when endpoint_queues.failures + 1 >= $3 then null else endpoint_queues.recovering_since end,
      since = case when endpoint_queues.recovering_since is not null and endpoint_queues.failures + 1 >= $3 then now() else endpoint_queues.since end,
      probe_at = case
        when endpoint_queues.recovering_since is not null and endpoint_queues.failures + 1 < $3 then endpoint_queues.probe_at
        else excluded.probe_at
      end`,
};

/**
 * The endpoint answers again: its circuit becomes half-open, and pending deliveries are attempted from now on. A recovering endpoint only
 * has its failures reset.
 */
export const queueRecovers: Statement = {
  name: 'deliveries.queue-recovers',
  text: `
    update endpoint_queues set failures = 0, circuit_open = circuit_open or recovering_since is null, recovering_since = coalesce(recovering_since, now()),
      probe_at = case when recovering_since is null then now() else probe_at end
    where queue = $1 and (recovering_since is null or failures > 0) and paused_at is null
    returning queue`,
};

/** The endpoint accepted a delivery after a failure. If its circuit is open, that delivery was the probe. */
export const queueAnswers: Statement = {
  name: 'deliveries.queue-answers',
  text: `
    update endpoint_queues set failures = 0, recovering_since = case when circuit_open then coalesce(recovering_since, now()) else recovering_since end,
      probe_at = case when circuit_open and recovering_since is null then now() else probe_at end
    where queue = $1 and failures > 0 and paused_at is null
    returning queue`,
};

/** The endpoint keeps up: its circuit closes. Deliveries that wait for their schedule are attempted before it. */
export const queueKeepsUp: Statement = {
  name: 'deliveries.queue-keeps-up',
  text: `
    update endpoint_queues set failures = 0, circuit_open = false where queue = $1 and recovering_since is not null and (circuit_open or failures > 0) and paused_at is null
    returning queue`,
};

/** The probe was not sent because the feature is switched off, so the queue may be claimed from at once. */
export const probeAgain: Statement = {
  name: 'deliveries.probe-again',
  text: 'update endpoint_queues set probe_at = now() where queue = $1 and recovering_since is null and circuit_open',
};

/**
 * Deletes the trouble of queues without pending deliveries. A recovering endpoint also keeps it while a delivery is in flight or due, or
 * has not been attempted since the recovery began.
 */
export const forgetQueues: Statement = {
  name: 'deliveries.forget-queues',
  text: `
    delete from endpoint_queues l where queue = any ($1::text[]) and not exists (
      select from deliveries d where d.queue = l.queue and d.state = 'ready' and d.head and d.parked_by is null
        and (l.recovering_since is null or d.lease_until > now() or d.due_at <= now() or d.attempted_at is null or d.attempted_at < l.recovering_since)
    )`,
};

/**
 * Gives up at most 1000 deliveries that are older than $1 milliseconds, have been due for $2 and wait for an open circuit. A delivery that
 * shares its key with others is left to an attempt.
 */
export const giveUpOverdue: Statement = {
  name: 'deliveries.give-up-overdue',
  text: `
    update deliveries set state = 'failed', ended_at = now(), lease = null, lease_until = null, by_operator = false, resume_at = null, resend_id = null
    where id in (
      select d.id from deliveries d join endpoint_queues l on l.queue = d.queue and l.circuit_open and l.paused_at is null
      where d.state = 'ready' and d.parked_by is null and d.created_at < now() - $1 * interval '1 ms'
        and coalesce(d.resent_at, d.created_at) < now() - $1 * interval '1 ms' and d.due_at < now() - $2 * interval '1 ms'
        and d.head and d.key = d.id and (d.lease_until is null or d.lease_until <= now())
      limit 1000 for update of d skip locked
    )
    returning id`,
};

/** The names of at most $2 queues after $1 that are in trouble or hold pending deliveries. */
export const queueNamesAfter: Statement = {
  name: 'deliveries.queue-names',
  text: `
    with recursive waiting (queue) as (
      (select queue from deliveries where state = 'ready' and head and parked_by is null and queue > $1 order by queue limit 1)
      union all
      select next.queue from waiting w cross join lateral (
        select d.queue from deliveries d
        where d.state = 'ready' and d.head and d.parked_by is null and d.queue > w.queue order by d.queue limit 1
      ) next
    )
    (select queue from waiting limit $2)
    union
    (select queue from endpoint_queues where queue > $1 order by queue limit $2)
    order by queue limit $2`,
};

/** The state of the queues $1. Counts at most $2 deliveries in each. */
export const waitingIn: Statement = {
  name: 'deliveries.waiting-in',
  text: `
    select a.queue, l.failures, l.circuit_open, l.recovering_since, l.probe_at, l.paused_at, l.paused_by, l.paused_reason, w.waiting, w.oldest
    from unnest($1::text[]) as a (queue) left join endpoint_queues l on l.queue = a.queue
    cross join lateral (
      select count(*)::integer as waiting, min(owed_since) as oldest from (
        select coalesce(d.resent_at, d.created_at) as owed_since from deliveries d
        where d.queue = a.queue and d.state = 'ready' and d.head and d.parked_by is null limit $2
      ) counted
    ) w
    order by a.queue`,
};

export const lockQueue: Statement = {
  name: 'deliveries.lock-queue',
  text: 'select queue from endpoint_queues where queue = $1 for update',
};

/** Opens the circuit and stops probes. A process that has not seen the pause yet treats the endpoint as failing. */
export const pauseEndpointQueue: Statement = {
  name: 'deliveries.pause-queue',
  text: `
    insert into endpoint_queues (queue, failures, circuit_open, probe_at, paused_at, paused_by, paused_reason) values ($1, 0, true, now(), now(), $2, $3)
    on conflict (queue) do update set circuit_open = true, recovering_since = null,
      paused_at = coalesce(endpoint_queues.paused_at, excluded.paused_at), paused_by = excluded.paused_by, paused_reason = excluded.paused_reason`,
};

/** Makes the circuit half-open, as after an outage of the endpoint. */
export const resumeEndpointQueue: Statement = {
  name: 'deliveries.resume-queue',
  text: `
    update endpoint_queues set paused_at = null, paused_by = null, paused_reason = null, failures = 0, recovering_since = now(), probe_at = now()
    where queue = $1 and paused_at is not null returning queue`,
};

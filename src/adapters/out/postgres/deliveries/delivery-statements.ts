import type { Statement } from '../connection/statement';

const msSince = (time: string): string => `extract(epoch from now() - ${time}) * 1000`;

const claimed = `deliveries.id, integration_id, kind, receiver, deliveries.queue, body, tries, ${msSince('coalesce(resent_at, created_at)')} as age_ms, by_operator,
  deliveries.key <> deliveries.id as in_order`;

const free = `d.state = 'ready' and d.head and d.parked_by is null and (d.lease_until is null or d.lease_until <= now())`;

/**
 * For a delivery found by its id. Not `=`: a plan made while the table was empty would scan the index of all pending deliveries instead of
 * the primary key, for as long as its connection lives.
 */
const isPending = `state is not distinct from 'ready'`;

const stillFree = `d.${isPending} and d.head and d.parked_by is null and (d.lease_until is null or d.lease_until <= now())`;

/** The state of an endpoint in trouble. All columns are null for a healthy endpoint. */
const standing = `${msSince('l.since')} as failing_ms, l.circuit_open, l.recovering_since is not null as recovering, l.failures > 0 as failing`;
const queueColumns = 'failing_ms, circuit_open, recovering, failing';

/**
 * Claims due deliveries in the queues $1 whose circuit is not open: in each as many as it has slots ($2), or as its window allows ($6)
 * while half-open, $5 in total. While an endpoint recovers, deliveries that were not attempted since are claimed before they are due. Skips
 * rows that another claim has locked.
 */
export const claim: Statement = {
  name: 'deliveries.claim',
  text: `
    with asked as (select * from unnest($1::text[], $2::integer[], $6::integer[]) as a (queue, slots, max_claims)),
    due as (
      select c.id, c.due_at <= now() as is_due, ${standing}
      from asked a left join endpoint_queues l on l.queue = a.queue
      cross join lateral (
        select d.id, d.due_at, d.seq from deliveries d
        where d.queue = a.queue and ${free} and d.due_at <= case when l.recovering_since is null then now() else 'infinity' end
          and (d.due_at <= now() or d.attempted_at is null or d.attempted_at < l.recovering_since)
        order by d.due_at, d.seq limit case when l.circuit_open then least(a.slots, a.max_claims) else a.slots end for update skip locked
      ) c
      where l.queue is null or not l.circuit_open or l.recovering_since is not null
      order by c.due_at, c.seq limit $5
    )
    update deliveries set lease = $3, lease_until = now() + $4 * interval '1 ms'
    from due where deliveries.id = due.id
    returning ${claimed}, ${queueColumns}, is_due`,
};

/**
 * Claims one probe in each of the queues $1 whose circuit is open, due or not. It takes the one of the first sixteen that was not attempted
 * for the longest time, so that a delivery that always fails does not hide a recovered endpoint. Skips queues without a slot ($2).
 */
export const claimProbes: Statement = {
  name: 'deliveries.claim-probes',
  text: `
    with asked as (select * from unnest($1::text[], $2::integer[]) as a (queue, slots)),
    first as (
      select c.id, c.due_at <= now() as is_due, ${standing}
      from asked a join endpoint_queues l on l.queue = a.queue
      cross join lateral (
        select * from (
          select d.id, d.due_at, d.seq, d.attempted_at from deliveries d
          where d.queue = a.queue and ${free}
          order by d.due_at, d.seq limit 16
        ) w
        order by w.attempted_at nulls first, w.due_at, w.seq limit least(a.slots, 1)
      ) c
      limit $5
    ),
    taken as (
      select first.* from first cross join lateral (
        select from deliveries d where d.id = first.id and ${stillFree} for update skip locked
      ) d
    )
    update deliveries set lease = $3, lease_until = now() + $4 * interval '1 ms'
    from taken where deliveries.id = taken.id
    returning ${claimed}, ${queueColumns}, is_due`,
};

/**
 * Claims deliveries that the operator resent one by one, whatever the state of the endpoint: $5 at most, in each of the queues $1 no more
 * than its free slots ($2), and in each other queue no more than $6.
 */
export const claimRequested: Statement = {
  name: 'deliveries.claim-requested',
  text: `
    with busy as (select * from unnest($1::text[], $2::integer[]) as b (queue, slots)),
    first as (
      select d.id, d.queue, row_number() over (partition by d.queue order by d.due_at) as ordinal from (
        select d.id, d.queue, d.due_at from deliveries d where d.by_operator and d.resend_id is null and ${free} and d.due_at <= now()
        order by d.due_at limit 1000
      ) d
    ),
    due as (
      select first.id, ${standing} from first left join busy on busy.queue = first.queue left join endpoint_queues l on l.queue = first.queue
      cross join lateral (select from deliveries d where d.id = first.id and ${stillFree} for update skip locked) d
      where first.ordinal <= coalesce(busy.slots, $6) limit $5
    )
    update deliveries set lease = $3, lease_until = now() + $4 * interval '1 ms'
    from due where deliveries.id = due.id
    returning ${claimed}, ${queueColumns}, true as is_due`,
};

const heldBy = `where id = $1 and lease = $2 and ${isPending}`;

/** Ends deliveries. Each row of `ends` holds the claim, the attempt and the new state. */
const endOf = (ends: string, alone: boolean): string => `
  held as (
    update deliveries set state = e.state, attempts = attempts + 1, tries = tries + case e.reason when 'schedule' then 1 else 0 end,
      lease = null, lease_until = null, parked_by = null, by_operator = false, resume_at = null, resend_id = null,
      ended_at = now()
    from ${ends} e
    where deliveries.id = e.id and deliveries.lease = e.lease and deliveries.${isPending} and deliveries.key ${alone ? '=' : '<>'} deliveries.id
    returning deliveries.id, attempts, e.lease, e.reason, e.at, e.ms, e.status, e.error_code, e.cause
  ),
  attempt as (
    insert into delivery_attempts (delivery_id, number, reason, at, ms, status, error_code, cause)
    select id, attempts, reason, at, ms, status, error_code, cause from held
  )
  select id, lease from held`;

const endColumnNames = 'id, lease, reason, at, ms, status, error_code, cause, state';
/** The parameter types of one row of `endDeliveries`. */
export const endTypes = ['text', 'text', 'text', 'timestamptz', 'integer', 'integer', 'text', 'text', 'text'] as const;

/**
 * Ends claims, with their attempts and deliveries, of deliveries without others of their key. One array per column; $10 is their length.
 * (With a limit by parameter, Postgres expects one row and looks each delivery up by its id, even in small tables.)
 */
export const endDeliveries: Statement = {
  name: 'deliveries.end-all',
  text: `
    with ended as (
      select * from unnest(
        $1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::integer[], $6::integer[], $7::text[], $8::text[], $9::text[]
      ) as e (${endColumnNames}) order by id limit $10
    ),
    ${endOf('ended', true)}`,
};

/**
 * Like `endDeliveries`, for one delivery that shares its key with others. The caller holds the lock of the key and then promotes the next.
 */
export const endDelivery: Statement = {
  name: 'deliveries.end',
  text: `
    with ended (${endColumnNames}) as (
      select $1::text, $2::text, $3::text, $4::timestamptz, $5::integer, $6::integer, $7::text, $8::text, $9::text
    ),
    ${endOf('ended', false)}`,
};

/** Ends a claim with its attempt. The delivery is due again in $9 milliseconds or, when $9 is null, at its earlier time. */
export const retryDelivery: Statement = {
  name: 'deliveries.retry',
  text: `
    with held as (
      update deliveries set due_at = coalesce(resume_at, now() + $9::double precision * interval '1 ms', due_at), attempts = attempts + 1,
        tries = tries + case $3::text when 'schedule' then 1 else 0 end,
        lease = null, lease_until = null, parked_by = null, by_operator = false, resume_at = null, resend_id = null, attempted_at = now()
      ${heldBy}
      returning id, attempts
    )
    insert into delivery_attempts (delivery_id, number, reason, at, ms, status, error_code, cause)
    select id, attempts, $3, $4, $5, $6, $7, $8 from held returning number`,
};

export const keyOf: Statement = { name: 'deliveries.key', text: 'select key from deliveries where id = $1' };

/**
 * Serialises statements that queue or end deliveries of one key. Reads that follow need a statement of their own, because this one has an
 * older snapshot.
 */
export const lockKey: Statement = { name: 'deliveries.lock-key', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

/** Makes the next delivery of a key the head. */
export const promoteNext: Statement = {
  name: 'deliveries.promote',
  text: `
    update deliveries set head = true
    where id = (select id from deliveries where key = $1 and state = 'ready' order by seq limit 1) and not head
    returning id`,
};

export const park: Statement = {
  name: 'deliveries.park',
  text: `
    update deliveries set parked_by = $3, due_at = now() + $4 * interval '1 ms', lease = null, lease_until = null
    ${heldBy}
    returning id`,
};

/** Makes parked deliveries due now, of the host app $1 and the miniapp $2 where they are given; $3 at most. */
export const wake: Statement = {
  name: 'deliveries.wake',
  text: `
    update deliveries set parked_by = null, due_at = now()
    where id in (
      select d.id from deliveries d
      where d.state = 'ready' and d.parked_by is not null and d.integration_id in (
          select i.id from integrations i where ($1::text is null or i.client_id = $1) and ($2::text is null or i.app_id = $2)
        )
      limit $3 for update of d skip locked
    )
    returning id`,
};

/** Like `wake`, for parked deliveries whose next check is due; 1000 at most. */
export const wakeDue: Statement = {
  name: 'deliveries.wake-due',
  text: `
    update deliveries set parked_by = null, due_at = now()
    where id in (
      select id from deliveries where state = 'ready' and parked_by is not null and due_at <= now()
      order by due_at limit 1000 for update skip locked
    )
    returning id`,
};

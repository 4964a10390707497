import type { Statement } from './statement';

const msSince = (time: string): string => `extract(epoch from now() - ${time}) * 1000`;

const claimed = `deliveries.id, integration_id, kind, receiver, deliveries.lane, body, tries, ${msSince('coalesce(resent_at, created_at)')} as age_ms, by_operator,
  deliveries.key <> deliveries.id as in_order`;

const free = `d.state = 'ready' and d.head and d.parked_by is null and (d.lease_until is null or d.lease_until <= now())`;

/**
 * Of a delivery that is looked up by its id. Not by `=`: planned on an empty table, the lookup would read the index of all that
 * is owed instead of the key, for as long as its connection lives.
 */
const isOwed = `state is not distinct from 'ready'`;

const stillFree = `d.${isOwed} and d.head and d.parked_by is null and (d.lease_until is null or d.lease_until <= now())`;

/** How an endpoint in trouble stands: null where it is well. */
const standing = `${msSince('l.since')} as troubled_ms, l.closed, l.released_at is not null as released, l.failures > 0 as failing`;
const isTroubled = 'troubled_ms, closed, released, failing';

/**
 * Claims due deliveries in lanes whose circuit is not open ($1), in each as many as there are places for ($2), or, where it is half-open, as its
 * window allows ($6), $5 in all. Where the endpoint is back, those without an attempt since are claimed though they are not due. A row that
 * another claim holds is passed over.
 */
export const claim: Statement = {
  name: 'deliveries.claim',
  text: `
    with asked as (select * from unnest($1::text[], $2::integer[], $6::integer[]) as a (lane, places, most)),
    due as (
      select c.id, c.due_at <= now() as is_due, ${standing}
      from asked a left join delivery_lanes l on l.lane = a.lane
      cross join lateral (
        select d.id, d.due_at, d.seq from deliveries d
        where d.lane = a.lane and ${free} and d.due_at <= case when l.released_at is null then now() else 'infinity' end
          and (d.due_at <= now() or d.attempted_at is null or d.attempted_at < l.released_at)
        order by d.due_at, d.seq limit case when l.closed then least(a.places, a.most) else a.places end for update skip locked
      ) c
      where l.lane is null or not l.closed or l.released_at is not null
      order by c.due_at, c.seq limit $5
    )
    update deliveries set lease = $3, lease_until = now() + $4 * interval '1 ms'
    from due where deliveries.id = due.id
    returning ${claimed}, ${isTroubled}, is_due`,
};

/**
 * Claims one probe in each of the lanes $1 whose circuit is open, due or not: of the first sixteen the one whose last attempt is longest ago,
 * so that one that always fails does not hide an endpoint that is back. None in a lane without a place ($2).
 */
export const claimProbes: Statement = {
  name: 'deliveries.claim-probes',
  text: `
    with asked as (select * from unnest($1::text[], $2::integer[]) as a (lane, places)),
    first as (
      select c.id, c.due_at <= now() as is_due, ${standing}
      from asked a join delivery_lanes l on l.lane = a.lane
      cross join lateral (
        select * from (
          select d.id, d.due_at, d.seq, d.attempted_at from deliveries d
          where d.lane = a.lane and ${free}
          order by d.due_at, d.seq limit 16
        ) w
        order by w.attempted_at nulls first, w.due_at, w.seq limit least(a.places, 1)
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
    returning ${claimed}, ${isTroubled}, is_due`,
};

/**
 * Claims what the operator asked for by itself, whatever its endpoint is like, $5 at most; in the lanes $1 no more than their
 * free places ($2), in others $6.
 */
export const claimAsked: Statement = {
  name: 'deliveries.claim-asked',
  text: `
    with busy as (select * from unnest($1::text[], $2::integer[]) as b (lane, places)),
    first as (
      select d.id, d.lane, row_number() over (partition by d.lane order by d.due_at) as place from (
        select d.id, d.lane, d.due_at from deliveries d where d.by_operator and d.resend_id is null and ${free} and d.due_at <= now()
        order by d.due_at limit 1000
      ) d
    ),
    due as (
      select first.id, ${standing} from first left join busy on busy.lane = first.lane left join delivery_lanes l on l.lane = first.lane
      cross join lateral (select from deliveries d where d.id = first.id and ${stillFree} for update skip locked) d
      where first.place <= coalesce(busy.places, $6) limit $5
    )
    update deliveries set lease = $3, lease_until = now() + $4 * interval '1 ms'
    from due where deliveries.id = due.id
    returning ${claimed}, ${isTroubled}, true as is_due`,
};

const heldBy = `where id = $1 and lease = $2 and ${isOwed}`;

/** What ends a delivery: a row of `ends` holds the claim, the attempt and the state. */
const endOf = (ends: string, alone: boolean): string => `
  held as (
    update deliveries set state = e.state, attempts = attempts + 1, tries = tries + case e.reason when 'schedule' then 1 else 0 end,
      lease = null, lease_until = null, parked_by = null, by_operator = false, resume_at = null, resend_id = null,
      ended_at = now()
    from ${ends} e
    where deliveries.id = e.id and deliveries.lease = e.lease and deliveries.${isOwed} and deliveries.key ${alone ? '=' : '<>'} deliveries.id
    returning deliveries.id, attempts, e.lease, e.reason, e.at, e.ms, e.status, e.error_code, e.cause
  ),
  attempt as (
    insert into delivery_attempts (delivery_id, number, reason, at, ms, status, error_code, cause)
    select id, attempts, reason, at, ms, status, error_code, cause from held
  )
  select id, lease from held`;

const endColumnNames = 'id, lease, reason, at, ms, status, error_code, cause, state';
/** Types of the values that end one delivery. */
export const endTypes = ['text', 'text', 'text', 'timestamptz', 'integer', 'integer', 'text', 'text', 'text'] as const;

/**
 * Ends claims with their attempts and the deliveries with them, of those that are alone in their order: an array for each column,
 * $10 is their number. (Of a limit by parameter Postgres expects one row, so it looks each up by its id, on small tables too.)
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

/** As `endDeliveries`, one of a key with others: who calls holds the key, and the next comes to its head. */
export const endDelivery: Statement = {
  name: 'deliveries.end',
  text: `
    with ended (${endColumnNames}) as (
      select $1::text, $2::text, $3::text, $4::timestamptz, $5::integer, $6::integer, $7::text, $8::text, $9::text
    ),
    ${endOf('ended', false)}`,
};

/** Ends a claim with its attempt; the delivery is due again in $9 milliseconds, or when it was. */
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

/** Who owes to a key and who ends one of it take turns. Later reads need another statement, as this one sees the past. */
export const lockKey: Statement = { name: 'deliveries.lock-key', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' };

/** The next of a key comes to its head. */
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

/** Parked deliveries are due now, of the host app $1 and the miniapp $2 where they are given; $3 at most. */
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

/** As `wake`, what it is time to look at again; 1000 at most. */
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

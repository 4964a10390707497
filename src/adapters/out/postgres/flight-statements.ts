import type { Statement } from './statement';

/** How long a run that never ended, or a failure, stays to be looked at by those who wait for it. */
const remembered = `interval '60 s'`;

/** A value that is good, or a run whose lease holds: the work is not free to be claimed. */
const isTaken = `(flights.state = 'landed' and flights.expires_at > now() or flights.state = 'running' and flights.lease_until > now())`;

/** Claims many works. Takes arrays of purposes, key digests, leases and milliseconds that the leases last, each key once. */
export const claimFlights: Statement = {
  name: 'flights.claim',
  // A look first, so that a landed value is read without a lock; the upsert alone decides who claims. One look at a time, by the key:
  // planned on an empty table, a join would go through all of it for as long as the connection lives.
  text: `
    with given as (
      select * from unnest($1::text[], $2::bytea[], $3::text[], $4::integer[]) as g (purpose, key_digest, new_lease, lease_ms)
    ), taken as (
      select purpose, key_digest, found.* from given cross join lateral (
        select state, lease, value from flights where flights.purpose = given.purpose and flights.key_digest = given.key_digest and ${isTaken} limit 1
      ) found
    ), claimed as (
      insert into flights (purpose, key_digest, lease, lease_until, state, expires_at)
      select purpose, key_digest, new_lease, now() + lease_ms * interval '1 ms', 'running', now() + lease_ms * interval '1 ms' + ${remembered}
      from given where not exists (select from taken where taken.purpose = given.purpose and taken.key_digest = given.key_digest)
      order by purpose, key_digest
      on conflict (purpose, key_digest) do update set
        lease = excluded.lease,
        lease_until = excluded.lease_until,
        state = 'running',
        value = null,
        failure = null,
        expires_at = excluded.expires_at
      where not ${isTaken}
      returning purpose, key_digest, lease
    )
    select purpose, key_digest, 'claimed' as state, lease, null::bytea as value from claimed
    union all
    select purpose, key_digest, state, lease, value from taken`,
};

export const lookAtFlight: Statement = {
  name: 'flights.look',
  text: `
    select state, lease, value, failure from flights
    where purpose = $1 and key_digest = $2 and (${isTaken} or state = 'failed' and expires_at > now())`,
};

/** Keeps the values of many runs. Takes arrays of purposes, key digests, leases, sealed values and milliseconds that they are good for, each key once. */
export const landFlights: Statement = {
  name: 'flights.land',
  // The limit is all of them; by it the planner expects few, and looks them up by their keys.
  text: `
    update flights set state = 'landed', value = g.landed, expires_at = now() + g.ttl_ms * interval '1 ms'
    from (
      select * from unnest($1::text[], $2::bytea[], $3::text[], $4::bytea[], $5::integer[]) as g (purpose, key_digest, lease, landed, ttl_ms)
      order by purpose, key_digest limit cardinality($1::text[])
    ) g
    where flights.purpose = g.purpose and flights.key_digest = g.key_digest and flights.lease = g.lease and flights.state = 'running'
    returning flights.purpose, flights.key_digest`,
};

export const failFlight: Statement = {
  name: 'flights.fail',
  text: `
    update flights set state = 'failed', failure = $4, expires_at = now() + ${remembered}
    where purpose = $1 and key_digest = $2 and lease = $3 and state = 'running'`,
};

export const dropFlight: Statement = {
  name: 'flights.drop',
  text: `delete from flights where purpose = $1 and key_digest = $2 and lease = $3 and state = 'landed'`,
};

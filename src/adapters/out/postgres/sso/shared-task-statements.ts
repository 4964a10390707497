import type { Statement } from '../connection/statement';

/** How long waiting callers can read a failure, or a run that never ended. */
const remembered = `interval '60 s'`;

/** A valid value, or a run whose lease holds: the task cannot be claimed. */
const isTaken = `(shared_tasks.state = 'completed' and shared_tasks.expires_at > now() or shared_tasks.state = 'running' and shared_tasks.lease_until > now())`;

/** Claims many tasks. Takes arrays of purposes, key digests, leases and lease times in milliseconds, each key once. */
export const claimSharedTasks: Statement = {
  name: 'shared-tasks.claim',
  // Reads first, so that a completed value is read without a lock; only the upsert decides which caller gets the claim. Looks up each key
  // by itself: a join planned while the table was empty would scan the whole table for as long as its connection lives.
  text: `
    with given as (
      select * from unnest($1::text[], $2::bytea[], $3::text[], $4::integer[]) as g (purpose, key_digest, new_lease, lease_ms)
    ), taken as (
      select purpose, key_digest, found.* from given cross join lateral (
        select state, lease, value from shared_tasks where shared_tasks.purpose = given.purpose and shared_tasks.key_digest = given.key_digest and ${isTaken} limit 1
      ) found
    ), claimed as (
      insert into shared_tasks (purpose, key_digest, lease, lease_until, state, expires_at)
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

export const readSharedTask: Statement = {
  name: 'shared-tasks.find',
  text: `
    select state, lease, value, failure from shared_tasks
    where purpose = $1 and key_digest = $2 and (${isTaken} or state = 'failed' and expires_at > now())`,
};

/**
 * Stores the values of many runs. Takes arrays of purposes, key digests, leases, sealed values and lifetimes in milliseconds, each key
 * once.
 */
export const completeSharedTasks: Statement = {
  name: 'shared-tasks.complete',
  // The limit includes all rows. It makes the planner expect few rows and look them up by their keys.
  text: `
    update shared_tasks set state = 'completed', value = g.completed, expires_at = now() + g.ttl_ms * interval '1 ms'
    from (
      select * from unnest($1::text[], $2::bytea[], $3::text[], $4::bytea[], $5::integer[]) as g (purpose, key_digest, lease, completed, ttl_ms)
      order by purpose, key_digest limit cardinality($1::text[])
    ) g
    where shared_tasks.purpose = g.purpose and shared_tasks.key_digest = g.key_digest and shared_tasks.lease = g.lease and shared_tasks.state = 'running'
    returning shared_tasks.purpose, shared_tasks.key_digest`,
};

export const failSharedTask: Statement = {
  name: 'shared-tasks.fail',
  text: `
    update shared_tasks set state = 'failed', failure = $4, expires_at = now() + ${remembered}
    where purpose = $1 and key_digest = $2 and lease = $3 and state = 'running'`,
};

export const dropSharedTask: Statement = {
  name: 'shared-tasks.drop',
  text: `delete from shared_tasks where purpose = $1 and key_digest = $2 and lease = $3 and state = 'completed'`,
};

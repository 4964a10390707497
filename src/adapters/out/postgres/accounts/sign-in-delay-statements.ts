import type { Statement } from '../connection/statement';

/**
 * Counts an attempt unless the subject must wait. $2: milliseconds until the count expires; $3: the waits in seconds after one attempt,
 * two, and so on; the last one applies to all further attempts.
 */
export const attempt: Statement = {
  name: 'sign-in-delays.attempt',
  text: `
    insert into sign_in_delays as d (subject, attempts, blocked_until, expires_at)
    values ($1, 1, now() + ($3::float8[])[1] * interval '1 s', now() + $2 * interval '1 ms')
    on conflict (subject) do update set
      attempts = case when d.expires_at <= now() then 1 else d.attempts + 1 end,
      blocked_until = now() + interval '1 s' *
        ($3::float8[])[case when d.expires_at <= now() then 1 else least(d.attempts + 1, array_length($3, 1)) end],
      expires_at = excluded.expires_at
    where d.blocked_until <= now() or d.expires_at <= now()
    returning attempts`,
};

/** The milliseconds that the subject $1 must wait; no row: no wait. */
export const blocked: Statement = {
  name: 'sign-in-delays.blocked',
  text: `
    select (extract(epoch from blocked_until - now()) * 1000)::float8 as left_ms
    from sign_in_delays where subject = $1 and blocked_until > now()`,
};

export const clear: Statement = { name: 'sign-in-delays.clear', text: 'delete from sign_in_delays where subject = $1' };

import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { delayAfter, delayRules } from '../../../domain/accounts/delay';
import type { SignInDelays } from '../../../domain/accounts/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { pruneExpired, pruneStatement } from './prune-expired';
import { run, type Statement } from './statement';

/** $2: when it is forgotten, in milliseconds from now; $3: the waits in seconds after one attempt, two, and so on, the last for all that follow. */
const attempt: Statement = {
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
const blocked: Statement = {
  name: 'sign-in-delays.blocked',
  text: `
    select (extract(epoch from blocked_until - now()) * 1000)::float8 as left_ms
    from sign_in_delays where subject = $1 and blocked_until > now()`,
};
const clear: Statement = { name: 'sign-in-delays.clear', text: 'delete from sign_in_delays where subject = $1' };
const prune = pruneStatement('sign_in_delays', 'expires_at', 'expires_at < now()');

/** In seconds, up to where they rise no more. */
const waitsAfter = (free: number): number[] => Array.from({ length: free + 8 }, (_, i) => delayAfter(i + 1, free) / 1000);

/** Delays in Postgres: instances count together, each attempt in one statement. */
export class PostgresSignInDelays implements SignInDelays {
  constructor(private readonly db: DataSource) {}

  async attempt(subject: string, free: number = delayRules.free): Promise<number> {
    requireIds({ subject });
    const key = digestOf(subject);
    const counted = await run(this.db, attempt, [key, delayRules.forgottenMs, waitsAfter(free)]);
    if (counted.length > 0) return 0;
    const [row] = await run<{ left_ms: number }>(this.db, blocked, [key]);
    // Between the two somebody else may have signed in: then the next attempt passes.
    return row ? Math.ceil(row.left_ms) : 1;
  }

  async clear(subject: string): Promise<void> {
    requireIds({ subject });
    await run(this.db, clear, [digestOf(subject)]);
  }

  /** Removes what is forgotten; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.db, prune);
  }
}

const digestOf = (subject: string): string => createHash('sha256').update(subject, 'utf8').digest('base64url');

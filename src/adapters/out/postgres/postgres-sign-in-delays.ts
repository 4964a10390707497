import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { delayAfter, delayRules } from '../../../domain/accounts/delay';
import type { SignInDelays } from '../../../domain/accounts/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { pruneExpired, pruneStatement } from './prune-expired';
import { run, type Statement } from './statement';

/** $2 is now, $3 when it is forgotten, $4 the waits after one attempt, two, and so on, the last of them for all that follow. */
const attempt: Statement = {
  name: 'sign-in-delays.attempt',
  text: `
    insert into sign_in_delays as d (subject, attempts, blocked_until, expires_at)
    values ($1, 1, $2::timestamptz + make_interval(secs => ($4::double precision[])[1]), $3)
    on conflict (subject) do update set
      attempts = case when d.expires_at <= $2 then 1 else d.attempts + 1 end,
      blocked_until = $2 + make_interval(secs =>
        ($4::double precision[])[case when d.expires_at <= $2 then 1 else least(d.attempts + 1, array_length($4, 1)) end]),
      expires_at = $3
    where d.blocked_until <= $2 or d.expires_at <= $2
    returning attempts`,
};
const blocked: Statement = {
  name: 'sign-in-delays.blocked',
  text: `select blocked_until from sign_in_delays where subject = $1 and blocked_until > $2`,
};
const clear: Statement = { name: 'sign-in-delays.clear', text: 'delete from sign_in_delays where subject = $1' };
const prune = pruneStatement('sign_in_delays', 'expires_at', 'expires_at < now()');

/** In seconds, up to where they rise no more. */
const waitsAfter = (free: number): number[] => Array.from({ length: free + 8 }, (_, i) => delayAfter(i + 1, free) / 1000);

/** Delays in Postgres: instances count together, each attempt in one statement. */
export class PostgresSignInDelays implements SignInDelays {
  constructor(private readonly db: DataSource) {}

  async attempt(subject: string, now: number, free: number = delayRules.free): Promise<number> {
    requireIds({ subject });
    const key = digestOf(subject);
    const counted = await run(this.db, attempt, [key, new Date(now), new Date(now + delayRules.forgottenMs), waitsAfter(free)]);
    if (counted.length > 0) return 0;
    const [row] = await run<{ blocked_until: Date }>(this.db, blocked, [key, new Date(now)]);
    // Between the two somebody else may have signed in: then the next attempt passes.
    return row ? row.blocked_until.getTime() - now : 1;
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

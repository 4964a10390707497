import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { delayAfter, delayRules } from '../../../../domain/accounts/delay';
import type { SignInDelayStore } from '../../../../domain/accounts/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { run } from '../connection/statement';
import { attempt, blocked, clear } from './sign-in-delay-statements';

const prune = pruneStatement('sign_in_delays', 'expires_at', 'expires_at < now()');

/** The delays in seconds, up to the longest one. */
const waitsAfter = (free: number): number[] => Array.from({ length: free + 8 }, (_, i) => delayAfter(i + 1, free) / 1000);

/** Sign-in delays in Postgres, shared by all instances. Each attempt is one statement. */
export class PostgresSignInDelayStore implements SignInDelayStore {
  constructor(private readonly db: DataSource) {}

  async attempt(subject: string, free: number = delayRules.free): Promise<number> {
    requireIds({ subject });
    const key = digestOf(subject);
    const counted = await run(this.db, attempt, [key, delayRules.forgottenMs, waitsAfter(free)]);
    if (counted.length > 0) return 0;
    const [row] = await run<{ left_ms: number }>(this.db, blocked, [key]);
    // A successful sign-in may have removed the row between the two statements; then the next attempt passes.
    return row ? Math.ceil(row.left_ms) : 1;
  }

  async clear(subject: string): Promise<void> {
    requireIds({ subject });
    await run(this.db, clear, [digestOf(subject)]);
  }

  /** Removes expired rows; resolves to the number of rows. */
  prune(): Promise<number> {
    return pruneExpired(this.db, prune);
  }
}

const digestOf = (subject: string): string => createHash('sha256').update(subject, 'utf8').digest('base64url');

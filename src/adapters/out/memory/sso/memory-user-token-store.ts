import type { Clock, IdGenerator } from '../../../../domain/shared/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { SharedTaskFailure } from '../../../../domain/shared/tasks/single-flight';
import type { RefreshState, RefusedTokens, StoredTokens, UserTokenStore } from '../../../../domain/sso/ports';
import type { UserKey } from '../../../../domain/sso/user-data';
import type { UserTokens } from '../../../../domain/sso/tokens';

/** The tokens of one user, and the last run that was to refresh them. */
interface KeptTokens {
  readonly tokens: UserTokens;
  readonly version: number;
  readonly run?: { readonly lease: string; readonly until: number } | undefined;
  readonly failed?: { readonly lease: string; readonly failure: SharedTaskFailure } | undefined;
}

/** Tokens of users in memory. A user repository with the same store puts the tokens of sign-ons here. */
export class MemoryUserTokenStore implements UserTokenStore {
  private readonly kept = new Map<string, KeptTokens>();

  constructor(private readonly deps: { clock: Clock; ids: IdGenerator }) {}

  /** Replaces the tokens at a sign-on and ends every run. */
  signOn(key: UserKey, tokens: UserTokens): void {
    const name = nameOf(key);
    this.kept.set(name, { tokens, version: (this.kept.get(name)?.version ?? 0) + 1 });
  }

  /** Removes the tokens of a user; returns the number of removed pairs. */
  remove(key: UserKey): number {
    return Number(this.kept.delete(nameOf(key)));
  }

  async find(key: UserKey): Promise<StoredTokens | undefined> {
    const kept = this.kept.get(nameOf(key));
    return kept && stored(kept);
  }

  async claimRefresh(key: UserKey, refused: RefusedTokens, leaseMs: number): Promise<RefreshState | undefined> {
    const kept = this.kept.get(nameOf(key));
    if (!kept) return undefined;
    if (String(kept.version) !== refused.version) return { state: 'renewed', tokens: stored(kept) };
    const now = this.deps.clock.now();
    if (kept.run && kept.run.until > now) return { state: 'running' };
    if (kept.failed && kept.failed.lease !== refused.failedRun) return { state: 'failed', failure: kept.failed.failure };
    const lease = this.deps.ids.next();
    this.kept.set(nameOf(key), { ...kept, run: { lease, until: now + leaseMs }, failed: undefined });
    return { state: 'claimed', lease, tokens: stored({ ...kept, failed: undefined }) };
  }

  async renew(key: UserKey, { lease, version }: { lease: string; version: string }, tokens: UserTokens): Promise<boolean> {
    requireIds({ lease, version });
    const kept = this.kept.get(nameOf(key));
    if (kept?.run?.lease !== lease || String(kept.version) !== version) return false;
    this.signOn(key, tokens);
    return true;
  }

  async failRefresh(key: UserKey, lease: string, failure: SharedTaskFailure): Promise<void> {
    requireIds({ lease });
    const kept = this.kept.get(nameOf(key));
    if (kept?.run?.lease === lease) this.kept.set(nameOf(key), { ...kept, run: undefined, failed: { lease, failure } });
  }
}

const stored = ({ tokens, version, failed }: KeptTokens): StoredTokens => ({
  accessToken: tokens.accessToken,
  refreshToken: tokens.refreshToken,
  version: String(version),
  failedRun: failed?.lease,
});

const nameOf = ({ clientId, reference }: UserKey): string => {
  requireIds({ clientId, reference });
  return JSON.stringify([clientId, reference]);
};

import { type Account, type AccountRole, accountRules } from '../../../../domain/accounts/account';
import type { KeptSession, Session, SessionRepository } from '../../../../domain/accounts/ports';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryAccountRecords } from './memory-account-records';

/** Sessions in memory. */
export class MemorySessionRepository implements SessionRepository {
  constructor(private readonly records: MemoryAccountRecords) {}

  async begin(session: KeptSession, { usedLink }: { usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean> {
    const { accountId: id, createdAt, digest } = session;
    requireIds({ digest, id: session.id, accountId: id });
    const account = this.records.accounts.get(id);
    if (account?.isDisabled !== false || !this.records.takeLink({ id, usedLink, at: createdAt })) return false;
    this.records.accounts.set(id, { ...account, signedInAt: createdAt });
    this.records.sessions.set(digest, { ...session, seenAt: createdAt });
    this.records.audit.push(audit);
    return true;
  }

  async find(digest: string, now: number): Promise<{ session: Session; account: Account } | undefined> {
    requireIds({ digest });
    const kept = this.records.sessions.get(digest);
    const account = kept && this.records.accounts.get(kept.accountId);
    return kept && account && goesOn(kept, account, now) ? { session: shown(kept), account } : undefined;
  }

  async living(digests: readonly string[], now: number): Promise<ReadonlySet<string>> {
    const found = await Promise.all(digests.map(async (digest) => ((await this.find(digest, now)) ? [digest] : [])));
    return new Set(found.flat());
  }

  async note(digest: string, now: number): Promise<void> {
    const kept = this.records.sessions.get(digest);
    if (kept) this.records.sessions.set(digest, { ...kept, seenAt: Math.max(kept.seenAt, now) });
  }

  async list(accountId: string, now: number): Promise<readonly Session[]> {
    requireIds({ accountId });
    const account = this.records.accounts.get(accountId);
    const own = [...this.records.sessions.values()].filter((kept) => kept.accountId === accountId && account && goesOn(kept, account, now));
    return own.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)).map(shown);
  }

  async end(accountId: string, id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ accountId, id });
    const kept = [...this.records.sessions.values()].find((one) => one.accountId === accountId && one.id === id);
    if (!kept) return false;
    this.records.sessions.delete(kept.digest);
    this.records.audit.push(audit);
    return true;
  }

  async viewAs(digest: string, viewAs: AccountRole | undefined, audit: AuditEntry): Promise<void> {
    requireIds({ digest });
    const kept = this.records.sessions.get(digest);
    if (!kept) return;
    this.records.sessions.set(digest, { ...kept, viewAs });
    this.records.audit.push(audit);
  }
}

const goesOn = ({ expiresAt, seenAt }: Session, { isDisabled }: Account, now: number): boolean =>
  expiresAt > now && seenAt > now - accountRules.idleMs && !isDisabled;

const shown = ({ digest: _digest, viewAs, ...session }: Session & Pick<KeptSession, 'digest'>): Session => ({
  ...session,
  ...(viewAs && { viewAs }),
});

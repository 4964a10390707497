import type { Account } from '../../../../domain/accounts/account';
import type { KeptLink, KeptSession, Session } from '../../../../domain/accounts/ports';
import type { AuditEntry } from '../../../../domain/partners/ports';

/** The records that the account and session repositories share. */
export class MemoryAccountRecords {
  readonly accounts = new Map<string, Account>();
  readonly passwords = new Map<string, string>();
  readonly links = new Map<string, KeptLink>();
  /** Keyed by digest. */
  readonly sessions = new Map<string, Session & Pick<KeptSession, 'digest'>>();
  /** Audit entries, oldest first. */
  readonly audit: AuditEntry[] = [];

  endAll(accountId: string): void {
    for (const kept of [this.links, this.sessions]) {
      for (const [digest, one] of kept) if (one.accountId === accountId) kept.delete(digest);
    }
  }

  /** Consumes the link, if one is given. False: the link is used or has expired. */
  takeLink({ id, usedLink, at }: { readonly id: string; readonly usedLink?: string | undefined; readonly at: number }): boolean {
    if (usedLink === undefined) return true;
    const link = this.links.get(usedLink);
    return link?.accountId === id && link.expiresAt > at && this.links.delete(usedLink);
  }
}

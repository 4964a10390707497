import type { Account, LinkPurpose } from '../../../domain/accounts/account';
import { AccountExists } from '../../../domain/accounts/account-errors';
import type { AccountBook, AccountChange, KeptLink, NewAccount } from '../../../domain/accounts/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import { UnknownPartner } from '../../../domain/partners/registry-errors';
import { requireIds } from '../../../domain/shared/required-id';
import type { MemoryAccountShelf } from './memory-account-shelf';
import type { MemoryRegistry } from './memory-registry';

/** Accounts in memory. */
export class MemoryAccountBook implements AccountBook {
  constructor(
    private readonly deps: { readonly shelf: MemoryAccountShelf; readonly registry: Pick<MemoryRegistry, 'hostApps' | 'miniapps'> },
  ) {}

  async create(account: NewAccount, audit: AuditEntry): Promise<Account> {
    const { shelf, registry } = this.deps;
    requireIds({ id: account.id, email: account.email });
    if (await this.findByEmail(account.email)) throw new AccountExists();
    if (account.role === 'host-app' && !registry.hostApps.has(account.clientId)) throw new UnknownPartner('host-app');
    if (account.role === 'miniapp' && !registry.miniapps.has(account.appId)) throw new UnknownPartner('miniapp');
    const created: Account = { ...account, hasPassword: false, isDisabled: false };
    shelf.accounts.set(account.id, created);
    shelf.audit.push(audit);
    return created;
  }

  async find(id: string): Promise<Account | undefined> {
    requireIds({ id });
    return this.deps.shelf.accounts.get(id);
  }

  async findByEmail(email: string): Promise<{ account: Account; password?: string | undefined } | undefined> {
    requireIds({ email });
    const { accounts, passwords } = this.deps.shelf;
    const account = [...accounts.values()].find((one) => one.email === email);
    return account && { account, password: passwords.get(account.id) };
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly Account[]> {
    const all = [...this.deps.shelf.accounts.values()].filter(({ id }) => id > after);
    return all.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async update(
    id: string,
    change: (account: Account) => { readonly change: AccountChange; readonly audit: AuditEntry } | undefined,
  ): Promise<Account | undefined> {
    const { shelf } = this.deps;
    const account = await this.find(id);
    const changed = account && change(account);
    if (!changed) return account;
    const { name = account.name, isDisabled = account.isDisabled } = changed.change;
    const updated = { ...account, name, isDisabled };
    shelf.accounts.set(id, updated);
    if (isDisabled) shelf.endAll(id);
    shelf.audit.push(changed.audit);
    return updated;
  }

  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    const { shelf } = this.deps;
    if (!shelf.accounts.delete(id)) return false;
    shelf.passwords.delete(id);
    shelf.endAll(id);
    shelf.audit.push(audit);
    return true;
  }

  async addLink(link: KeptLink, audit: AuditEntry): Promise<void> {
    requireIds({ digest: link.digest, accountId: link.accountId });
    const { links, audit: entries } = this.deps.shelf;
    for (const [digest, { accountId, purpose }] of links) {
      if (accountId === link.accountId && purpose === link.purpose) links.delete(digest);
    }
    links.set(link.digest, link);
    entries.push(audit);
  }

  async findLink(digest: string, now: number): Promise<{ account: Account; purpose: LinkPurpose } | undefined> {
    requireIds({ digest });
    const link = this.deps.shelf.links.get(digest);
    const account = link && this.deps.shelf.accounts.get(link.accountId);
    return link && account && link.expiresAt > now && !account.isDisabled ? { account, purpose: link.purpose } : undefined;
  }

  async setPassword(id: string, by: { password: string; usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    const { shelf } = this.deps;
    const account = shelf.accounts.get(id);
    if (account?.isDisabled !== false || !shelf.takeLink({ id, usedLink: by.usedLink, at: audit.at })) return false;
    shelf.passwords.set(id, by.password);
    shelf.accounts.set(id, { ...account, hasPassword: true });
    shelf.endAll(id);
    shelf.audit.push(audit);
    return true;
  }
}

import type { Account, LinkPurpose } from '../../../../domain/accounts/account';
import { AccountExists } from '../../../../domain/accounts/account-errors';
import type { AccountRepository, AccountChange, KeptLink, NewAccount } from '../../../../domain/accounts/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { UnknownPartner } from '../../../../domain/partners/registry-errors';
import { requireIds } from '../../../../domain/shared/required-id';
import type { MemoryAccountRecords } from './memory-account-records';
import type { MemoryRegistry } from '../partners/memory-registry';

/** Accounts in memory. */
export class MemoryAccountRepository implements AccountRepository {
  constructor(
    private readonly deps: { readonly records: MemoryAccountRecords; readonly registry: Pick<MemoryRegistry, 'hostApps' | 'miniapps'> },
  ) {}

  async create(account: NewAccount, audit: AuditEntry): Promise<Account> {
    const { records, registry } = this.deps;
    requireIds({ id: account.id, email: account.email });
    if (await this.findByEmail(account.email)) throw new AccountExists();
    if (account.role === 'host-app' && !registry.hostApps.has(account.clientId)) throw new UnknownPartner('host-app');
    if (account.role === 'miniapp' && !registry.miniapps.has(account.appId)) throw new UnknownPartner('miniapp');
    const created: Account = { ...account, hasPassword: false, isDisabled: false };
    records.accounts.set(account.id, created);
    records.audit.push(audit);
    return created;
  }

  async find(id: string): Promise<Account | undefined> {
    requireIds({ id });
    return this.deps.records.accounts.get(id);
  }

  async findByEmail(email: string): Promise<{ account: Account; password?: string | undefined } | undefined> {
    requireIds({ email });
    const { accounts, passwords } = this.deps.records;
    const account = [...accounts.values()].find((one) => one.email === email);
    return account && { account, password: passwords.get(account.id) };
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly Account[]> {
    const all = [...this.deps.records.accounts.values()].filter(({ id }) => id > after);
    return all.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async update(
    id: string,
    change: (account: Account) => { readonly change: AccountChange; readonly audit: AuditEntry } | undefined,
  ): Promise<Account | undefined> {
    const { records } = this.deps;
    const account = await this.find(id);
    const changed = account && change(account);
    if (!changed) return account;
    const { name = account.name, isDisabled = account.isDisabled } = changed.change;
    const updated = { ...account, name, isDisabled };
    records.accounts.set(id, updated);
    if (isDisabled) records.endAll(id);
    records.audit.push(changed.audit);
    return updated;
  }

  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    const { records } = this.deps;
    if (!records.accounts.delete(id)) return false;
    records.passwords.delete(id);
    records.endAll(id);
    records.audit.push(audit);
    return true;
  }

  async addLink(link: KeptLink, audit: AuditEntry): Promise<void> {
    requireIds({ digest: link.digest, accountId: link.accountId });
    const { links, audit: entries } = this.deps.records;
    for (const [digest, { accountId, purpose }] of links) {
      if (accountId === link.accountId && purpose === link.purpose) links.delete(digest);
    }
    links.set(link.digest, link);
    entries.push(audit);
  }

  async findLink(digest: string, now: number): Promise<{ account: Account; purpose: LinkPurpose } | undefined> {
    requireIds({ digest });
    const link = this.deps.records.links.get(digest);
    const account = link && this.deps.records.accounts.get(link.accountId);
    return link && account && link.expiresAt > now && !account.isDisabled ? { account, purpose: link.purpose } : undefined;
  }

  async setPassword(id: string, by: { password: string; usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    const { records } = this.deps;
    const account = records.accounts.get(id);
    if (account?.isDisabled !== false || !records.takeLink({ id, usedLink: by.usedLink, at: audit.at })) return false;
    records.passwords.set(id, by.password);
    records.accounts.set(id, { ...account, hasPassword: true });
    records.endAll(id);
    records.audit.push(audit);
    return true;
  }
}

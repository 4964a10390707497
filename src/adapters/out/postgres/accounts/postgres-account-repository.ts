import { MoreThan, type DataSource, type EntityManager } from 'typeorm';
import type { Account, LinkPurpose } from '../../../../domain/accounts/account';
import { AccountExists } from '../../../../domain/accounts/account-errors';
import type { AccountRepository, AccountChange, KeptLink, NewAccount } from '../../../../domain/accounts/ports';
import type { AuditEntry, PageRequest } from '../../../../domain/partners/ports';
import { UnknownPartner } from '../../../../domain/partners/registry-errors';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { isForeignKeyViolation, isUniqueViolation } from '../connection/postgres-errors';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { onConnection, transaction } from '../connection/statement';
import {
  accountFrom,
  accountLinkSchema,
  accountSchema,
  accountSessionSchema,
  type AccountLinkRow,
  type AccountRow,
} from './account.schema';

const prune = pruneStatement('account_links', 'expires_at', 'expires_at < now()');

/** Accounts and their one-time links in Postgres. Each change is one transaction with its audit row. */
export class PostgresAccountRepository implements AccountRepository {
  constructor(private readonly db: DataSource) {}

  async create(account: NewAccount, audit: AuditEntry): Promise<Account> {
    const { id, email, name, role, createdAt } = account;
    requireIds({ id, email });
    const clientId = account.role === 'host-app' ? account.clientId : null;
    const appId = account.role === 'miniapp' ? account.appId : null;
    const row = { id, email, name, role, client_id: clientId, app_id: appId, created_at: new Date(createdAt) };
    try {
      await transaction(this.db, async (manager) => {
        await manager.insert(accountSchema, row);
        await appendAudit(manager, audit);
      });
    } catch (error) {
      if (isUniqueViolation(error, 'accounts_email')) throw new AccountExists();
      if (isForeignKeyViolation(error)) throw new UnknownPartner(clientId === null ? 'miniapp' : 'host-app');
      throw error;
    }
    return { ...account, hasPassword: false, isDisabled: false };
  }

  async find(id: string): Promise<Account | undefined> {
    requireIds({ id });
    const row = await onConnection(this.db, (manager) => manager.findOneBy(accountSchema, { id }));
    return row ? accountFrom(row) : undefined;
  }

  async findByEmail(email: string): Promise<{ account: Account; password?: string | undefined } | undefined> {
    requireIds({ email });
    const row = await onConnection(this.db, (manager) =>
      manager.createQueryBuilder(accountSchema, 'account').addSelect('account.password').where({ email }).getOne(),
    );
    return row ? { account: accountFrom(row), password: row.password ?? undefined } : undefined;
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly Account[]> {
    const rows = await onConnection(this.db, (manager) =>
      manager.find(accountSchema, { where: { id: MoreThan(after) }, order: { id: 'ASC' }, take: limit }),
    );
    return rows.map(accountFrom);
  }

  async update(
    id: string,
    change: (account: Account) => { readonly change: AccountChange; readonly audit: AuditEntry } | undefined,
  ): Promise<Account | undefined> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const row = await lock(manager, id);
      if (!row) return undefined;
      const account = accountFrom(row);
      const changed = change(account);
      if (!changed) return account;
      const { name = account.name, isDisabled = account.isDisabled } = changed.change;
      await manager.update(accountSchema, { id }, { name, disabled: isDisabled });
      if (isDisabled) await endAll(manager, id);
      await appendAudit(manager, changed.audit);
      return { ...account, name, isDisabled };
    });
  }

  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const { affected } = await manager.delete(accountSchema, { id });
      if (!affected) return false;
      await appendAudit(manager, audit);
      return true;
    });
  }

  async addLink({ digest, accountId, purpose, expiresAt }: KeptLink, audit: AuditEntry): Promise<void> {
    requireIds({ digest, accountId });
    await transaction(this.db, async (manager) => {
      // The lock serialises this: an account must not keep two links for one purpose.
      await lock(manager, accountId);
      await manager.delete(accountLinkSchema, { account_id: accountId, purpose });
      await manager.insert(accountLinkSchema, { digest, account_id: accountId, purpose, expires_at: new Date(expiresAt) });
      await appendAudit(manager, audit);
    });
  }

  async findLink(digest: string, now: number): Promise<{ account: Account; purpose: LinkPurpose } | undefined> {
    requireIds({ digest });
    const row = await onConnection(this.db, (manager) =>
      manager
        .createQueryBuilder(accountLinkSchema, 'link')
        .innerJoinAndMapOne('link.account', accountSchema.options.name, 'account', 'account.id = link.account_id')
        .where('link.digest = :digest and link.expires_at > :now and not account.disabled', { digest, now: new Date(now) })
        .getOne(),
    );
    const link = row as (AccountLinkRow & { readonly account: AccountRow }) | null;
    return link ? { account: accountFrom(link.account), purpose: link.purpose } : undefined;
  }

  async setPassword(id: string, by: { password: string; usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const account = await lock(manager, id);
      if (account?.disabled !== false || !(await takeLink(manager, { id, usedLink: by.usedLink, at: audit.at }))) return false;
      await manager.update(accountSchema, { id }, { password: by.password });
      await endAll(manager, id);
      await appendAudit(manager, audit);
      return true;
    });
  }

  /** Removes expired links; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.db, prune);
  }
}

/** Locks the account row until the end of the transaction. */
const lock = (manager: EntityManager, id: string): Promise<AccountRow | null> =>
  manager.findOne(accountSchema, { where: { id }, lock: { mode: 'pessimistic_write' } });

/** Ends the sessions and links of an account. */
async function endAll(manager: EntityManager, id: string): Promise<void> {
  await manager.delete(accountSessionSchema, { account_id: id });
  await manager.delete(accountLinkSchema, { account_id: id });
}

/** Consumes the link, if one is given. False: the link is used or has expired. */
export async function takeLink(
  manager: EntityManager,
  { id, usedLink, at }: { readonly id: string; readonly usedLink?: string | undefined; readonly at: number },
): Promise<boolean> {
  if (usedLink === undefined) return true;
  const { affected } = await manager.delete(accountLinkSchema, { digest: usedLink, account_id: id, expires_at: MoreThan(new Date(at)) });
  return affected === 1;
}

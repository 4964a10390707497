import type { DataSource, EntityManager } from 'typeorm';
import type { Account, LinkPurpose } from '../../../domain/accounts/account';
import { AccountExists } from '../../../domain/accounts/account-errors';
import type { AccountBook, AccountChange, KeptLink, NewAccount } from '../../../domain/accounts/ports';
import type { AuditEntry, PageRequest } from '../../../domain/partners/ports';
import { UnknownPartner } from '../../../domain/partners/registry-errors';
import { requireIds } from '../../../domain/shared/required-id';
import { accountColumns, accountFrom, type ShownAccountRow } from './account.schema';
import { appendAudit } from './audit-statement';
import { isForeignKeyViolation, isUniqueViolation } from './postgres-errors';
import { pruneExpired, pruneStatement } from './prune-expired';
import { run, runIn, transaction, type Statement } from './statement';

const insert: Statement = {
  name: 'accounts.insert',
  text: 'insert into accounts (id, email, name, role, client_id, app_id, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
};
const find: Statement = { name: 'accounts.find', text: `select ${accountColumns} from accounts a where a.id = $1` };
const lock: Statement = { name: 'accounts.lock', text: `select ${accountColumns} from accounts a where a.id = $1 for update` };
const findByEmail: Statement = {
  name: 'accounts.find-by-email',
  text: `select ${accountColumns}, a.password from accounts a where a.email = $1`,
};
const list: Statement = { name: 'accounts.list', text: `select ${accountColumns} from accounts a where a.id > $1 order by a.id limit $2` };
const update: Statement = { name: 'accounts.update', text: 'update accounts set name = $2, disabled = $3 where id = $1' };
const remove: Statement = { name: 'accounts.remove', text: 'delete from accounts where id = $1 returning id' };
const setPassword: Statement = { name: 'accounts.set-password', text: 'update accounts set password = $2 where id = $1 and not disabled' };
const endSessions: Statement = { name: 'accounts.end-sessions', text: 'delete from account_sessions where account_id = $1' };
const endLinks: Statement = { name: 'accounts.end-links', text: 'delete from account_links where account_id = $1' };
const replaceLinks: Statement = {
  name: 'accounts.replace-links',
  text: 'delete from account_links where account_id = $1 and purpose = $2',
};
const insertLink: Statement = {
  name: 'accounts.insert-link',
  text: 'insert into account_links (digest, account_id, purpose, expires_at) values ($1, $2, $3, $4)',
};
const findLink: Statement = {
  name: 'accounts.find-link',
  text: `
    select ${accountColumns}, l.purpose from account_links l join accounts a on a.id = l.account_id
    where l.digest = $1 and l.expires_at > $2 and not a.disabled`,
};
const useLink: Statement = {
  name: 'accounts.use-link',
  text: 'delete from account_links where digest = $1 and account_id = $2 and expires_at > $3 returning digest',
};
const prune = pruneStatement('account_links', 'expires_at', 'expires_at < now()');

/** Accounts in Postgres. */
export class PostgresAccountBook implements AccountBook {
  constructor(private readonly db: DataSource) {}

  async create(account: NewAccount, audit: AuditEntry): Promise<Account> {
    const { id, email, name, role, createdAt } = account;
    requireIds({ id, email });
    const clientId = account.role === 'host-app' ? account.clientId : null;
    const appId = account.role === 'miniapp' ? account.appId : null;
    try {
      await transaction(this.db, async (manager) => {
        await runIn(manager, insert, [id, email, name, role, clientId, appId, new Date(createdAt)]);
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
    const [row] = await run<ShownAccountRow>(this.db, find, [id]);
    return row && accountFrom(row);
  }

  async findByEmail(email: string): Promise<{ account: Account; password?: string | undefined } | undefined> {
    requireIds({ email });
    const [row] = await run<ShownAccountRow & { password: string | null }>(this.db, findByEmail, [email]);
    return row && { account: accountFrom(row), password: row.password ?? undefined };
  }

  async list({ limit, after = '' }: PageRequest): Promise<readonly Account[]> {
    return (await run<ShownAccountRow>(this.db, list, [after, limit])).map(accountFrom);
  }

  async update(
    id: string,
    change: (account: Account) => { readonly change: AccountChange; readonly audit: AuditEntry } | undefined,
  ): Promise<Account | undefined> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const [row] = await runIn<ShownAccountRow>(manager, lock, [id]);
      if (!row) return undefined;
      const account = accountFrom(row);
      const changed = change(account);
      if (!changed) return account;
      const { name = account.name, isDisabled = account.isDisabled } = changed.change;
      await runIn(manager, update, [id, name, isDisabled]);
      if (isDisabled) await endAll(manager, id);
      await appendAudit(manager, changed.audit);
      return { ...account, name, isDisabled };
    });
  }

  async remove(id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const removed = await runIn(manager, remove, [id]);
      if (removed.length > 0) await appendAudit(manager, audit);
      return removed.length > 0;
    });
  }

  async addLink({ digest, accountId, purpose, expiresAt }: KeptLink, audit: AuditEntry): Promise<void> {
    requireIds({ digest, accountId });
    await transaction(this.db, async (manager) => {
      // One at a time: two links of a purpose must not both stay.
      await runIn(manager, lock, [accountId]);
      await runIn(manager, replaceLinks, [accountId, purpose]);
      await runIn(manager, insertLink, [digest, accountId, purpose, new Date(expiresAt)]);
      await appendAudit(manager, audit);
    });
  }

  async findLink(digest: string, now: number): Promise<{ account: Account; purpose: LinkPurpose } | undefined> {
    requireIds({ digest });
    const [row] = await run<ShownAccountRow & { purpose: LinkPurpose }>(this.db, findLink, [digest, new Date(now)]);
    return row && { account: accountFrom(row), purpose: row.purpose };
  }

  async setPassword(id: string, by: { password: string; usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean> {
    requireIds({ id });
    return transaction(this.db, async (manager) => {
      const [account] = await runIn<ShownAccountRow>(manager, lock, [id]);
      if (account?.disabled !== false || !(await takeLink(manager, { id, usedLink: by.usedLink, at: audit.at }))) return false;
      await runIn(manager, setPassword, [id, by.password]);
      await endAll(manager, id);
      await appendAudit(manager, audit);
      return true;
    });
  }

  /** Removes the links that work no more; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.db, prune);
  }
}

async function endAll(manager: EntityManager, id: string): Promise<void> {
  await runIn(manager, endSessions, [id]);
  await runIn(manager, endLinks, [id]);
}

/** Uses the link up where one is asked for. False: it works no more. */
export async function takeLink(
  manager: EntityManager,
  { id, usedLink, at }: { readonly id: string; readonly usedLink?: string | undefined; readonly at: number },
): Promise<boolean> {
  return usedLink === undefined || (await runIn(manager, useLink, [usedLink, id, new Date(at)])).length > 0;
}

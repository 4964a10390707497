import type { DataSource } from 'typeorm';
import { type Account, type AccountRole, accountRules } from '../../../domain/accounts/account';
import type { KeptSession, Session, SessionBook } from '../../../domain/accounts/ports';
import type { AuditEntry } from '../../../domain/partners/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { accountColumns, accountFrom, type AccountSessionRow, sessionFrom, type ShownAccountRow } from './account.schema';
import { appendAudit } from './audit-statement';
import { takeLink } from './postgres-account-book';
import { pruneExpired, pruneStatement } from './prune-expired';
import { run, runIn, transaction, type Statement } from './statement';

const columns = 's.id, s.account_id, s.created_at, s.seen_at, s.expires_at, s.address, s.agent, s.view_role, s.view_id';
/** $2 is now, $3 when an unused session must have been seen. */
const goesOn = 's.expires_at > $2 and s.seen_at > $3 and not a.disabled';

const signedIn: Statement = {
  name: 'sessions.signed-in',
  text: 'update accounts set signed_in_at = $2 where id = $1 and not disabled returning id',
};
const insert: Statement = {
  name: 'sessions.insert',
  text: `
    insert into account_sessions (digest, id, account_id, created_at, seen_at, expires_at, address, agent)
    values ($1, $2, $3, $4, $4, $5, $6, $7)`,
};
const find: Statement = {
  name: 'sessions.find',
  text: `
    select ${columns}, ${accountColumns} from account_sessions s join accounts a on a.id = s.account_id where s.digest = $1 and ${goesOn}`,
};
const living: Statement = {
  name: 'sessions.living',
  text: `select s.digest from account_sessions s join accounts a on a.id = s.account_id where s.digest = any($1::text[]) and ${goesOn}`,
};
const list: Statement = {
  name: 'sessions.list',
  text: `
    select ${columns} from account_sessions s join accounts a on a.id = s.account_id
    where s.account_id = $1 and ${goesOn} order by s.created_at desc, s.id limit 200`,
};
const note: Statement = { name: 'sessions.note', text: 'update account_sessions set seen_at = greatest(seen_at, $2) where digest = $1' };
const end: Statement = { name: 'sessions.end', text: 'delete from account_sessions where account_id = $1 and id = $2 returning id' };
const look: Statement = {
  name: 'sessions.look',
  text: 'update account_sessions set view_role = $2, view_id = $3 where digest = $1 returning id',
};
const prune = pruneStatement('account_sessions', 'expires_at', 'expires_at < now()');

type Row = Omit<AccountSessionRow, 'digest'>;

/** Sessions in Postgres: every instance knows them. */
export class PostgresSessionBook implements SessionBook {
  constructor(private readonly db: DataSource) {}

  async begin(session: KeptSession, { usedLink }: { usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean> {
    const { digest, id, accountId, createdAt, expiresAt, address, agent } = session;
    requireIds({ digest, id, accountId });
    return transaction(this.db, async (manager) => {
      const [account] = await runIn(manager, signedIn, [accountId, new Date(createdAt)]);
      if (!account || !(await takeLink(manager, { id: accountId, usedLink, at: createdAt }))) {
        throw new NotBegun();
      }
      await runIn(manager, insert, [digest, id, accountId, new Date(createdAt), new Date(expiresAt), address, agent]);
      await appendAudit(manager, audit);
      return true;
    }).catch((error: unknown) => {
      if (error instanceof NotBegun) return false;
      throw error;
    });
  }

  async find(digest: string, now: number): Promise<{ session: Session; account: Account } | undefined> {
    requireIds({ digest });
    const [row] = await run<Row & ShownAccountRow>(this.db, find, [digest, ...timesAt(now)]);
    return row && { session: sessionFrom(row), account: accountFrom(row) };
  }

  async living(digests: readonly string[], now: number): Promise<ReadonlySet<string>> {
    const rows = digests.length === 0 ? [] : await run<{ digest: string }>(this.db, living, [digests, ...timesAt(now)]);
    return new Set(rows.map(({ digest }) => digest));
  }

  async note(digest: string, now: number): Promise<void> {
    await run(this.db, note, [digest, new Date(now)]);
  }

  async list(accountId: string, now: number): Promise<readonly Session[]> {
    requireIds({ accountId });
    return (await run<Row>(this.db, list, [accountId, ...timesAt(now)])).map(sessionFrom);
  }

  async end(accountId: string, id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ accountId, id });
    return transaction(this.db, async (manager) => {
      const ended = await runIn(manager, end, [accountId, id]);
      if (ended.length > 0) await appendAudit(manager, audit);
      return ended.length > 0;
    });
  }

  async look(digest: string, viewAs: AccountRole | undefined, audit: AuditEntry): Promise<void> {
    requireIds({ digest });
    await transaction(this.db, async (manager) => {
      const changed = await runIn(manager, look, [digest, viewAs?.role ?? null, idOf(viewAs)]);
      if (changed.length > 0) await appendAudit(manager, audit);
    });
  }

  /** Removes the sessions that have expired; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.db, prune);
  }
}

/** Ends a transaction in which nothing may stay. */
class NotBegun extends Error {}

const timesAt = (now: number): readonly Date[] => [new Date(now), new Date(now - accountRules.idleMs)];

function idOf(viewAs: AccountRole | undefined): string | null {
  if (viewAs?.role === 'host-app') return viewAs.clientId;
  return viewAs?.role === 'miniapp' ? viewAs.appId : null;
}

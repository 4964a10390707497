import { LessThan, type DataSource, type EntityManager, type SelectQueryBuilder } from 'typeorm';
import { type Account, type AccountRole, accountRules } from '../../../../domain/accounts/account';
import type { KeptSession, Session, SessionRepository } from '../../../../domain/accounts/ports';
import type { AuditEntry } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { appendAudit } from '../audit/audit-statement';
import { pruneExpired, pruneStatement } from '../connection/prune-expired';
import { onConnection, transaction } from '../connection/statement';
import { accountFrom, accountSchema, accountSessionSchema, sessionFrom, type AccountRow, type AccountSessionRow } from './account.schema';
import { takeLink } from './postgres-account-repository';

const prune = pruneStatement('account_sessions', 'expires_at', 'expires_at < now()');

/** The maximum number of sessions listed for one account. */
const maxListed = 200;

/** Sessions in Postgres, shared by all instances. Each change except `note` is one transaction with its audit row. */
export class PostgresSessionRepository implements SessionRepository {
  constructor(private readonly db: DataSource) {}

  async begin(session: KeptSession, { usedLink }: { usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean> {
    const { digest, id, accountId, createdAt, expiresAt, address, agent } = session;
    requireIds({ digest, id, accountId });
    const at = new Date(createdAt);
    return transaction(this.db, async (manager) => {
      const { affected } = await manager.update(accountSchema, { id: accountId, disabled: false }, { signed_in_at: at });
      if (!affected || !(await takeLink(manager, { id: accountId, usedLink, at: createdAt }))) throw new NotBegun();
      const times = { created_at: at, seen_at: at, expires_at: new Date(expiresAt) };
      await manager.insert(accountSessionSchema, { digest, id, account_id: accountId, ...times, address, agent });
      await appendAudit(manager, audit);
      return true;
    }).catch((error: unknown) => {
      if (error instanceof NotBegun) return false;
      throw error;
    });
  }

  async find(digest: string, now: number): Promise<{ session: Session; account: Account } | undefined> {
    requireIds({ digest });
    const row = await onConnection(this.db, (manager) =>
      livingSessions(manager, now).andWhere('session.digest = :digest', { digest }).getOne(),
    );
    const session = row as (AccountSessionRow & { readonly account: AccountRow }) | null;
    return session ? { session: sessionFrom(session), account: accountFrom(session.account) } : undefined;
  }

  async living(digests: readonly string[], now: number): Promise<ReadonlySet<string>> {
    if (digests.length === 0) return new Set();
    const rows = await onConnection(this.db, (manager) =>
      livingSessions(manager, now).select('session.digest').andWhere('session.digest = any(:digests)', { digests }).getMany(),
    );
    return new Set(rows.map(({ digest }) => digest));
  }

  async note(digest: string, now: number): Promise<void> {
    const at = new Date(now);
    await onConnection(this.db, (manager) => manager.update(accountSessionSchema, { digest, seen_at: LessThan(at) }, { seen_at: at }));
  }

  async list(accountId: string, now: number): Promise<readonly Session[]> {
    requireIds({ accountId });
    const rows = await onConnection(this.db, (manager) =>
      livingSessions(manager, now)
        .select('session')
        .andWhere('session.account_id = :accountId', { accountId })
        .orderBy({ 'session.created_at': 'DESC', 'session.id': 'ASC' })
        .limit(maxListed)
        .getMany(),
    );
    return rows.map(sessionFrom);
  }

  async end(accountId: string, id: string, audit: AuditEntry): Promise<boolean> {
    requireIds({ accountId, id });
    return transaction(this.db, async (manager) => {
      const { affected } = await manager.delete(accountSessionSchema, { account_id: accountId, id });
      if (!affected) return false;
      await appendAudit(manager, audit);
      return true;
    });
  }

  async viewAs(digest: string, viewAs: AccountRole | undefined, audit: AuditEntry): Promise<void> {
    requireIds({ digest });
    await transaction(this.db, async (manager) => {
      const view = { view_role: viewAs?.role ?? null, view_id: idOf(viewAs) };
      const { affected } = await manager.update(accountSessionSchema, { digest }, view);
      if (affected) await appendAudit(manager, audit);
    });
  }

  /** Removes expired sessions; resolves to their number. */
  prune(): Promise<number> {
    return pruneExpired(this.db, prune);
  }
}

/** Thrown to roll the transaction back. */
class NotBegun extends Error {}

/** Sessions that are valid at `now`, each with its account: not expired, used recently, and of an account that is not disabled. */
const livingSessions = (manager: EntityManager, now: number): SelectQueryBuilder<AccountSessionRow> =>
  manager
    .createQueryBuilder(accountSessionSchema, 'session')
    .innerJoinAndMapOne('session.account', accountSchema.options.name, 'account', 'account.id = session.account_id')
    .where('session.expires_at > :now and session.seen_at > :idleSince and not account.disabled', {
      now: new Date(now),
      idleSince: new Date(now - accountRules.idleMs),
    });

function idOf(viewAs: AccountRole | undefined): string | null {
  if (viewAs?.role === 'host-app') return viewAs.clientId;
  return viewAs?.role === 'miniapp' ? viewAs.appId : null;
}

import type { HostAppRepository, MiniappRepository } from '../partners/ports';
import { UnknownPartner } from '../partners/registry-errors';
import type { Clock } from '../shared/ports';
import { type Account, type AccountRole, accountRules, roleOf, viewerOfAccount } from './account';
import { UnknownAccount } from './account-errors';
import type { AccountTokenGenerator, Session, SessionRepository } from './ports';
import { actorOf, type Viewer } from './viewer';

/** An authenticated session with its account. */
export interface KnownSession {
  readonly session: Session;
  readonly account: Account;
  readonly viewer: Viewer;
  /** The CSRF token that unsafe requests must carry. */
  readonly csrf: string;
  /** Identifies the session for `living`. */
  readonly digest: string;
}

interface Deps {
  readonly sessions: SessionRepository;
  readonly tokens: AccountTokenGenerator;
  readonly clock: Clock;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
}

/** Reads and ends sessions. */
export class UseSession {
  constructor(private readonly deps: Deps) {}

  /**
   * Finds the session of a token; resolves to `undefined` where there is none, or it has ended. With `isUse: false`, as for a page that
   * refreshes by itself, the call does not count as use, so that an unattended session still ends.
   */
  async find(token: string, { isUse = true } = {}): Promise<KnownSession | undefined> {
    const { sessions, tokens, clock } = this.deps;
    const [digest, now] = [tokens.digestOf(token), clock.now()];
    const found = await sessions.find(digest, now);
    if (!found) return undefined;
    if (isUse && now - found.session.seenAt >= accountRules.noteEveryMs) await sessions.note(digest, now);
    return { ...found, viewer: viewerOfAccount(found.account, found.session.viewAs), csrf: tokens.csrfOf(token), digest };
  }

  /** The digests of sessions that have not ended. Does not count as use. */
  living(digests: readonly string[]): Promise<ReadonlySet<string>> {
    return this.deps.sessions.living(digests, this.deps.clock.now());
  }

  list({ account }: KnownSession): Promise<readonly Session[]> {
    return this.deps.sessions.list(account.id, this.deps.clock.now());
  }

  /** Ends a session of the same account. Throws UnknownAccount. */
  async end({ account }: KnownSession, id: string, requestId: string): Promise<void> {
    const audit = { ...this.entry(account, 'session.ended', requestId), after: { session: id } };
    if (!(await this.deps.sessions.end(account.id, id, audit))) throw new UnknownAccount();
  }

  /** Lets the operator view as a partner, or as itself again. Throws UnknownPartner. */
  async viewAs(token: string, { account, session }: KnownSession, viewAs: AccountRole | undefined, requestId: string): Promise<void> {
    const { sessions, tokens, hostApps, miniapps } = this.deps;
    if (viewAs?.role === 'host-app' && !(await hostApps.find(viewAs.clientId))) throw new UnknownPartner('host-app');
    if (viewAs?.role === 'miniapp' && !(await miniapps.find(viewAs.appId))) throw new UnknownPartner('miniapp');
    const change = {
      ...(session.viewAs && { before: { view_as: roleOf(session.viewAs) } }),
      ...(viewAs && { after: { view_as: roleOf(viewAs) } }),
    };
    await sessions.viewAs(tokens.digestOf(token), viewAs, { ...this.entry(account, 'session.viewed-as', requestId), ...change });
  }

  private entry(account: Account, action: string, requestId: string) {
    return { actor: actorOf(viewerOfAccount(account)), action, subject: `account:${account.id}`, requestId, at: this.deps.clock.now() };
  }
}

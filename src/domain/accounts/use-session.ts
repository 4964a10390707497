import type { HostAppRepository, MiniappRepository } from '../partners/ports';
import { UnknownPartner } from '../partners/registry-errors';
import type { Clock } from '../shared/ports';
import { type Account, type AccountRole, accountRules, roleOf, viewerOfAccount } from './account';
import { UnknownAccount } from './account-errors';
import type { AccountTokens, Session, SessionBook } from './ports';
import { actorOf, type Viewer } from './viewer';

/** Who asks by a session, and by which. */
export interface KnownSession {
  readonly session: Session;
  readonly account: Account;
  readonly viewer: Viewer;
  /** What unsafe requests must carry. */
  readonly csrf: string;
  /** By which `living` knows it. */
  readonly digest: string;
}

interface Deps {
  readonly sessions: SessionBook;
  readonly tokens: AccountTokens;
  readonly clock: Clock;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
}

/** Uses and ends running sessions. */
export class UseSession {
  constructor(private readonly deps: Deps) {}

  /**
   * Resolves to `undefined` where the token is no session's, or no more. Who looks without using it, as a page does that
   * nobody touches, keeps no session from ending for want of use.
   */
  async find(token: string, { isUse = true } = {}): Promise<KnownSession | undefined> {
    const { sessions, tokens, clock } = this.deps;
    const [digest, now] = [tokens.digestOf(token), clock.now()];
    const found = await sessions.find(digest, now);
    if (!found) return undefined;
    if (isUse && now - found.session.seenAt >= accountRules.noteEveryMs) await sessions.note(digest, now);
    return { ...found, viewer: viewerOfAccount(found.account, found.session.viewAs), csrf: tokens.csrfOf(token), digest };
  }

  /** Which of these digests belong to sessions that go on. It is no use of them. */
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

  /** The operator looks as a partner, or as itself again. Throws UnknownPartner. */
  async look(token: string, { account, session }: KnownSession, viewAs: AccountRole | undefined, requestId: string): Promise<void> {
    const { sessions, tokens, hostApps, miniapps } = this.deps;
    if (viewAs?.role === 'host-app' && !(await hostApps.find(viewAs.clientId))) throw new UnknownPartner('host-app');
    if (viewAs?.role === 'miniapp' && !(await miniapps.find(viewAs.appId))) throw new UnknownPartner('miniapp');
    const facts = {
      ...(session.viewAs && { before: { view_as: roleOf(session.viewAs) } }),
      ...(viewAs && { after: { view_as: roleOf(viewAs) } }),
    };
    await sessions.look(tokens.digestOf(token), viewAs, { ...this.entry(account, 'session.looked-as', requestId), ...facts });
  }

  private entry(account: Account, action: string, requestId: string) {
    return { actor: actorOf(viewerOfAccount(account)), action, subject: `account:${account.id}`, requestId, at: this.deps.clock.now() };
  }
}

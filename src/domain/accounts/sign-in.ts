import type { RateLimiter } from '../credentials/ports';
import type { AuditEntry } from '../partners/ports';
import { InvalidInput, refusal } from '../shared/errors';
import { limitedAddress } from '../shared/limited-address';
import type { Clock, IdGenerator, Log } from '../shared/ports';
import type { Secret } from '../shared/secret';
import { type Account, accountRules, emailKey, passwordProblem, viewerOfAccount } from './account';
import { SignInRefused } from './account-errors';
import type { AccountRepository, AccountTokenGenerator, PasswordHashProvider, SessionRepository, SignInDelayStore } from './ports';
import { delayRules } from './delay';
import { actorOf } from './viewer';

export interface SignInDeps {
  readonly accounts: AccountRepository;
  readonly sessions: SessionRepository;
  readonly delays: SignInDelayStore;
  readonly hasher: PasswordHashProvider;
  readonly tokens: AccountTokenGenerator;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Log;
}

/** The source of a sign-in, and its request. */
export interface SignInOrigin {
  readonly address: string;
  readonly agent: string;
  readonly requestId: string;
}

/** A new session, with its token for the cookie. */
export interface SignedIn {
  readonly token: Secret;
  readonly account: Account;
}

/** The name of the rate limit on sign-in attempts of any kind, per minute and address. */
export const signInLimit = 'sign-in';

/**
 * Begins sessions. Throws SignInRefused; RATE_LIMITED during a wait; InvalidInput for an invalid new password. An unknown account gets the
 * same answer as a wrong password, after the same time.
 */
export class SignIn {
  constructor(private readonly deps: SignInDeps) {}

  async byPassword({ email, password }: { email: string; password: Secret }, origin: SignInOrigin): Promise<SignedIn> {
    const { accounts } = this.deps;
    await this.count(origin);
    const key = emailKey(email);
    const found = await accounts.findByEmail(key);
    if (!(await this.isRight({ key, origin }, password, found?.password)) || !found || found.account.isDisabled) {
      throw this.refused(origin, found?.account);
    }
    const signedIn = await this.begin(found.account, origin, {});
    await this.forgetAttempts({ key, origin });
    return signedIn;
  }

  /** Signs in by a one-time link; a link that sets a password requires one. */
  async byLink({ token, newPassword }: { token: string; newPassword?: Secret | undefined }, origin: SignInOrigin): Promise<SignedIn> {
    const { accounts, tokens, clock } = this.deps;
    await this.count(origin);
    const digest = tokens.digestOf(token);
    const found = await accounts.findLink(digest, clock.now());
    if (!found) throw this.refused(origin, undefined, unusableLink);
    if (found.purpose === 'sign-in') return this.begin(found.account, origin, { usedLink: digest });
    if (!newPassword) throw new InvalidInput([{ path: 'new_password', rule: 'is required' }]);
    await this.storePassword(found.account, newPassword, { ...origin, usedLink: digest });
    return this.begin(found.account, origin, {});
  }

  /**
   * Changes the password: ends all sessions of the account, including this one, and begins a new one. An account without a password needs
   * no current one.
   */
  async changePassword(
    account: Account,
    { password, newPassword }: { password?: Secret | undefined; newPassword: Secret },
    origin: SignInOrigin,
  ): Promise<SignedIn> {
    await this.count(origin);
    const attempt = { key: account.email, origin };
    if (account.hasPassword) {
      const found = await this.deps.accounts.findByEmail(account.email);
      if (!password || !(await this.isRight(attempt, password, found?.password))) {
        throw new InvalidInput([{ path: 'password', rule: 'is not the present one' }]);
      }
      await this.forgetAttempts(attempt);
    }
    await this.storePassword(account, newPassword, origin);
    return this.begin(account, origin, {});
  }

  private count({ address }: SignInOrigin): Promise<unknown> {
    return this.deps.limiter.count({ limit: signInLimit, subject: address === '' ? 'unknown' : limitedAddress(address) });
  }

  private async isRight(attempt: Attempt, password: Secret, stored: string | undefined): Promise<boolean> {
    const { delays } = this.deps;
    // Attempts from one address delay only that address; the whole account is delayed only after far more.
    const ownWaitMs = await delays.attempt(fromAddress(attempt));
    const waitMs = ownWaitMs > 0 ? ownWaitMs : await delays.attempt(attempt.key, delayRules.freeOfAccount);
    if (waitMs > 0) throw refusal('too-many', 'RATE_LIMITED', { retryAfterS: Math.ceil(waitMs / 1000), side: 'platform' });
    return this.deps.hasher.matches(password, stored);
  }

  private async forgetAttempts(attempt: Attempt): Promise<void> {
    await this.deps.delays.clear(fromAddress(attempt));
    await this.deps.delays.clear(attempt.key);
  }

  private async storePassword(account: Account, password: Secret, by: SignInOrigin & { usedLink?: string }): Promise<void> {
    const problem = passwordProblem(password.reveal(), account);
    if (problem !== undefined) throw new InvalidInput([{ path: 'new_password', rule: problem }]);
    const stored = await this.deps.hasher.hash(password);
    const isStored = await this.deps.accounts.setPassword(
      account.id,
      { password: stored, usedLink: by.usedLink },
      this.entry(account, 'account.password-set', by),
    );
    if (!isStored) throw this.refused(by, account, unusableLink);
  }

  private async begin(account: Account, origin: SignInOrigin, by: { usedLink?: string }): Promise<SignedIn> {
    const { sessions, tokens, clock, ids } = this.deps;
    const token = tokens.make();
    const [createdAt, id] = [clock.now(), ids.next()];
    const { address, agent } = origin;
    const kept = { id, digest: tokens.digestOf(token.reveal()), accountId: account.id, createdAt, address, agent: agent.slice(0, 200) };
    const audit = { ...this.entry(account, 'session.started', origin), after: { session: id, by_link: by.usedLink !== undefined } };
    const isBegun = await sessions.begin({ ...kept, expiresAt: createdAt + accountRules.sessionMs }, by, audit);
    if (!isBegun) throw this.refused(origin, account, by.usedLink === undefined ? undefined : unusableLink);
    return { token, account };
  }

  private refused({ address, requestId }: SignInOrigin, account: Account | undefined, message?: string): SignInRefused {
    this.deps.log.warn('sign-in-refused', { request_id: requestId, address, account_id: account?.id });
    return new SignInRefused(message);
  }

  private entry(account: Account, action: string, { requestId }: SignInOrigin): AuditEntry {
    const actor = actorOf(viewerOfAccount(account));
    return { actor, action, subject: `account:${account.id}`, requestId, at: this.deps.clock.now() };
  }
}

/** A sign-in attempt at an account, known or not. */
interface Attempt {
  /** The account's email in its search form. */
  readonly key: string;
  readonly origin: SignInOrigin;
}

const fromAddress = ({ key, origin }: Attempt): string => JSON.stringify([key, limitedAddress(origin.address)]);

const unusableLink = 'The link was used already, or is too old: ask for a new one';

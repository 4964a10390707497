import type { AuditEntry, PageRequest } from '../partners/ports';
import type { Secret } from '../shared/secret';
import type { Account, AccountRole, LinkPurpose } from './account';

/** An account as it is made: without a password. */
export type NewAccount = Pick<Account, 'id' | 'email' | 'name' | 'createdAt'> & AccountRole;

/** A link as it is kept: of its token the digest alone. It works once, until `expiresAt` (milliseconds since the epoch). */
export interface KeptLink {
  readonly digest: string;
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  readonly expiresAt: number;
}

/** What an operator may change of an account. */
export interface AccountChange {
  readonly name?: string | undefined;
  /** Its sessions and links end. */
  readonly isDisabled?: boolean | undefined;
}

/** Where accounts are kept. Every change is committed with its audit row. */
export interface AccountBook {
  /** Throws AccountExists where the email is taken, UnknownPartner where there is no such partner. */
  create(account: NewAccount, audit: AuditEntry): Promise<Account>;
  find(id: string): Promise<Account | undefined>;
  /** With its stored password, where it has one. */
  findByEmail(email: string): Promise<{ readonly account: Account; readonly password?: string | undefined } | undefined>;
  /** By id, ascending. */
  list(page: PageRequest): Promise<readonly Account[]>;
  /** Where `change` returns `undefined`, nothing is written. Resolves to `undefined` where there is no such account. */
  update(
    id: string,
    change: (account: Account) => { readonly change: AccountChange; readonly audit: AuditEntry } | undefined,
  ): Promise<Account | undefined>;
  /** False: there was none. Its sessions and links end. */
  remove(id: string, audit: AuditEntry): Promise<boolean>;
  /** The account's earlier links of this purpose work no more. */
  addLink(link: KeptLink, audit: AuditEntry): Promise<void>;
  /** Whose it is and what for, where it still works and its account is not disabled. */
  findLink(digest: string, now: number): Promise<{ readonly account: Account; readonly purpose: LinkPurpose } | undefined>;
  /**
   * Stores the password; the account's sessions and links end. `usedLink`: the link that allows it. False: that one was used
   * meanwhile, and nothing is changed.
   */
  setPassword(id: string, by: { readonly password: string; readonly usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean>;
}

/** A session as it is kept: of its token the digest alone. Times are milliseconds since the epoch. */
export interface KeptSession {
  readonly id: string;
  readonly digest: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** Whatever happens. */
  readonly expiresAt: number;
  /** Where it was begun, and by which browser; shown to its owner. */
  readonly address: string;
  readonly agent: string;
}

/** A session that goes on. */
export interface Session extends Omit<KeptSession, 'digest'> {
  readonly seenAt: number;
  /** As whom the operator looks. */
  readonly viewAs?: AccountRole | undefined;
}

/** Where sessions are kept. A session is found until it expires, nobody used it for `accountRules.idleMs`, or its account is disabled. */
export interface SessionBook {
  /**
   * Notes the sign-in at the account as well. `usedLink`: the link that allows it. False: that link was used meanwhile, or the
   * account is gone or disabled; then there is no session.
   */
  begin(session: KeptSession, by: { readonly usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean>;
  find(digest: string, now: number): Promise<{ readonly session: Session; readonly account: Account } | undefined>;
  /** Those of the digests whose session `find` would find. */
  living(digests: readonly string[], now: number): Promise<ReadonlySet<string>>;
  /** It was used at `now`. */
  note(digest: string, now: number): Promise<void>;
  /** Newest first. */
  list(accountId: string, now: number): Promise<readonly Session[]>;
  /** False: the account has no such session. */
  end(accountId: string, id: string, audit: AuditEntry): Promise<boolean>;
  /** From now on the operator looks as `viewAs`; absent: as the operator. */
  look(digest: string, viewAs: AccountRole | undefined, audit: AuditEntry): Promise<void>;
}

/** Makes whoever fails to sign in wait, longer each time (delay.ts), over all instances. */
export interface SignInDelays {
  /**
   * Counts an attempt before it is judged, so that many at once are as many. Resolves to the milliseconds that are left to wait;
   * 0: the attempt may be judged. A subject is whatever was typed, known or not; stored only as a digest. The first `free`
   * attempts in a row (delayRules.free) need no wait.
   */
  attempt(subject: string, free?: number): Promise<number>;
  /** It went well: nothing is counted any more. */
  clear(subject: string): Promise<void>;
}

/** Stores passwords so that they cannot be read. Slow on purpose, and only a few at a time. */
export interface PasswordHasher {
  /** Throws Unavailable where too many wait, as `matches` does. */
  hash(password: Secret): Promise<string>;
  /** Without a stored password it takes as long, and is false. */
  matches(password: Secret, stored: string | undefined): Promise<boolean>;
}

/** Tokens of sessions and links: 32 random bytes. */
export interface AccountTokens {
  make(): Secret;
  /** The stored form, by which it is found. */
  digestOf(token: string): string;
  /** The CSRF token of a session: follows from the session's, which does not follow from it. */
  csrfOf(token: string): string;
}

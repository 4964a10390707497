import type { AuditEntry, PageRequest } from '../partners/ports';
import type { Secret } from '../shared/secret';
import type { Account, AccountRole, LinkPurpose } from './account';

/** An account to create: without a password. */
export type NewAccount = Pick<Account, 'id' | 'email' | 'name' | 'createdAt'> & AccountRole;

/** A stored link, with only the digest of its token. It works once, until `expiresAt` (milliseconds since the epoch). */
export interface KeptLink {
  readonly digest: string;
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  readonly expiresAt: number;
}

/** The members of an account that an operator may change. */
export interface AccountChange {
  readonly name?: string | undefined;
  /** Disabling ends the account's sessions and links. */
  readonly isDisabled?: boolean | undefined;
}

/** Stores accounts. Every change is committed with its audit row. */
export interface AccountRepository {
  /** Throws AccountExists where the email is taken, UnknownPartner where there is no such partner. */
  create(account: NewAccount, audit: AuditEntry): Promise<Account>;
  find(id: string): Promise<Account | undefined>;
  /** Includes the stored password hash, if there is one. */
  findByEmail(email: string): Promise<{ readonly account: Account; readonly password?: string | undefined } | undefined>;
  /** Sorted by id, ascending. */
  list(page: PageRequest): Promise<readonly Account[]>;
  /** If `change` returns `undefined`, nothing is written. Resolves to `undefined` where there is no such account. */
  update(
    id: string,
    change: (account: Account) => { readonly change: AccountChange; readonly audit: AuditEntry } | undefined,
  ): Promise<Account | undefined>;
  /** Resolves to false where there was none. Ends its sessions and links. */
  remove(id: string, audit: AuditEntry): Promise<boolean>;
  /** Invalidates the account's earlier links of this purpose. */
  addLink(link: KeptLink, audit: AuditEntry): Promise<void>;
  /** The account and purpose of a link, while it is valid and its account is not disabled. */
  findLink(digest: string, now: number): Promise<{ readonly account: Account; readonly purpose: LinkPurpose } | undefined>;
  /**
   * Stores the password hash and ends the account's sessions and links. `usedLink` is the link that allows it. False: that link was used
   * meanwhile, and nothing is changed.
   */
  setPassword(id: string, by: { readonly password: string; readonly usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean>;
}

/** A stored session, with only the digest of its token. Times are milliseconds since the epoch. */
export interface KeptSession {
  readonly id: string;
  readonly digest: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** Absolute end of the session, independent of its use. */
  readonly expiresAt: number;
  /** Address and browser that began the session; shown to its owner. */
  readonly address: string;
  readonly agent: string;
}

/** A session that has not ended. */
export interface Session extends Omit<KeptSession, 'digest'> {
  readonly seenAt: number;
  /** The role that the operator views as. */
  readonly viewAs?: AccountRole | undefined;
}

/** Stores sessions. A session is found until it expires, was not used for `accountRules.idleMs`, or its account is disabled. */
export interface SessionRepository {
  /**
   * Begins a session, and stores the sign-in time of the account. `usedLink` is the link that allows it. False, without a session: that
   * link was used meanwhile, or the account is gone or disabled.
   */
  begin(session: KeptSession, by: { readonly usedLink?: string | undefined }, audit: AuditEntry): Promise<boolean>;
  find(digest: string, now: number): Promise<{ readonly session: Session; readonly account: Account } | undefined>;
  /** The digests whose session `find` would find. */
  living(digests: readonly string[], now: number): Promise<ReadonlySet<string>>;
  /** Stores that the session was used at `now`. */
  note(digest: string, now: number): Promise<void>;
  /** Newest first. */
  list(accountId: string, now: number): Promise<readonly Session[]>;
  /** Resolves to false where the account has no such session. */
  end(accountId: string, id: string, audit: AuditEntry): Promise<boolean>;
  /** Lets the operator view as `viewAs` from now on; absent: as the operator. */
  viewAs(digest: string, viewAs: AccountRole | undefined, audit: AuditEntry): Promise<void>;
}

/** Delays sign-ins after failures, longer each time (delay.ts), over all instances. */
export interface SignInDelayStore {
  /**
   * Counts an attempt before its password is checked, so that concurrent attempts all count. Resolves to the milliseconds left to wait; 0:
   * the password may be checked. The subject is the text that was typed, known or not; stored only as a digest. The first `free`
   * consecutive attempts (delayRules.free) need no wait.
   */
  attempt(subject: string, free?: number): Promise<number>;
  /** Resets the count after a successful sign-in. */
  clear(subject: string): Promise<void>;
}

/** Hashes passwords. Slow on purpose, with only a few at a time. */
export interface PasswordHashProvider {
  /** Throws Unavailable where too many hashes are queued, as `matches` does. */
  hash(password: Secret): Promise<string>;
  /** False without a stored password, but after the same time. */
  matches(password: Secret, stored: string | undefined): Promise<boolean>;
}

/** Makes tokens of sessions and links: 32 random bytes. */
export interface AccountTokenGenerator {
  make(): Secret;
  /** The digest that is stored, and by which a token is found. */
  digestOf(token: string): string;
  /** The CSRF token, derived from a session's token; the session's token cannot be derived from it. */
  csrfOf(token: string): string;
}

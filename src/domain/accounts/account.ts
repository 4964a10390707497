import type { Viewer } from './viewer';

/** What an account may do: run the service, or work for one partner. */
export type AccountRole =
  | { readonly role: 'operator' }
  | { readonly role: 'host-app'; readonly clientId: string }
  | { readonly role: 'miniapp'; readonly appId: string };

/** Somebody who may sign in. Times are milliseconds since the epoch. */
export type Account = {
  readonly id: string;
  /** Its name at the sign-in, in lower case. */
  readonly email: string;
  /** How people call it. */
  readonly name: string;
  /** False: it comes in by links alone. */
  readonly hasPassword: boolean;
  readonly isDisabled: boolean;
  readonly createdAt: number;
  readonly signedInAt?: number | undefined;
} & AccountRole;

/** What a link is for. `sign-in`: nothing more; the others set the password. */
export const linkPurposes = ['sign-in', 'invite', 'reset'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const accountRules = {
  /** Milliseconds for which a link works. */
  linkMs: 24 * 3_600_000,
  /** Characters of a password, and the bytes that it may have. */
  passwordFrom: 12,
  passwordBytes: 256,
  /** Milliseconds after which a session that nobody used ends, and after which each ends. */
  idleMs: 8 * 3_600_000,
  sessionMs: 7 * 24 * 3_600_000,
  /** Milliseconds between two notes that a session was used. */
  noteEveryMs: 60_000,
} as const;

/** The account behind the links of the operator who has the token or the database. Nobody else is called so. */
export const operatorEmail = 'operator@localhost';

/** As it is stored and looked up. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** Why a text cannot be a password of this account; `undefined`: it can. */
export function passwordProblem(password: string, { email, name }: Pick<Account, 'email' | 'name'>): string | undefined {
  if ([...password].length < accountRules.passwordFrom) return `must have at least ${String(accountRules.passwordFrom)} characters`;
  if (password.length > accountRules.passwordBytes) return `must have at most ${String(accountRules.passwordBytes)} characters`;
  if (new Set(password).size < 5) return 'must have at least 5 different characters';
  const plain = password.toLowerCase();
  return plain === email || plain === name.toLowerCase() ? 'must not be the name of the account' : undefined;
}

/** The account's role and its partner, and nothing else of it. */
export function roleOf(account: AccountRole): AccountRole {
  if (account.role === 'host-app') return { role: 'host-app', clientId: account.clientId };
  return account.role === 'miniapp' ? { role: 'miniapp', appId: account.appId } : { role: 'operator' };
}

/** Who asks by a session of the account; an operator may look as a partner, and then changes nothing. */
export function viewerOfAccount(account: Account, viewAs?: AccountRole): Viewer {
  const { id: accountId, name } = account;
  const isLooking = account.role === 'operator' && viewAs !== undefined;
  return isLooking ? { ...roleOf(viewAs), accountId, name, isReadOnly: true } : { ...roleOf(account), accountId, name };
}

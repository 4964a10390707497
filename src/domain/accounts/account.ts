import type { Viewer } from './viewer';

/** The role of an account: it operates the service, or works for one partner. */
export type AccountRole =
  | { readonly role: 'operator' }
  | { readonly role: 'host-app'; readonly clientId: string }
  | { readonly role: 'miniapp'; readonly appId: string };

/** A person's account. Times are milliseconds since the epoch. */
export type Account = {
  readonly id: string;
  /** The sign-in name, in lower case. */
  readonly email: string;
  /** The display name. */
  readonly name: string;
  /** False: sign-in by links only. */
  readonly hasPassword: boolean;
  readonly isDisabled: boolean;
  readonly createdAt: number;
  readonly signedInAt?: number | undefined;
} & AccountRole;

/** The purpose of a link. `sign-in` only signs in; the others set the password. */
export const linkPurposes = ['sign-in', 'invite', 'reset'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const accountRules = {
  /** Lifetime of a link, in milliseconds. */
  linkMs: 24 * 3_600_000,
  /** Minimum length of a password in characters, and maximum length. */
  passwordFrom: 12,
  passwordBytes: 256,
  /** Milliseconds after which an unused session ends, and after which every session ends. */
  idleMs: 8 * 3_600_000,
  sessionMs: 7 * 24 * 3_600_000,
  /** Minimum milliseconds between two updates of a session's last use. */
  noteEveryMs: 60_000,
} as const;

/** The account for sign-in links of the operator, who has the token or database access. No other account has this email. */
export const operatorEmail = 'operator@localhost';

/** The form in which an email is stored and searched. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** Why a text cannot be a password of this account; `undefined` when it can. */
export function passwordProblem(password: string, { email, name }: Pick<Account, 'email' | 'name'>): string | undefined {
  if ([...password].length < accountRules.passwordFrom) return `must have at least ${String(accountRules.passwordFrom)} characters`;
  if (password.length > accountRules.passwordBytes) return `must have at most ${String(accountRules.passwordBytes)} characters`;
  if (new Set(password).size < 5) return 'must have at least 5 different characters';
  const plain = password.toLowerCase();
  return plain === email || plain === name.toLowerCase() ? 'must not be the name of the account' : undefined;
}

/** Returns only the role of an account and its partner. */
export function roleOf(account: AccountRole): AccountRole {
  if (account.role === 'host-app') return { role: 'host-app', clientId: account.clientId };
  return account.role === 'miniapp' ? { role: 'miniapp', appId: account.appId } : { role: 'operator' };
}

/** The viewer for a session of the account. An operator may view as a partner, but then change nothing. */
export function viewerOfAccount(account: Account, viewAs?: AccountRole): Viewer {
  const { id: accountId, name } = account;
  const isViewingAs = account.role === 'operator' && viewAs !== undefined;
  return isViewingAs ? { ...roleOf(viewAs), accountId, name, isReadOnly: true } : { ...roleOf(account), accountId, name };
}

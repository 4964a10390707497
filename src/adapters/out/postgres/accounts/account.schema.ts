import { EntitySchema } from 'typeorm';
import type { Account, AccountRole, LinkPurpose } from '../../../../domain/accounts/account';
import type { Session } from '../../../../domain/accounts/ports';
import type { Role } from '../../../../domain/accounts/viewer';

/** A row of accounts. */
export interface AccountRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  client_id: string | null;
  app_id: string | null;
  /** The password hash; read only by statements that select it explicitly. */
  password?: string | null;
  /** Computed by the query. */
  has_password: boolean;
  disabled: boolean;
  created_at: Date;
  signed_in_at: Date | null;
}

/** A row of account_links. */
export interface AccountLinkRow {
  digest: string;
  account_id: string;
  purpose: LinkPurpose;
  expires_at: Date;
}

/** A row of account_sessions. */
export interface AccountSessionRow {
  digest: string;
  id: string;
  account_id: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  address: string;
  agent: string;
  /** The role and id that the operator views as. Both are null or neither is. */
  view_role: string | null;
  view_id: string | null;
}

/** A row of sign_in_delays: failed sign-ins of one name. */
export interface SignInDelayRow {
  subject: string;
  attempts: number;
  blocked_until: Date;
  expires_at: Date;
}

const time = { type: 'timestamptz' } as const;
const text = { type: 'text', collation: 'C' } as const;
const ofAccount = (name: string) => ({
  name,
  target: 'Account',
  columnNames: ['account_id'],
  referencedColumnNames: ['id'],
  onDelete: 'CASCADE' as const,
});

export const accountSchema = new EntitySchema<AccountRow>({
  name: 'Account',
  tableName: 'accounts',
  columns: {
    id: { ...text, primary: true, primaryKeyConstraintName: 'accounts_pkey' },
    email: text,
    name: { type: 'text' },
    role: { type: 'text' },
    client_id: { ...text, nullable: true },
    app_id: { ...text, nullable: true },
    password: { type: 'text', nullable: true, select: false },
    has_password: { type: 'boolean', virtualProperty: true, query: (account) => `${account}.password is not null` },
    disabled: { type: 'boolean', default: false },
    created_at: time,
    signed_in_at: { ...time, nullable: true },
  },
  uniques: [{ name: 'accounts_email', columns: ['email'] }],
  checks: [
    {
      name: 'accounts_role',
      expression: `(role = 'operator' and client_id is null and app_id is null) or (role = 'host-app' and client_id is not null and app_id is null) or (role = 'miniapp' and client_id is null and app_id is not null)`,
    },
  ],
  indices: [
    { name: 'accounts_by_host_app', columns: ['client_id'] },
    { name: 'accounts_by_miniapp', columns: ['app_id'] },
  ],
  foreignKeys: [
    { name: 'accounts_host_app', target: 'HostApp', columnNames: ['client_id'], referencedColumnNames: ['id'], onDelete: 'CASCADE' },
    { name: 'accounts_miniapp', target: 'Miniapp', columnNames: ['app_id'], referencedColumnNames: ['id'], onDelete: 'CASCADE' },
  ],
});

export const accountLinkSchema = new EntitySchema<AccountLinkRow>({
  name: 'AccountLink',
  tableName: 'account_links',
  columns: {
    digest: { ...text, primary: true, primaryKeyConstraintName: 'account_links_pkey' },
    account_id: text,
    purpose: { type: 'text' },
    expires_at: time,
  },
  indices: [
    { name: 'account_links_by_account', columns: ['account_id'] },
    { name: 'account_links_by_expiry', columns: ['expires_at'] },
  ],
  foreignKeys: [ofAccount('account_links_account')],
});

export const accountSessionSchema = new EntitySchema<AccountSessionRow>({
  name: 'AccountSession',
  tableName: 'account_sessions',
  columns: {
    digest: { ...text, primary: true, primaryKeyConstraintName: 'account_sessions_pkey' },
    id: text,
    account_id: text,
    created_at: time,
    seen_at: time,
    expires_at: time,
    address: { type: 'text' },
    agent: { type: 'text' },
    view_role: { type: 'text', nullable: true },
    view_id: { type: 'text', nullable: true },
  },
  indices: [
    { name: 'account_sessions_by_account', columns: ['account_id'] },
    { name: 'account_sessions_by_expiry', columns: ['expires_at'] },
  ],
  foreignKeys: [ofAccount('account_sessions_account')],
});

export const signInDelaySchema = new EntitySchema<SignInDelayRow>({
  name: 'SignInDelay',
  tableName: 'sign_in_delays',
  columns: {
    subject: { ...text, primary: true, primaryKeyConstraintName: 'sign_in_delays_pkey' },
    attempts: { type: 'integer' },
    blocked_until: time,
    expires_at: time,
  },
  indices: [{ name: 'sign_in_delays_by_expiry', columns: ['expires_at'] }],
});

export const accountFrom = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  hasPassword: row.has_password,
  isDisabled: row.disabled,
  createdAt: row.created_at.getTime(),
  signedInAt: row.signed_in_at?.getTime(),
  ...accountRole(row.role, row.client_id ?? row.app_id),
});

/** Combines role and partner id. They match: in accounts by a check constraint, in sessions because they were written together. */
function accountRole(role: string, id: string | null): AccountRole {
  if (role === 'host-app' && id !== null) return { role, clientId: id };
  if (role === 'miniapp' && id !== null) return { role, appId: id };
  return { role: 'operator' };
}

export const sessionFrom = (row: AccountSessionRow): Session => ({
  id: row.id,
  accountId: row.account_id,
  createdAt: row.created_at.getTime(),
  seenAt: row.seen_at.getTime(),
  expiresAt: row.expires_at.getTime(),
  address: row.address,
  agent: row.agent,
  ...(row.view_role !== null && { viewAs: accountRole(row.view_role, row.view_id) }),
});

import type { Account, AccountRole } from '../../../../../domain/accounts/account';
import type { MadeLink } from '../../../../../domain/accounts/manage-accounts';
import type { Session } from '../../../../../domain/accounts/ports';
import type { KnownSession } from '../../../../../domain/accounts/use-session';
import type { Viewer } from '../../../../../domain/accounts/viewer';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';

/** The role and its partner's id, under the usual member name. */
const roleView = (role: AccountRole): object =>
  present({
    role: role.role,
    client_id: role.role === 'host-app' ? role.clientId : undefined,
    app_id: role.role === 'miniapp' ? role.appId : undefined,
  });

/** An account in the form that the operator sees. */
export const accountView = (account: Account): object => ({
  id: account.id,
  email: account.email,
  name: account.name,
  ...roleView(account),
  has_password: account.hasPassword,
  disabled: account.isDisabled,
  created_at: timeText(account.createdAt),
  ...present({ signed_in_at: timeText(account.signedInAt) }),
});

/** A new one-time link. Opening it signs in, so it is shown once. */
export const linkView = ({ token, purpose, expiresAt }: MadeLink, base: string): object => ({
  purpose,
  url: `${base}/dashboard/${purpose === 'sign-in' ? 'sign-in' : 'set-password'}#${token.reveal()}`,
  expires_at: timeText(expiresAt),
});

/** Details of the service for every page of the dashboard. */
export interface ServiceInfo {
  readonly environment: 'test' | 'live';
  readonly version: string;
}

/**
 * The signed-in account. `role` and `app` are those that the pages show: while viewing as a partner, the partner's. `account` is always the
 * real one.
 */
export const sessionView = (viewer: Viewer, known: KnownSession | undefined, { environment, version }: ServiceInfo): object => {
  const isViewingAs = viewer.isReadOnly === true;
  return {
    role: viewer.role,
    app: appOf(viewer),
    display_name: viewer.name,
    view_as: isViewingAs ? { role: viewer.role, app: appOf(viewer) } : null,
    csrf_token: known?.csrf ?? null,
    account: known ? accountView(known.account) : null,
    session_id: known?.session.id ?? null,
    environment,
    version,
  };
};

const appOf = (role: AccountRole): string | null => {
  if (role.role === 'operator') return null;
  return role.role === 'host-app' ? role.clientId : role.appId;
};

/** A session in the form that its owner sees. */
export const ownSessionView = (session: Session, current: string): object => ({
  id: session.id,
  current: session.id === current,
  created_at: timeText(session.createdAt),
  last_seen_at: timeText(session.seenAt),
  expires_at: timeText(session.expiresAt),
  address: session.address,
  user_agent: session.agent,
});

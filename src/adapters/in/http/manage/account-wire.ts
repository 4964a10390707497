import type { Account, AccountRole } from '../../../../domain/accounts/account';
import type { MadeLink } from '../../../../domain/accounts/manage-accounts';
import type { Session } from '../../../../domain/accounts/ports';
import type { KnownSession } from '../../../../domain/accounts/use-session';
import type { Viewer } from '../../../../domain/accounts/viewer';
import { timeText } from './partner-wire';
import { present } from './present';

/** The role and its partner's id, under the name that it has elsewhere. */
const roleView = (role: AccountRole): object =>
  present({
    role: role.role,
    client_id: role.role === 'host-app' ? role.clientId : undefined,
    app_id: role.role === 'miniapp' ? role.appId : undefined,
  });

/** An account as the operator sees it. */
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

/** A link that was just made: who opens it is in, so it is shown once. */
export const linkView = ({ token, purpose, expiresAt }: MadeLink, base: string): object => ({
  purpose,
  url: `${base}/dashboard/${purpose === 'sign-in' ? 'sign-in' : 'set-password'}#${token.reveal()}`,
  expires_at: timeText(expiresAt),
});

/** Facts about the service for every page of the dashboard. */
export interface ServiceFacts {
  readonly environment: 'test' | 'live';
  readonly version: string;
}

/** The signed-in account. `role` and `app` are those that the pages show, as whom the operator looks; `account` is who it is. */
export const sessionView = (viewer: Viewer, known: KnownSession | undefined, { environment, version }: ServiceFacts): object => {
  const looks = viewer.isReadOnly === true;
  return {
    role: viewer.role,
    app: appOf(viewer),
    display_name: viewer.name,
    view_as: looks ? { role: viewer.role, app: appOf(viewer) } : null,
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

/** A session as its owner sees it. */
export const ownSessionView = (session: Session, current: string): object => ({
  id: session.id,
  current: session.id === current,
  created_at: timeText(session.createdAt),
  last_seen_at: timeText(session.seenAt),
  expires_at: timeText(session.expiresAt),
  address: session.address,
  user_agent: session.agent,
});

import { linkPurposes } from '../../../../../domain/accounts/account';
import { roles } from '../../../../../domain/accounts/viewer';
import { count, flag, list, members, object, oneOf, orNull, ref, text, time, uri, type Members, type Schema } from '../../../../dto/schema';
import { clientId, unreadable } from '../../../../dto/shared-members';

const account: Members = {
  id: [text, 'Id of the account.'],
  email: [text, 'E-mail address with which its owner signs in.'],
  name: [text, 'Name of its owner for people.'],
  role: [oneOf(...roles), 'What the account may do: run the service, or work for one partner.'],
  'client_id?': [text, 'Client ID of the host app it works for; absent of the other roles.'],
  'app_id?': [text, 'App ID of the miniapp it works for; absent of the other roles.'],
  has_password: [flag, 'Whether its owner has set a password.'],
  disabled: [flag, 'Whether the account is locked and nobody can sign in with it.'],
  created_at: [time, 'When the operator made the account.'],
  'signed_in_at?': [time, 'When its owner last signed in; absent: never.'],
};

const viewedAs = members({
  role: [oneOf(...roles), 'Role whose view is shown.'],
  app: [orNull(text), 'Partner whose view is shown.'],
});

const consent = members({
  app_id: [text, 'App ID of the miniapp that the consent is about.'],
  granted: [flag, 'True after a consent, false after it was revoked.'],
  'fields?': [list(text), 'User fields that the user agreed to share; absent where save_consent named none.'],
  'text_version?': [text, 'Version of the consent text that the user saw; absent where save_consent named none.'],
  at: [time, 'When the consent was given or revoked.'],
});

/** Schemas of accounts, sessions and users. */
export const peopleShapes: Readonly<Record<string, Schema>> = {
  Account: object('A person who may sign in to the dashboard.', account),
  AccountWithLink: object('A new account, and the link with which its owner sets a password.', {
    ...account,
    link: [ref('OneTimeLink'), 'Link for its owner, shown in this answer alone.'],
  }),
  OneTimeLink: object('A link that works once. Whoever opens it is signed in, or sets the password.', {
    purpose: [oneOf(...linkPurposes), 'What the link does when it is opened.'],
    url: [uri, 'Address to hand over; it is shown in this answer alone.'],
    expires_at: [time, 'When the link stops working.'],
  }),
  Session: object('Who is signed in, and what the pages show.', {
    role: [oneOf(...roles), 'Role whose pages are shown; while an operator views as a partner, that of the partner.'],
    app: [orNull(text), 'Partner that the role is for, by its id; null for the operator.'],
    display_name: [text, 'Name to show for the person, or for the operator token.'],
    view_as: [orNull(viewedAs), 'Partner that the operator views the service as; null otherwise.'],
    csrf_token: [orNull(text), 'Value that `X-CSRF-Token` must hold; null with the operator token, which needs none.'],
    account: [orNull(ref('Account')), 'Account that is signed in; null with the operator token.'],
    session_id: [orNull(text), 'Id of the session; null with the operator token.'],
    environment: [oneOf('test', 'live'), '`live` where the service runs in production.'],
    version: [text, 'Version of the service.'],
  }),
  OwnSession: object('A session of the account that asks.', {
    id: [text, 'Id of the session, by which it can be ended.'],
    current: [flag, 'Whether this very request belongs to it.'],
    created_at: [time, 'When its owner signed in.'],
    last_seen_at: [time, 'When it was last used.'],
    expires_at: [time, 'When it ends by itself.'],
    address: [text, 'IP address at the sign-in.'],
    user_agent: [text, '`User-Agent` of the browser at the sign-in.'],
  }),
  User: object('A user of a host app, without personal data.', {
    id: [text, 'Id of the user in this list; it stands for the reference in `user_id`.'],
    client_id: clientId,
    reference: [text, 'Reference at the host app, masked but for two characters at each end.'],
    'unreadable?': unreadable,
    'first_sign_on_at?': [time, 'When the user first signed on; absent where only a consent is known.'],
    'last_sign_on_at?': [time, 'When the user last signed on; absent where only a consent is known.'],
    'tokens?': [
      members({
        stored_at: [time, 'When the host app issued the tokens that are stored.'],
        refreshable: [flag, 'Whether a refresh token is among them.'],
      }),
      "The user's tokens of the host app; absent where none is stored.",
    ],
    consents: [list(consent), 'Present state of the consent for each miniapp.'],
  }),
  Removed: object('Rows that were removed or made nameless when a user was erased.', {
    users: [count, '1 if the user was stored, otherwise 0.'],
    tokens: [count, 'Stored tokens of the user that were removed.'],
    consents: [count, 'Consents of the user that were removed.'],
    consent_entries: [count, 'Entries of the consent ledger that no longer name the user.'],
    payments: [count, 'Payments that are kept without what tells of the user.'],
    reports: [count, 'Reported transactions that are kept without what tells of the user.'],
    deliveries: [count, 'Ended deliveries whose content was removed.'],
    pending_deliveries: [count, 'Deliveries that are still pending; their content goes when they have ended.'],
  }),
};

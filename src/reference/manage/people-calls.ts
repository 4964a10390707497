import { AccountPatchDto, InviteDto, PasswordDto, RoleDto, SignInDto } from '../../adapters/in/http/manage/accounts/account.dto';
import { UserDto } from '../../adapters/in/http/manage/users/user.dto';
import { anyObject, flag, object, ref, described, text, pageOf } from '../../adapters/dto/schema';
import { pairFilters } from './filters';
import type { ManageCalls } from './operation';

const sessionDetails = 'With the operator token there is no account: its members are null.';
const ownDetails = 'Those of the account that asks, on all devices.';
const endDetails = 'Whoever uses it has to sign in again. 404 where it is not of the account that asks.';

export const session: ManageCalls = {
  'GET /session': { id: 'getSession', summary: 'See who is signed in', who: 'everyone', gives: ref('Session'), more: sessionDetails },
  'POST /session': {
    ...{ id: 'signIn', summary: 'Sign in', who: 'anyone', whileViewingAs: true, body: SignInDto, gives: ref('Session'), status: 201 },
    more: 'With `email` and `password`, or with the `token` of a one-time link. The session is kept in a cookie.',
    kinds: ['unauthenticated', 'cross-site'],
  },
  'DELETE /session': {
    id: 'signOut',
    summary: 'Sign out',
    who: 'everyone',
    whileViewingAs: true,
    more: 'The session of the cookie ends; others of the account stay.',
  },
  'POST /session/password': {
    ...{ id: 'changePassword', summary: 'Set a password; every other session of the account ends', who: 'everyone', body: PasswordDto },
    more: 'The account gets a new session with a new cookie.',
    ...{ gives: ref('Session'), status: 201 },
  },
  'PUT /session/view-as': {
    ...{ id: 'viewAs', summary: 'View the service as a partner does', who: 'everyone', whileViewingAs: true, body: RoleDto },
    more: 'For operators. Nothing can be changed meanwhile.',
    gives: ref('Session'),
  },
  'DELETE /session/view-as': {
    ...{ id: 'stopViewingAs', summary: 'Stop viewing as a partner', who: 'everyone', whileViewingAs: true, gives: ref('Session') },
    more: 'For operators who view the service as a partner does.',
  },
  'GET /sessions': {
    id: 'listSessions',
    summary: "List one's sessions",
    who: 'everyone',
    whileViewingAs: true,
    gives: pageOf('OwnSession'),
    more: ownDetails,
  },
  'DELETE /sessions/{id}': {
    id: 'endSession',
    summary: "End one of one's sessions",
    who: 'everyone',
    whileViewingAs: true,
    more: endDetails,
  },
};

export const accounts: ManageCalls = {
  'GET /accounts': {
    id: 'listAccounts',
    summary: 'List accounts',
    who: 'operator',
    query: {},
    gives: pageOf('Account'),
    more: 'Those of operators and of all partners.',
  },
  'POST /accounts': {
    ...{ id: 'invite', summary: 'Make an account', who: 'operator', body: InviteDto, gives: ref('AccountWithLink'), status: 201 },
    more: 'The link with which its owner sets a password is told once.',
    ...{ location: true, kinds: ['conflict'] },
  },
  'GET /accounts/{id}': {
    id: 'getAccount',
    summary: 'Read an account',
    who: 'operator',
    gives: ref('Account'),
    more: 'Its role, and when its owner last signed in.',
  },
  'PATCH /accounts/{id}': {
    ...{ id: 'changeAccount', summary: 'Rename an account, or lock it', who: 'operator', body: AccountPatchDto, patch: true },
    more: 'Sessions of a locked account are refused at once.',
    ...{ gives: ref('Account'), kinds: ['conflict'] },
  },
  'DELETE /accounts/{id}': {
    id: 'removeAccount',
    summary: 'Remove an account',
    who: 'operator',
    kinds: ['conflict'],
    more: 'Its sessions end at once.',
  },
  'POST /accounts/{id}/link': {
    ...{ id: 'makePasswordLink', summary: 'Make a link that sets a new password', who: 'operator', gives: ref('OneTimeLink'), status: 201 },
    more: 'Hand it to the owner of the account; the password before holds until it is used.',
  },
  'POST /operator-links': {
    ...{
      id: 'makeOperatorLink',
      summary: 'Make a link that signs the operator in',
      who: 'operator',
      gives: ref('OneTimeLink'),
      status: 201,
    },
    more: 'The account of the operator is made, or unlocked, where need be.',
  },
};

const erased = object('What was removed of the user.', {
  removed: [ref('Removed'), 'Rows of each kind that were removed or made nameless.'],
});

export const users: ManageCalls = {
  'GET /users': {
    ...{
      id: 'listUsers',
      summary: 'List users of host apps, masked',
      who: 'host apps',
      query: { ...pairFilters, reference: [text, 'Only the user with this whole reference at the host app.'] },
      gives: pageOf('User'),
    },
    more: 'Names, addresses and numbers of users are not shown.',
  },
  'POST /users/erase': {
    ...{ id: 'eraseUser', summary: 'Forget a user', who: 'operator', body: UserDto, gives: erased },
    more: 'Of a user who is not known the answer is the same, with nothing in it.',
    kinds: ['not-found'],
  },
  'POST /users/export': {
    ...{
      id: 'exportUser',
      summary: 'Get all that is stored of a user',
      who: 'operator',
      body: UserDto,
      gives: described('All that is stored of the user, as JSON.', anyObject),
      kinds: ['not-found'],
    },
    more: 'Without secrets. That it was asked for is audited. The answer is sent while it is read: where it breaks off, it is not whole.',
  },
  'POST /users/revoke-tokens': {
    ...{ id: 'revokeUserTokens', summary: "Forget a user's tokens", who: 'host apps', body: UserDto, kinds: ['not-found'] },
    more: 'The user has to sign on again before calls go with their token.',
    gives: object('The receipt of the removal.', { revoked: [flag, 'Always true: no token of the user is stored any more.'] }),
  },
};

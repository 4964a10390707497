import { AccountPatchDto, InviteDto, PasswordDto, RoleDto, SignInDto } from '../../adapters/in/http/manage/account.dto';
import { UserDto } from '../../adapters/in/http/manage/user.dto';
import { anyObject, flag, members, ref, text } from '../schema';
import type { ManageCalls } from './operation';
import { pageOf } from './partner-shapes';

const pair = { client_id: text, app_id: text };

export const session: ManageCalls = {
  'GET /session': { id: 'getSession', says: 'See who is signed in', who: 'everyone', gives: ref('Session') },
  'POST /session': {
    ...{ id: 'signIn', says: 'Sign in', who: 'anyone', whileLooking: true, body: SignInDto, gives: ref('Session'), status: 201 },
    more: 'With `email` and `password`, or with the `token` of a one-time link. The session is kept in a cookie.',
    kinds: ['unauthenticated', 'cross-site'],
  },
  'DELETE /session': { id: 'signOut', says: 'Sign out', who: 'everyone', whileLooking: true },
  'POST /session/password': {
    ...{ id: 'changePassword', says: 'Set a password; every other session of the account ends', who: 'everyone', body: PasswordDto },
    ...{ gives: ref('Session'), status: 201 },
  },
  'PUT /session/view-as': {
    ...{ id: 'lookAs', says: 'Look at the service as a partner does', who: 'everyone', whileLooking: true, body: RoleDto },
    more: 'For operators. Nothing can be changed meanwhile.',
    gives: ref('Session'),
  },
  'DELETE /session/view-as': {
    ...{ id: 'lookNoMore', says: 'Look as oneself again', who: 'everyone', whileLooking: true, gives: ref('Session') },
  },
  'GET /sessions': { id: 'listSessions', says: "List one's sessions", who: 'everyone', whileLooking: true, gives: pageOf('OwnSession') },
  'DELETE /sessions/{id}': { id: 'endSession', says: "End one of one's sessions", who: 'everyone', whileLooking: true },
};

export const accounts: ManageCalls = {
  'GET /accounts': { id: 'listAccounts', says: 'List accounts', who: 'operator', query: {}, gives: pageOf('Account') },
  'POST /accounts': {
    ...{ id: 'invite', says: 'Make an account', who: 'operator', body: InviteDto, gives: ref('AccountWithLink'), status: 201 },
    more: 'The link with which its owner sets a password is told once.',
    ...{ location: true, kinds: ['conflict'] },
  },
  'GET /accounts/{id}': { id: 'getAccount', says: 'Read an account', who: 'operator', gives: ref('Account') },
  'PATCH /accounts/{id}': {
    ...{ id: 'changeAccount', says: 'Rename an account, or lock it', who: 'operator', body: AccountPatchDto, patch: true },
    ...{ gives: ref('Account'), kinds: ['conflict'] },
  },
  'DELETE /accounts/{id}': { id: 'removeAccount', says: 'Remove an account', who: 'operator', kinds: ['conflict'] },
  'POST /accounts/{id}/link': {
    ...{ id: 'makePasswordLink', says: 'Make a link that sets a new password', who: 'operator', gives: ref('OneTimeLink'), status: 201 },
  },
  'POST /operator-links': {
    ...{ id: 'makeOperatorLink', says: 'Make a link that signs the operator in', who: 'operator', gives: ref('OneTimeLink'), status: 201 },
  },
};

export const users: ManageCalls = {
  'GET /users': {
    ...{
      id: 'listUsers',
      says: 'List users of host apps, masked',
      who: 'host apps',
      query: { ...pair, reference: text },
      gives: pageOf('User'),
    },
  },
  'POST /users/erase': {
    ...{ id: 'eraseUser', says: 'Forget a user', who: 'operator', body: UserDto, gives: members({ removed: ref('Removed') }) },
    more: 'Of a user who is not known the answer is the same, with nothing in it.',
    kinds: ['not-found'],
  },
  'POST /users/export': {
    ...{
      id: 'exportUser',
      says: 'Get all that is stored of a user',
      who: 'operator',
      body: UserDto,
      gives: anyObject,
      kinds: ['not-found'],
    },
    more: 'Without secrets. That it was asked for is audited.',
  },
  'POST /users/revoke-tokens': {
    ...{ id: 'revokeUserTokens', says: "Forget a user's tokens", who: 'host apps', body: UserDto, kinds: ['not-found'] },
    gives: members({ revoked: flag }),
  },
};

import { pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { PasswordDto, RoleDto, SignInDto } from './account.dto';

/** The account that is signed in, and its sessions. */
export const sessionCalls = {
  show: {
    at: 'GET /session',
    ...{ id: 'getSession', summary: 'See who is signed in', who: 'everyone', gives: ref('Session') },
    more: 'With the operator token there is no account: its members are null.',
  },
  begin: {
    at: 'POST /session',
    ...{ id: 'signIn', summary: 'Sign in', who: 'anyone', whileViewingAs: true, body: SignInDto, gives: ref('Session'), status: 201 },
    more: 'With `email` and `password`, or with the `token` of a one-time link. The session is kept in a cookie.',
    kinds: ['unauthenticated', 'cross-site'],
  },
  end: {
    at: 'DELETE /session',
    ...{ id: 'signOut', summary: 'Sign out', who: 'everyone', whileViewingAs: true },
    more: 'The session of the cookie ends; others of the account stay.',
  },
  changePassword: {
    at: 'POST /session/password',
    ...{ id: 'changePassword', summary: 'Set a password; every other session of the account ends', who: 'everyone', body: PasswordDto },
    more: 'The account gets a new session with a new cookie.',
    ...{ gives: ref('Session'), status: 201 },
  },
  startViewAs: {
    at: 'PUT /session/view-as',
    ...{ id: 'viewAs', summary: 'View the service as a partner does', who: 'everyone', whileViewingAs: true, body: RoleDto },
    more: 'For operators. Nothing can be changed meanwhile.',
    gives: ref('Session'),
  },
  endViewAs: {
    at: 'DELETE /session/view-as',
    ...{ id: 'stopViewingAs', summary: 'Stop viewing as a partner', who: 'everyone', whileViewingAs: true, gives: ref('Session') },
    more: 'For operators who view the service as a partner does.',
  },
  list: {
    at: 'GET /sessions',
    ...{ id: 'listSessions', summary: "List one's sessions", who: 'everyone', whileViewingAs: true, gives: pageOf('OwnSession') },
    more: 'Those of the account that asks, on all devices.',
  },
  endOne: {
    at: 'DELETE /sessions/{id}',
    ...{ id: 'endSession', summary: "End one of one's sessions", who: 'everyone', whileViewingAs: true },
    more: 'Whoever uses it has to sign in again. 404 where it is not of the account that asks.',
  },
} satisfies Calls;

import { pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { AccountPatchDto, InviteDto } from './account.dto';

/** The accounts that may sign in, and a link that signs the operator in. */
export const accountCalls = {
  list: {
    at: 'GET /accounts',
    ...{ id: 'listAccounts', summary: 'List accounts', who: 'operator', filters: {}, gives: pageOf('Account') },
    more: 'Those of operators and of all partners.',
  },
  invite: {
    at: 'POST /accounts',
    ...{ id: 'invite', summary: 'Make an account', who: 'operator', body: InviteDto, gives: ref('AccountWithLink'), status: 201 },
    more: 'Only this answer shows the link with which its owner sets a password.',
    ...{ location: true, kinds: ['conflict'] },
  },
  get: {
    at: 'GET /accounts/{id}',
    ...{ id: 'getAccount', summary: 'Read an account', who: 'operator', gives: ref('Account') },
    more: 'Its role, and when its owner last signed in.',
  },
  patch: {
    at: 'PATCH /accounts/{id}',
    ...{ id: 'changeAccount', summary: 'Rename an account, or lock it', who: 'operator', body: AccountPatchDto, patch: true },
    more: 'Sessions of a locked account are refused at once.',
    ...{ gives: ref('Account'), kinds: ['conflict'] },
  },
  remove: {
    at: 'DELETE /accounts/{id}',
    ...{ id: 'removeAccount', summary: 'Remove an account', who: 'operator', kinds: ['conflict'] },
    more: 'Its sessions end at once.',
  },
  link: {
    at: 'POST /accounts/{id}/link',
    ...{ id: 'makePasswordLink', summary: 'Make a link that sets a new password', who: 'operator', gives: ref('OneTimeLink'), status: 201 },
    more: 'Hand it to the owner of the account; the password before holds until it is used.',
  },
  operatorLink: {
    at: 'POST /operator-links',
    ...{ id: 'makeOperatorLink', summary: 'Make a link that signs the operator in', who: 'operator' },
    more: 'The account of the operator is made, or unlocked, where need be.',
    ...{ gives: ref('OneTimeLink'), status: 201 },
  },
} satisfies Calls;

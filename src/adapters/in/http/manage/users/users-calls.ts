import { anyObject, described, flag, object, pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { pairFilters } from '../http/filters';
import { text } from '../http/query';
import { UserDto } from './user.dto';

/** Stored users of host apps. */
export const userCalls = {
  list: {
    at: 'GET /users',
    ...{ id: 'listUsers', summary: 'List users of host apps, masked', who: 'host apps' },
    more: 'Names, addresses and numbers of users are not shown.',
    filters: { ...pairFilters, reference: text('Only the user with this whole reference at the host app.') },
    gives: pageOf('User'),
  },
  erase: {
    at: 'POST /users/erase',
    ...{ id: 'eraseUser', summary: 'Forget a user', who: 'operator', body: UserDto, kinds: ['not-found'] },
    more: 'Of a user who is not known the answer is the same, with nothing in it.',
    gives: object('What was removed of the user.', {
      removed: [ref('Removed'), 'Rows of each kind that were removed or made nameless.'],
    }),
  },
  export: {
    at: 'POST /users/export',
    ...{ id: 'exportUser', summary: 'Get all that is stored of a user', who: 'operator', body: UserDto, kinds: ['not-found'] },
    more: 'Without secrets. That it was asked for is audited. The answer is sent while it is read: where it breaks off, it is not whole.',
    gives: described('All that is stored of the user, as JSON.', anyObject),
  },
  revokeTokens: {
    at: 'POST /users/revoke-tokens',
    ...{ id: 'revokeUserTokens', summary: "Forget a user's tokens", who: 'host apps', body: UserDto, kinds: ['not-found'] },
    more: 'The user has to sign on again before calls go with their token.',
    gives: object('The receipt of the removal.', { revoked: [flag, 'Always true: no token of the user is stored any more.'] }),
  },
} satisfies Calls;

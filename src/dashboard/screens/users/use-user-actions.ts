import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { csvText } from '../../parts/records/csv';
import { saveFile } from '../../parts/records/save-file';
import { flatRows } from './flat-rows';
import type { User } from './user-model';

const bodyOf = ({ client_id: clientId, id }: User) => ({ client_id: clientId, user_id: id });

/** Actions on a user. */
export function useUserActions() {
  const touches = ['/users'];
  const revoke = useAction((user: User) => manage('POST', '/users/revoke-tokens', { body: bodyOf(user) }), {
    touches,
    done: 'The tokens are forgotten: the user signs on anew',
    showsErrors: false,
  });
  const erase = useAction((user: User) => manage('POST', '/users/erase', { body: bodyOf(user) }), {
    touches,
    done: 'The user is forgotten',
    showsErrors: false,
  });
  const save = useAction(
    async ({ user, as }: { user: User; as: 'json' | 'csv' }) => {
      const stored = await manage<unknown>('POST', '/users/export', { body: bodyOf(user) });
      const text = as === 'json' ? JSON.stringify(stored, undefined, 2) : csvText(['Member', 'Value'], flatRows(stored));
      saveFile(`user-${user.id.slice(0, 8)}.${as}`, text, as === 'json' ? 'application/json' : 'text/csv');
    },
    { done: 'Saved; the audit log says so' },
  );
  return { revoke, erase, save };
}

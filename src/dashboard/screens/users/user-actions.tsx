import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconKeyOff, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { ConfirmAction } from '../../parts/confirm-action';
import type { User } from './user-model';
import { useUserActions } from './use-user-actions';

type UserAction = 'revoke' | 'erase';

const words = {
  revoke: {
    ...{ title: 'Revoke the tokens?', action: 'Revoke tokens' },
    lead: 'Pierhead forgets the tokens that it holds at the host app for this user. Payments in the user’s name are refused until the user signs on again.',
  },
  erase: {
    ...{ title: 'Erase this user?', action: 'Erase user' },
    lead: 'Tokens, user data and consents are removed for good. Payments and reports stay, without what tells of the user. This cannot be undone; save an export first if you need one.',
  },
} as const;

/** Actions on a user in the list. */
export function UserActions({ user }: { readonly user: User }) {
  const [confirming, setConfirming] = useState<UserAction>();
  const actions = useUserActions();
  return (
    <>
      <UserMenu user={user} onChoose={setConfirming} />
      {confirming && (
        <ConfirmAction
          opened
          onClose={() => setConfirming(undefined)}
          title={words[confirming].title}
          action={words[confirming].action}
          danger
          onConfirm={() => actions[confirming].mutateAsync(user)}
        >
          {words[confirming].lead}
        </ConfirmAction>
      )}
    </>
  );
}

function UserMenu({ user, onChoose }: { readonly user: User; readonly onChoose: (action: UserAction) => void }) {
  const { role } = useSession();
  const { save } = useUserActions();
  return (
    <Menu position="bottom-end" withArrow shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of user ${user.reference}`} loading={save.isPending}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {role === 'operator' &&
          (['json', 'csv'] as const).map((as) => (
            <Menu.Item key={as} leftSection={<IconDownload size={16} />} onClick={() => save.mutate({ user, as })}>
              Export what is stored ({as.toUpperCase()})
            </Menu.Item>
          ))}
        <Menu.Item leftSection={<IconKeyOff size={16} />} disabled={!user.tokens} onClick={() => onChoose('revoke')}>
          Revoke tokens
        </Menu.Item>
        {role === 'operator' && (
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onChoose('erase')}>
            Erase user
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

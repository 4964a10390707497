import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconKeyOff, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { ConfirmDeed } from '../../parts/confirm-deed';
import type { User } from './user-wire';
import { useUserDeeds } from './use-user-deeds';

type Asked = 'revoke' | 'erase';

const words = {
  revoke: {
    ...{ title: 'Revoke the tokens?', deed: 'Revoke tokens' },
    lead: 'Pierhead forgets the tokens that it holds at the host app for this user. Payments in the user’s name are refused until the user signs on again.',
  },
  erase: {
    ...{ title: 'Erase this user?', deed: 'Erase user' },
    lead: 'Tokens, user data and consents are removed for good. Payments and reports stay, without what tells of the user. This cannot be undone; save an export first if you need one.',
  },
} as const;

/** What can be done about one user of the list. */
export function UserDeeds({ user }: { readonly user: User }) {
  const [asked, ask] = useState<Asked>();
  const deeds = useUserDeeds();
  return (
    <>
      <UserMenu user={user} onAsk={ask} />
      {asked && (
        <ConfirmDeed
          opened
          onClose={() => ask(undefined)}
          title={words[asked].title}
          deed={words[asked].deed}
          danger
          onConfirm={() => deeds[asked].mutateAsync(user)}
        >
          {words[asked].lead}
        </ConfirmDeed>
      )}
    </>
  );
}

function UserMenu({ user, onAsk }: { readonly user: User; readonly onAsk: (asked: Asked) => void }) {
  const { role } = useSession();
  const { save } = useUserDeeds();
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
        <Menu.Item leftSection={<IconKeyOff size={16} />} disabled={!user.tokens} onClick={() => onAsk('revoke')}>
          Revoke tokens
        </Menu.Item>
        {role === 'operator' && (
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onAsk('erase')}>
            Erase user
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

import { ActionIcon, Menu } from '@mantine/core';
import { IconBan, IconDots, IconKey, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useSession } from '../../api/session';
import { useDeed } from '../../api/use-deed';
import { ConfirmDeed } from '../../parts/confirm-deed';
import type { AccountView, LinkView } from './account-view';

interface AccountDeedsProps {
  readonly account: AccountView;
  readonly onLink: (link: LinkView) => void;
}

/** What the operator may do with an account: with its own, nothing that locks it out. */
export function AccountDeeds({ account, onLink }: AccountDeedsProps) {
  const isOwn = useSession().account?.id === account.id;
  const [asks, setAsks] = useState<'disable' | 'remove'>();
  const path = pathOf('accounts', account.id);
  const link = useDeed(() => manage<LinkView>('POST', `${path}/link`), { touches });
  const enable = useDeed(() => manage('PATCH', path, { body: { disabled: false } }), { touches, done: 'The account is enabled' });
  return (
    <>
      <Menu position="bottom-end" withArrow shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`What to do with ${account.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {account.disabled ? (
            <Menu.Item leftSection={<IconLockOpen size={16} />} onClick={() => enable.mutate()}>
              Enable
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconKey size={16} />} onClick={() => link.mutate(undefined, { onSuccess: onLink })}>
              {account.has_password ? 'Link to a new password' : 'Invite again'}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconBan size={16} />} disabled={isOwn || account.disabled} onClick={() => setAsks('disable')}>
            Disable
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} disabled={isOwn} onClick={() => setAsks('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Endings account={account} asks={asks} onClose={() => setAsks(undefined)} />
    </>
  );
}

const touches = ['/accounts'];

interface EndingsProps {
  readonly account: AccountView;
  readonly asks: 'disable' | 'remove' | undefined;
  readonly onClose: () => void;
}

/** Asks before somebody is locked out. */
function Endings({ account, asks, onClose }: EndingsProps) {
  const path = pathOf('accounts', account.id);
  const disable = useDeed(() => manage('PATCH', path, { body: { disabled: true } }), { touches, tells: false });
  const remove = useDeed(() => manage('DELETE', path), { touches, done: 'The account is removed', tells: false });
  const common = { onClose, danger: true };
  return (
    <>
      <ConfirmDeed
        {...common}
        opened={asks === 'disable'}
        title={`Disable ${account.name}`}
        deed="Disable"
        onConfirm={() => disable.mutateAsync()}
      >
        Its sessions end at once, and it cannot sign in until it is enabled again.
      </ConfirmDeed>
      <ConfirmDeed
        {...common}
        opened={asks === 'remove'}
        title={`Remove ${account.name}`}
        deed="Remove"
        onConfirm={() => remove.mutateAsync()}
      >
        Its sessions end at once. What it did stays in the audit log.
      </ConfirmDeed>
    </>
  );
}

import { ActionIcon, Menu } from '@mantine/core';
import { IconBan, IconDots, IconKey, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import { ConfirmAction } from '../../parts/confirm-action';
import type { AccountView, LinkView } from './account-view';

interface AccountActionsProps {
  readonly account: AccountView;
  readonly onLink: (link: LinkView) => void;
}

/** The operator's actions on an account. The own account has none that would lock the operator out. */
export function AccountActions({ account, onLink }: AccountActionsProps) {
  const isOwn = useSession().account?.id === account.id;
  const [confirming, setConfirming] = useState<'disable' | 'remove'>();
  const path = pathOf('accounts', account.id);
  const link = useAction(() => manage<LinkView>('POST', `${path}/link`), { touches });
  const enable = useAction(() => manage('PATCH', path, { body: { disabled: false } }), { touches, done: 'The account is enabled' });
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
          <Menu.Item leftSection={<IconBan size={16} />} disabled={isOwn || account.disabled} onClick={() => setConfirming('disable')}>
            Disable
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} disabled={isOwn} onClick={() => setConfirming('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Endings account={account} confirming={confirming} onClose={() => setConfirming(undefined)} />
    </>
  );
}

const touches = ['/accounts'];

interface EndingsProps {
  readonly account: AccountView;
  readonly confirming: 'disable' | 'remove' | undefined;
  readonly onClose: () => void;
}

/** Confirmation dialogs of the actions that lock a person out. */
function Endings({ account, confirming, onClose }: EndingsProps) {
  const path = pathOf('accounts', account.id);
  const disable = useAction(() => manage('PATCH', path, { body: { disabled: true } }), { touches, showsErrors: false });
  const remove = useAction(() => manage('DELETE', path), { touches, done: 'The account is removed', showsErrors: false });
  const common = { onClose, danger: true };
  return (
    <>
      <ConfirmAction
        {...common}
        opened={confirming === 'disable'}
        title={`Disable ${account.name}`}
        action="Disable"
        onConfirm={() => disable.mutateAsync()}
      >
        Its sessions end at once, and it cannot sign in until it is enabled again.
      </ConfirmAction>
      <ConfirmAction
        {...common}
        opened={confirming === 'remove'}
        title={`Remove ${account.name}`}
        action="Remove"
        onConfirm={() => remove.mutateAsync()}
      >
        Its sessions end at once. What it did stays in the audit log.
      </ConfirmAction>
    </>
  );
}

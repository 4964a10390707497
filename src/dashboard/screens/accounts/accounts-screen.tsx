import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { roleNames } from '../../frame/account-menu';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import type { Column } from '../../parts/records/columns';
import { RecordList } from '../../parts/records/record-list';
import { ShortId } from '../../parts/short-id';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { AccountActions } from './account-actions';
import { type AccountView, appOf, type LinkView, stateOf } from './account-view';
import { InviteDialog } from './invite-dialog';
import { LinkDialog } from './link-dialog';
import { ViewAsMenu } from './view-as-menu';

/** Accounts that may sign in, and partners that the operator may view as. */
export default function AccountsScreen() {
  const [isInviting, invite] = useDisclosure(false);
  const [link, setLink] = useState<LinkView>();
  const inviteButton = (
    <Button leftSection={<IconUserPlus size={18} />} onClick={invite.open}>
      Invite
    </Button>
  );
  return (
    <>
      <PageHead
        title="Accounts"
        lead="Who may sign in. Partners see their own app and its integrations alone."
        actions={
          <Group gap="sm">
            <ViewAsMenu />
            {inviteButton}
          </Group>
        }
      />
      <RecordList<AccountView>
        title="Accounts"
        path="/accounts"
        idOf={({ id }) => id}
        columns={columns}
        actionsOf={(account) => <AccountActions account={account} onLink={setLink} />}
        empty={
          <EmptyState title="No accounts yet" actions={inviteButton}>
            Invite the people of both partners: each sees its own side of every call.
          </EmptyState>
        }
      />
      <InviteDialog opened={isInviting} onClose={invite.close} onInvited={setLink} />
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </>
  );
}

const columns: readonly Column<AccountView>[] = [
  {
    ...{ id: 'name', title: 'Name', text: ({ name }: AccountView) => name, card: 'head' },
    show: ({ name, email }) => (
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </div>
    ),
  },
  { id: 'email', title: 'Email', hidden: true, card: 'nowhere', text: ({ email }) => email, show: ({ email }) => email },
  { id: 'role', title: 'Role', text: ({ role }) => roleNames[role], show: ({ role }) => roleNames[role] },
  {
    ...{ id: 'app', title: 'Works for', text: appOf },
    show: (account) => {
      const app = appOf(account);
      return app === undefined ? 'Pierhead' : <ShortId id={app} what="id" ends={10} />;
    },
  },
  {
    ...{ id: 'state', title: 'State', card: 'side', text: (account: AccountView) => stateOf(account).word },
    show: (account) => <StateBadge tone={stateOf(account).tone}>{stateOf(account).word}</StateBadge>,
  },
  {
    ...{ id: 'signed_in_at', title: 'Last sign-in', text: ({ signed_in_at: at }: AccountView) => at },
    show: ({ signed_in_at: at }) => (at === undefined ? 'Never' : <TimeText at={at} as="distance" />),
  },
  {
    ...{ id: 'created_at', title: 'Created', text: ({ created_at: at }: AccountView) => at },
    show: ({ created_at: at }) => <TimeText at={at} as="whole" />,
  },
];

import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { manage } from '../../api/manage';
import type { Role } from '../../api/session';
import { useAction } from '../../api/use-action';
import { useAttempt } from '../../frame/sign-in/use-attempt';
import { roleNames } from '../../frame/account-menu';
import { ProblemAlert } from '../../parts/problem-alert';
import { nameOf, usePartnerChoice, type PartnerRef } from '../../parts/use-partner-choice';
import type { AccountView, LinkView } from './account-view';

interface InviteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onInvited: (link: LinkView) => void;
}

/** Creates an account, and the link with which its owner signs in first. */
export function InviteDialog({ opened, onClose, onInvited }: InviteProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite somebody" centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <InviteForm onClose={onClose} onInvited={onInvited} />
    </Modal>
  );
}

interface FieldsProps {
  readonly wanted: Wanted;
  readonly change: (part: Partial<Wanted>) => void;
}

interface Wanted {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly partner: PartnerRef | undefined;
}

const bodyOf = ({ email, name, role, partner }: Wanted) => ({
  ...{ email: email.trim(), name: name.trim(), role },
  ...(role === 'host-app' && { client_id: partner?.id }),
  ...(role === 'miniapp' && { app_id: partner?.id }),
});

function InviteForm({ onClose, onInvited }: Omit<InviteProps, 'opened'>) {
  const [wanted, setWanted] = useState<Wanted>({ email: '', name: '', role: 'host-app', partner: undefined });
  const change = (part: Partial<Wanted>): void => setWanted((before) => ({ ...before, ...part }));
  const invite = useAction(() => manage<AccountView & { link: LinkView }>('POST', '/accounts', { body: bodyOf(wanted) }), {
    touches: ['/accounts'],
    showsErrors: false,
  });
  const { error, isPending, submit } = useAttempt(async () => {
    onInvited((await invite.mutateAsync()).link);
    onClose();
  });
  const isWhole = wanted.email.trim() !== '' && wanted.name.trim() !== '' && (wanted.role === 'operator' || wanted.partner !== undefined);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <PersonFields wanted={wanted} change={change} />
        <RoleFields wanted={wanted} change={change} />
        {error !== undefined && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={!isWhole}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PersonFields({ wanted, change }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        required
        value={wanted.email}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      <TextInput
        label="Name"
        required
        maxLength={100}
        value={wanted.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </>
  );
}

function RoleFields({ wanted, change }: FieldsProps) {
  const { partners } = usePartnerChoice();
  const ofKind = partners.filter(({ kind }) => kind === wanted.role);
  return (
    <>
      <Select
        label="Role"
        description={wanted.role === 'operator' ? 'Sees and changes everything' : 'Sees and changes its own app and its integrations alone'}
        data={Object.entries(roleNames).map(([value, label]) => ({ value, label }))}
        value={wanted.role}
        allowDeselect={false}
        onChange={(role) => change({ role: role as Role, partner: undefined })}
      />
      {wanted.role !== 'operator' && (
        <Select
          label={roleNames[wanted.role]}
          placeholder={ofKind.length === 0 ? 'There is none yet' : 'Choose one'}
          required
          searchable={ofKind.length > 8}
          data={ofKind.map((one) => ({ value: nameOf(one), label: `${one.name} (${one.id})` }))}
          value={wanted.partner ? nameOf(wanted.partner) : null}
          onChange={(name) => change({ partner: ofKind.find((one) => nameOf(one) === name) })}
        />
      )}
    </>
  );
}

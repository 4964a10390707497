import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconShare3 } from '@tabler/icons-react';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { CopyButton } from '../../parts/copy-button';
import { Panel } from '../../parts/panel';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';

interface EvidenceLink {
  readonly id: string;
  readonly state: 'open' | 'expired' | 'revoked';
  readonly created_by: string;
  readonly expires_at: string;
  readonly opened: number;
}

const lasts = [
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'Seven days' },
  { value: '2592000', label: '30 days' },
];

/** A button that creates a link for both partners; a dialog shows it once. */
export function ShareEvidence({ exchangeId }: { readonly exchangeId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconShare3 size={16} />} onClick={() => setOpen(true)}>
        Share evidence
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Share evidence" centered closeButtonProps={{ 'aria-label': 'Close' }}>
        <ShareForm exchangeId={exchangeId} />
      </Modal>
    </>
  );
}

function ShareForm({ exchangeId }: { readonly exchangeId: string }) {
  const [expires, setExpires] = useState('604800');
  const share = useAction(
    () =>
      manage<EvidenceLink & { readonly url: string }>('POST', `${pathOf('exchanges', exchangeId)}/evidence`, {
        body: { expires_in_s: Number(expires) },
      }),
    { touches: ['/evidence'] },
  );
  if (share.data) return <MadeLink url={share.data.url} expiresAt={share.data.expires_at} />;
  return (
    <Stack>
      <Text size="sm">
        Whoever has the link sees this call without an account: what happened, who has to act, and what was signed otherwise. Secrets,
        bodies and what tells of users are left out. Pierhead signs it; each opening is counted.
      </Text>
      <Select label="Lasts" data={lasts} value={expires} onChange={(value) => setExpires(value ?? '604800')} allowDeselect={false} />
      <Group justify="flex-end">
        <Button loading={share.isPending} onClick={() => share.mutate()}>
          Make the link
        </Button>
      </Group>
    </Stack>
  );
}

function MadeLink({ url, expiresAt }: { readonly url: string; readonly expiresAt: string }) {
  return (
    <Stack>
      <TextInput
        label="Link"
        description={
          <>
            Shown once, here. Valid until <TimeText at={expiresAt} as="whole" />.
          </>
        }
        readOnly
        value={url}
        rightSection={<CopyButton text={url} what="link" />}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="default" component="a" href={url} target="_blank" rel="noreferrer">
        Open it
      </Button>
    </Stack>
  );
}

/** The existing links of a call, with a button to revoke each. */
export function EvidenceLinkRepository({ exchangeId }: { readonly exchangeId: string }) {
  const { data } = useRecord<{ readonly data: readonly EvidenceLink[] }>('/evidence', { query: { exchange_id: exchangeId } });
  const revoke = useAction((id: string) => manage('DELETE', pathOf('evidence', id)), {
    touches: ['/evidence'],
    done: 'The link leads nowhere any more',
  });
  const links = data?.data ?? [];
  if (links.length === 0) return null;
  return (
    <Panel title="Evidence links">
      <Stack gap="xs">
        {links.map(({ id, state, created_by, expires_at, opened }) => (
          <Group key={id} justify="space-between" gap="xs">
            <Group gap="xs">
              <StateBadge tone={state === 'open' ? 'good' : 'quiet'}>{state}</StateBadge>
              <Text size="sm">
                by {created_by}, until <TimeText at={expires_at} /> · opened {opened} {opened === 1 ? 'time' : 'times'}
              </Text>
            </Group>
            {state === 'open' && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                loading={revoke.isPending && revoke.variables === id}
                onClick={() => revoke.mutate(id)}
              >
                Revoke
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

import { Alert, Button, Group, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmAction } from '../../parts/confirm-action';
import { Panel } from '../../parts/panel';
import { ShortId } from '../../parts/short-id';
import { StateBadge } from '../../parts/state-badge';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Allowlist } from './allowlist';
import { useAllowlistChange } from './use-allowlist';

interface OfList {
  readonly partner: PartnerRef;
  readonly list: Allowlist;
}

/** Turns the list on or off, explains the effect, and shows the viewer's own address. */
export function SwitchPanel({ partner, list }: OfList) {
  const [isConfirming, setConfirming] = useState(false);
  const { mutateAsync } = useAllowlistChange(partner, list.enabled ? 'The allowlist is off' : 'The allowlist is on');
  return (
    <Panel
      title={
        <Group gap="xs" component="span">
          Allowlist <StateBadge tone={list.enabled ? 'good' : 'warn'}>{list.enabled ? 'On' : 'Off'}</StateBadge>
        </Group>
      }
      lead={meaningOf(list)}
      actions={
        <Button variant={list.enabled ? 'default' : 'filled'} onClick={() => setConfirming(true)}>
          {list.enabled ? 'Turn off' : 'Turn on'}
        </Button>
      }
    >
      <Group gap={6}>
        <Text size="sm" c="dimmed">
          Your address now:
        </Text>
        <ShortId id={list.your_address} what="your address" ends={24} />
      </Group>
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={list.enabled ? 'Turn the allowlist off?' : 'Turn the allowlist on?'}
        action={list.enabled ? 'Turn off' : 'Turn on'}
        danger={!list.enabled && list.entries.length === 0}
        onConfirm={() => mutateAsync({ enabled: !list.enabled })}
      >
        <Consequence list={list} />
      </ConfirmAction>
    </Panel>
  );
}

function meaningOf({ enabled, entries }: Allowlist): string {
  if (!enabled) return 'Off. Anyone with a valid signature may call.';
  return entries.length === 0
    ? 'On and empty: every call is refused.'
    : 'Calls from other addresses are refused with NOT_A_WHITELISTED_IP.';
}

function Consequence({ list }: { readonly list: Allowlist }) {
  if (list.enabled) return 'Whoever has valid credentials may then call, from wherever.';
  if (list.entries.length > 0)
    return 'From now on calls from other addresses are refused. Try the list on past calls first, below, if you are not sure.';
  return (
    <Alert color="red" variant="light" icon={<IconInfoCircle />}>
      The list is empty: every call for this partner will be refused until you add an entry.
    </Alert>
  );
}

import { Button, Group, Menu, NumberInput, Select, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconRotateClockwise } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { manage } from '../../api/manage';
import { ConfirmAction } from '../../parts/confirm-action';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { lengthWords } from '../../parts/time-words';
import { useResendActions, type ResendRequest } from './use-delivery-actions';

type Kind = 'failed' | 'missing';

const words = {
  failed: {
    item: 'Recover failed since…',
    title: 'Recover what failed',
    lead: 'Dead letters that were given up since then are queued again.',
  },
  missing: {
    item: 'Replay missing since…',
    title: 'Replay what is missing',
    lead: 'What was queued since then and was not delivered is queued again.',
  },
} as const;

const sinceMs = { '1 hour': 3_600_000, '24 hours': 86_400_000, '7 days': 604_800_000, '30 days': 2_592_000_000 } as const;
type Since = keyof typeof sinceMs;

/** Resends many deliveries: shows their number first, then sends at a given rate per second. */
export function ResendMany() {
  const [kind, setKind] = useState<Kind>();
  return (
    <>
      <Menu position="bottom-end" withArrow shadow="md">
        <Menu.Target>
          <Button variant="default" leftSection={<IconRotateClockwise size={16} />} rightSection={<IconChevronDown size={14} />}>
            Send again
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['failed', 'missing'] as const).map((one) => (
            <Menu.Item key={one} onClick={() => setKind(one)}>
              {words[one].item}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {kind && <ResendDialog key={kind} kind={kind} onClose={() => setKind(undefined)} />}
    </>
  );
}

/** The request of the dialog: deliveries of the partners in the list's filter, in the chosen period before it was opened. */
function useResendRequest(kind: Kind, since: Since): ResendRequest {
  const [search] = useSearchParams();
  const [openedAt] = useState(() => Date.now());
  const partners = ['client_id', 'app_id'].map((name) => [name, search.get(name) ?? ''] as const).filter(([, id]) => id !== '');
  return { [`${kind}_since`]: new Date(openedAt - sinceMs[since]).toISOString(), ...Object.fromEntries<string>(partners) };
}

function ResendDialog({ kind, onClose }: { readonly kind: Kind; readonly onClose: () => void }) {
  const [since, setSince] = useState<Since>('24 hours');
  const [speed, setSpeed] = useState(10);
  const { start } = useResendActions();
  const request = useResendRequest(kind, since);
  const preview = useQuery({
    queryKey: ['/deliveries/resend', request],
    queryFn: () => manage<{ count: number }>('POST', '/deliveries/resend', { body: { ...request, preview: true } }),
  });
  const count = preview.data?.count;
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={words[kind].title}
      action={count === undefined ? 'Send again' : `Send ${count.toLocaleString('en')} again`}
      onConfirm={() => start.mutateAsync({ ...request, per_second: speed })}
    >
      <Stack gap="sm">
        <span>{words[kind].lead} The same ids and bytes, so that receivers know a repeat.</span>
        <Group grow align="flex-start">
          <SinceField since={since} onSet={setSince} />
          <NumberInput
            label="Deliveries a second"
            min={1}
            max={100}
            allowDecimal={false}
            value={speed}
            onChange={(value) => setSpeed(Number(value) || 1)}
          />
        </Group>
        {preview.error && <ProblemAlert error={preview.error} />}
        <Text size="sm" fw={600} role="status">
          {countWords(count, speed)}
        </Text>
      </Stack>
    </ConfirmAction>
  );
}

const SinceField = ({ since, onSet }: { readonly since: Since; readonly onSet: (since: Since) => void }) => (
  <Select
    label="In the last"
    data={Object.keys(sinceMs)}
    value={since}
    allowDeselect={false}
    onChange={(chosen) => onSet((chosen ?? since) as Since)}
  />
);

function countWords(count: number | undefined, speed: number): string {
  if (count === undefined) return 'Counting…';
  return count === 0 ? 'Nothing matches.' : `${plural(count, 'delivery', 'deliveries')}, about ${lengthWords((count / speed) * 1000)}`;
}

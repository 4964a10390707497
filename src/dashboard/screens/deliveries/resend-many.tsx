import { Button, Group, Menu, NumberInput, Select, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconRotateClockwise } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { manage } from '../../api/manage';
import { ConfirmDeed } from '../../parts/confirm-deed';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { lengthWords } from '../../parts/time-words';
import { useResendDeeds, type ResendAsk } from './use-delivery-deeds';

type Kind = 'failed' | 'missing';

const words = {
  failed: {
    item: 'Recover failed since…',
    title: 'Recover what failed',
    lead: 'Dead letters that were given up since then are owed again.',
  },
  missing: {
    item: 'Replay missing since…',
    title: 'Replay what is missing',
    lead: 'What was owed since then and was not delivered is owed again.',
  },
} as const;

const sinceMs = { '1 hour': 3_600_000, '24 hours': 86_400_000, '7 days': 604_800_000, '30 days': 2_592_000_000 } as const;
type Since = keyof typeof sinceMs;

/** Sends many deliveries again: first counted, then so many a second. */
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

/** Which deliveries the dialog means: of the partners that the list is filtered by, since a while before it was opened. */
function useAsk(kind: Kind, since: Since): ResendAsk {
  const [search] = useSearchParams();
  const [openedAt] = useState(() => Date.now());
  const partners = ['client_id', 'app_id'].map((name) => [name, search.get(name) ?? ''] as const).filter(([, id]) => id !== '');
  return { [`${kind}_since`]: new Date(openedAt - sinceMs[since]).toISOString(), ...Object.fromEntries<string>(partners) };
}

function ResendDialog({ kind, onClose }: { readonly kind: Kind; readonly onClose: () => void }) {
  const [since, setSince] = useState<Since>('24 hours');
  const [speed, setSpeed] = useState(10);
  const { start } = useResendDeeds();
  const ask = useAsk(kind, since);
  const preview = useQuery({
    queryKey: ['/deliveries/resend', ask],
    queryFn: () => manage<{ count: number }>('POST', '/deliveries/resend', { body: { ...ask, preview: true } }),
  });
  const count = preview.data?.count;
  return (
    <ConfirmDeed
      opened
      onClose={onClose}
      title={words[kind].title}
      deed={count === undefined ? 'Send again' : `Send ${count.toLocaleString('en')} again`}
      onConfirm={() => start.mutateAsync({ ...ask, per_second: speed })}
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
    </ConfirmDeed>
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

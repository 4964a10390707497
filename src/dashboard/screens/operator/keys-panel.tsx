import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { ConfirmAction } from '../../parts/confirm-action';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { EncryptionKey, Rewrap } from './operator-model';

const path = '/encryption-keys';
const tones: Readonly<Record<Rewrap['state'], Tone>> = {
  running: 'wait',
  done: 'good',
  failed: 'bad',
  cancelled: 'quiet',
  interrupted: 'warn',
};

/** The key ring, and re-sealing of all values with its first key. */
export function KeysPanel() {
  const { data, error, refetch } = useRecord<{ data: readonly EncryptionKey[] }>(path);
  const { data: runs } = useRecord<{ data: readonly Rewrap[] }>(`${path}/rewraps`, { query: { limit: 5 }, everyMs: 2000 });
  const [isConfirming, setConfirming] = useState(false);
  const last = runs?.data[0];
  const keys = data?.data ?? [];
  return (
    <Panel
      title="Encryption keys"
      lead="What seals secrets at rest; the first seals what is written from now on"
      actions={
        <Button size="compact-sm" variant="default" disabled={last?.state === 'running'} onClick={() => setConfirming(true)}>
          Re-wrap keys
        </Button>
      }
    >
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <Stack gap="xs">
        {keys.map((key) => (
          <KeyLine key={key.id} of={key} />
        ))}
        {last && <RewrapLine run={last} />}
      </Stack>
      <RewrapDialog opened={isConfirming} onClose={() => setConfirming(false)} keys={keys} />
    </Panel>
  );
}

interface RewrapDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly keys: readonly EncryptionKey[];
}

function RewrapDialog({ opened, onClose, keys }: RewrapDialogProps) {
  const start = useAction((reason: string) => manage('POST', `${path}/rewraps`, { body: reason === '' ? {} : { reason } }), {
    touches: [path],
    done: 'Sealing anew has begun',
    showsErrors: false,
  });
  const others = keys.filter(({ first, values }) => !first && values > 0);
  return (
    <ConfirmAction
      opened={opened}
      onClose={onClose}
      title="Re-wrap keys"
      action="Start"
      reason="optional"
      onConfirm={(reason) => start.mutateAsync(reason)}
    >
      Every stored secret is opened and sealed anew under <strong>{keys.find(({ first }) => first)?.id ?? 'the first key'}</strong>, while
      Pierhead goes on.{' '}
      {others.length === 0 ? 'All is sealed under it already: nothing will change.' : 'Keep the other keys until it is done.'}
    </ConfirmAction>
  );
}

function KeyLine({ of: { id, first, known, values, by_column } }: { readonly of: EncryptionKey }) {
  const state = first ? 'seals' : !known ? 'not in the ring' : values > 0 ? 'still needed' : 'can be taken out';
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text span ff="monospace" size="sm">
          {id}
        </Text>
        <StateBadge tone={first ? 'good' : !known ? 'bad' : values > 0 ? 'warn' : 'quiet'}>{state}</StateBadge>
      </Group>
      <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {plural(values, 'value')} in {plural(Object.keys(by_column).length, 'column')}
      </Text>
    </Group>
  );
}

function RewrapLine({ run }: { readonly run: Rewrap }) {
  const cancel = useAction(() => manage('POST', `${pathOf('encryption-keys', 'rewraps', run.id)}/cancel`), {
    touches: [path],
    done: 'It stops',
  });
  const resealed = run.columns.reduce((sum, column) => sum + column.resealed, 0);
  const done = run.state === 'done' ? 100 : (run.columns.length / Math.max(1, run.columns_of)) * 100;
  return (
    <Stack gap={4} mt="xs">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm">Last re-wrap</Text>
          <StateBadge tone={tones[run.state]}>{run.state}</StateBadge>
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {resealed.toLocaleString('en')} sealed anew · <TimeText at={run.ended_at ?? run.started_at} as="distance" />
          </Text>
          {run.state === 'running' && (
            <Button size="compact-sm" variant="subtle" color="red" onClick={() => cancel.mutate()}>
              Cancel
            </Button>
          )}
        </Group>
      </Group>
      {run.state === 'running' && <Progress value={done} animated aria-label="Progress of the re-wrap" />}
    </Stack>
  );
}

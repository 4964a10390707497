import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { manage, pathOf } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import { useRecord } from '../../api/use-record';
import { ConfirmDeed } from '../../parts/confirm-deed';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { filteredPath } from '../../parts/records/filters';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { Lane } from './wire';

const tones: Readonly<Record<Lane['state'], Tone>> = {
  clear: 'good',
  troubled: 'warn',
  open: 'bad',
  'half-open': 'wait',
  recovering: 'wait',
  paused: 'info',
};

/** Endpoints that fail, with their circuit breakers: while one is open its endpoint gets one probe at a time. */
export function LanesPanel() {
  const { data, error, refetch } = useRecord<{ data: readonly Lane[] }>('/delivery-lanes', {
    query: { limit: 200 },
    live: 'deliveries',
    everyMs: 10_000,
  });
  const [released, setReleased] = useState<string>();
  const release = useDeed(
    ({ lane, reason }: { lane: string; reason: string }) =>
      manage('POST', `${pathOf('delivery-lanes', lane)}/release`, { body: reason === '' ? {} : { reason } }),
    { touches: ['/delivery-lanes'], done: 'What waits is released', tells: false },
  );
  const lanes = data?.data ?? [];
  return (
    <Panel title="Circuit breakers" lead="Endpoints in trouble, or for which something waits">
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data && lanes.length === 0 && (
        <EmptyState icon={IconCircleCheck} title="All endpoints take their deliveries">
          An endpoint that fails five times in a row appears here and is left alone until it answers again.
        </EmptyState>
      )}
      <Stack gap="xs">
        {lanes.map((lane) => (
          <LaneLine key={lane.lane} lane={lane} onRelease={() => setReleased(lane.lane)} />
        ))}
      </Stack>
      <ConfirmDeed
        opened={released !== undefined}
        onClose={() => setReleased(undefined)}
        title="Close the breaker"
        deed="Release what waits"
        reason="required"
        onConfirm={(reason) => release.mutateAsync({ lane: released ?? '', reason })}
      >
        All that waits for this endpoint is delivered from now on, as fast as it takes it. If it still fails, the circuit opens again.
      </ConfirmDeed>
    </Panel>
  );
}

function LaneLine({ lane, onRelease }: { readonly lane: Lane; readonly onRelease: () => void }) {
  const [receiver = '', id = '', kind = ''] = lane.lane.split(':');
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Group gap="xs">
          <Text span ff="monospace" size="sm">
            {id}
          </Text>
          <StateBadge tone={tones[lane.state]}>{lane.state}</StateBadge>
        </Group>
        <Text size="xs" c="dimmed">
          {kind}s to the {receiver === 'hostapp' ? 'host app' : 'miniapp'} · {lane.waiting.toLocaleString('en')} waiting
          {lane.failures > 0 && ` · ${plural(lane.failures, 'failure')} in a row`}
          {lane.next_look_at !== undefined && (
            <>
              {' '}
              · looked into <TimeText at={lane.next_look_at} as="distance" />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          component={Link}
          to={filteredPath('/deliveries', receiver === 'hostapp' ? { client_id: id } : { app_id: id })}
          size="compact-sm"
          variant="subtle"
        >
          Deliveries
        </Button>
        {lane.state !== 'clear' && (
          <Button size="compact-sm" variant="default" onClick={onRelease}>
            Close breaker
          </Button>
        )}
      </Group>
    </Group>
  );
}

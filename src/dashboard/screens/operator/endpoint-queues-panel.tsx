import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { ConfirmAction } from '../../parts/confirm-action';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { filteredPath } from '../../parts/records/filters';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { Queue } from './operator-model';

const tones: Readonly<Record<Queue['state'], Tone>> = {
  clear: 'good',
  failing: 'warn',
  open: 'bad',
  'half-open': 'wait',
  recovering: 'wait',
  paused: 'info',
};

/** Failing endpoints and their circuit breakers. While a breaker is open, its endpoint gets one probe at a time. */
export function EndpointQueuesPanel() {
  const { data, error, refetch } = useRecord<{ data: readonly Queue[] }>('/endpoint-queues', {
    query: { limit: 200 },
    live: 'deliveries',
    everyMs: 10_000,
  });
  const [released, setReleased] = useState<string>();
  const release = useAction(
    ({ queue, reason }: { queue: string; reason: string }) =>
      manage('POST', `${pathOf('endpoint-queues', queue)}/release`, { body: reason === '' ? {} : { reason } }),
    { touches: ['/endpoint-queues'], done: 'What waits is released', showsErrors: false },
  );
  const queues = data?.data ?? [];
  return (
    <Panel title="Circuit breakers" lead="Endpoints in trouble, or for which something waits">
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data && queues.length === 0 && (
        <EmptyState icon={IconCircleCheck} title="All endpoints take their deliveries">
          An endpoint that fails five times in a row appears here and is left alone until it answers again.
        </EmptyState>
      )}
      <Stack gap="xs">
        {queues.map((queue) => (
          <QueueLine key={queue.queue} queue={queue} onRelease={() => setReleased(queue.queue)} />
        ))}
      </Stack>
      <ConfirmAction
        opened={released !== undefined}
        onClose={() => setReleased(undefined)}
        title="Close the breaker"
        action="Release what waits"
        reason="required"
        onConfirm={(reason) => release.mutateAsync({ queue: released ?? '', reason })}
      >
        All that waits for this endpoint is delivered from now on, as fast as it takes it. If it still fails, the circuit opens again.
      </ConfirmAction>
    </Panel>
  );
}

function QueueLine({ queue, onRelease }: { readonly queue: Queue; readonly onRelease: () => void }) {
  const [receiver = '', id = '', kind = ''] = queue.queue.split(':');
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Group gap="xs">
          <Text span ff="monospace" size="sm">
            {id}
          </Text>
          <StateBadge tone={tones[queue.state]}>{queue.state}</StateBadge>
        </Group>
        <Text size="xs" c="dimmed">
          {kind}s to the {receiver === 'hostapp' ? 'host app' : 'miniapp'} · {queue.waiting.toLocaleString('en')} waiting
          {queue.failures > 0 && ` · ${plural(queue.failures, 'failure')} in a row`}
          {queue.next_probe_at !== undefined && (
            <>
              {' '}
              · probed <TimeText at={queue.next_probe_at} as="distance" />
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
        {queue.state !== 'clear' && (
          <Button size="compact-sm" variant="default" onClick={onRelease}>
            Close breaker
          </Button>
        )}
      </Group>
    </Group>
  );
}

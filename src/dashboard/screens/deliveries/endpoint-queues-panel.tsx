import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useRecord } from '../../api/use-record';
import type { Page } from '../../api/use-records';
import { ConfirmAction } from '../../parts/confirm-action';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { queueProbe, queueWords, type DeliveryFigureReader, type Queue } from './delivery-model';
import { useQueueActions } from './use-delivery-actions';

/** A released queue recovers without an event, so it is polled until it is clear or paused. */
const settleMs = (queues: Page<Queue> | undefined): number | undefined =>
  queues?.data.some(({ state }) => state !== 'paused') === true ? 2000 : undefined;

/** Endpoints that are paused, failing or have waiting deliveries; and a button to pause any endpoint. */
export function EndpointQueuesPanel() {
  const { data, error, refetch } = useRecord<Page<Queue>>('/endpoint-queues', {
    live: 'deliveries',
    query: { limit: 200 },
    everyMs: settleMs,
  });
  const queues = data?.data ?? [];
  return (
    <Panel title="Endpoints" lead="Paused, in trouble, or with something waiting" actions={<PauseButton queues={queues} />}>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data && queues.length === 0 && (
        <Text size="sm" c="dimmed">
          All endpoints are well, and nothing waits.
        </Text>
      )}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Endpoints">
        {queues.map((queue) => (
          <EndpointQueueRow key={queue.queue} queue={queue} />
        ))}
      </Stack>
    </Panel>
  );
}

function EndpointQueueRow({ queue }: { readonly queue: Queue }) {
  const [tone, words] = queueProbe(queue);
  return (
    <Group component="li" justify="space-between" gap="xs" py={6} style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <StateBadge tone={tone}>{words}</StateBadge>
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {queueWords(queue.queue)}
          </Text>
        </Group>
        <EndpointNews queue={queue} />
      </div>
      <QueueAction queue={queue} />
    </Group>
  );
}

function EndpointNews({ queue: { state, waiting, oldest, next_probe_at: nextProbeAt, paused } }: { readonly queue: Queue }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      {waiting.toLocaleString('en')} waiting
      {oldest !== undefined && (
        <>
          , the oldest since <TimeText at={oldest} as="distance" />
        </>
      )}
      {nextProbeAt !== undefined && state !== 'half-open' && state !== 'recovering' && (
        <>
          ; probed <TimeText at={nextProbeAt} as="distance" />
        </>
      )}
      {paused && (
        <>
          ; “{paused.reason}”, by {paused.by} <TimeText at={paused.at} as="distance" />
        </>
      )}
    </Text>
  );
}

function QueueAction({ queue: { queue: name, state } }: { readonly queue: Queue }) {
  const { resume, release } = useQueueActions();
  if (state === 'paused') {
    return (
      <Button size="compact-sm" leftSection={<IconPlayerPlay size={14} />} loading={resume.isPending} onClick={() => resume.mutate(name)}>
        Resume
      </Button>
    );
  }
  if (state !== 'open' && state !== 'failing') return null;
  const mark = <IconRefresh size={14} />;
  return (
    <Button size="compact-sm" variant="default" leftSection={mark} loading={release.isPending} onClick={() => release.mutate(name)}>
      It is back: release
    </Button>
  );
}

/** Endpoints that can be paused: those in the list, and receivers of deliveries in the page's range. */
function usePausable(queues: readonly Queue[]): readonly string[] {
  const { data } = useRecord<DeliveryFigureReader>('/figures/deliveries', { ranged: true });
  const paused = new Set(queues.filter(({ state }) => state === 'paused').map(({ queue }) => queue));
  return [...new Set([...queues, ...(data?.endpoints ?? [])].map(({ queue }) => queue))].filter((queue) => !paused.has(queue));
}

function PauseButton({ queues }: { readonly queues: readonly Queue[] }) {
  const [isConfirming, setConfirming] = useState(false);
  const [chosen, choose] = useState<string | null>(null);
  const { pause } = useQueueActions();
  const known = usePausable(queues);
  const name = chosen ?? known[0];
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlayerPause size={14} />}
        disabled={name === undefined}
        onClick={() => setConfirming(true)}
      >
        Pause an endpoint
      </Button>
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Pause an endpoint?"
        action="Pause"
        reason="required"
        onConfirm={(reason) => pause.mutateAsync({ name: name ?? '', reason })}
      >
        <Stack gap="sm">
          <Select
            label="Endpoint"
            data={known.map((queue) => ({ value: queue, label: queueWords(queue) }))}
            value={name ?? null}
            onChange={choose}
            allowDeselect={false}
          />
          <PauseWords />
        </Stack>
      </ConfirmAction>
    </>
  );
}

const PauseWords = () => (
  <span>
    Its deliveries wait until it is resumed; nothing is lost and nothing is given up for its age. A delivery that you resend by itself still
    goes.
  </span>
);

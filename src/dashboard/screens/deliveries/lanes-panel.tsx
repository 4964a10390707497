import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useRecord } from '../../api/use-record';
import type { Page } from '../../api/use-records';
import { ConfirmDeed } from '../../parts/confirm-deed';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { laneLook, laneWords, type DeliveryFigures, type Lane } from './delivery-wire';
import { useLaneDeeds } from './use-delivery-deeds';

/** A released lane recovers without an event, so it is polled until it is clear or paused. */
const settleMs = (lanes: Page<Lane> | undefined): number | undefined =>
  lanes?.data.some(({ state }) => state !== 'paused') === true ? 2000 : undefined;

/** Endpoints that are paused, in trouble, or for which something waits; and a pause for any. */
export function LanesPanel() {
  const { data, error, refetch } = useRecord<Page<Lane>>('/delivery-lanes', {
    live: 'deliveries',
    query: { limit: 200 },
    everyMs: settleMs,
  });
  const lanes = data?.data ?? [];
  return (
    <Panel title="Endpoints" lead="Paused, in trouble, or with something waiting" deeds={<PauseButton lanes={lanes} />}>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data && lanes.length === 0 && (
        <Text size="sm" c="dimmed">
          All endpoints are well, and nothing waits.
        </Text>
      )}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Endpoints">
        {lanes.map((lane) => (
          <LaneRow key={lane.lane} lane={lane} />
        ))}
      </Stack>
    </Panel>
  );
}

function LaneRow({ lane }: { readonly lane: Lane }) {
  const [tone, words] = laneLook(lane);
  return (
    <Group component="li" justify="space-between" gap="xs" py={6} style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <StateBadge tone={tone}>{words}</StateBadge>
          <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {laneWords(lane.lane)}
          </Text>
        </Group>
        <LaneNews lane={lane} />
      </div>
      <LaneDeed lane={lane} />
    </Group>
  );
}

function LaneNews({ lane: { state, waiting, oldest, next_look_at: look, paused } }: { readonly lane: Lane }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      {waiting.toLocaleString('en')} waiting
      {oldest !== undefined && (
        <>
          , the oldest since <TimeText at={oldest} as="distance" />
        </>
      )}
      {look !== undefined && state !== 'half-open' && state !== 'recovering' && (
        <>
          ; looked at <TimeText at={look} as="distance" />
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

function LaneDeed({ lane: { lane: name, state } }: { readonly lane: Lane }) {
  const { resume, release } = useLaneDeeds();
  if (state === 'paused') {
    return (
      <Button size="compact-sm" leftSection={<IconPlayerPlay size={14} />} loading={resume.isPending} onClick={() => resume.mutate(name)}>
        Resume
      </Button>
    );
  }
  if (state !== 'open' && state !== 'troubled') return null;
  const mark = <IconRefresh size={14} />;
  return (
    <Button size="compact-sm" variant="default" leftSection={mark} loading={release.isPending} onClick={() => release.mutate(name)}>
      It is back: release
    </Button>
  );
}

/** The endpoints that can be paused: those of the list, and those that anything went to in the page's range. */
function usePausable(lanes: readonly Lane[]): readonly string[] {
  const { data } = useRecord<DeliveryFigures>('/figures/deliveries', { ranged: true });
  const paused = new Set(lanes.filter(({ state }) => state === 'paused').map(({ lane }) => lane));
  return [...new Set([...lanes, ...(data?.endpoints ?? [])].map(({ lane }) => lane))].filter((lane) => !paused.has(lane));
}

function PauseButton({ lanes }: { readonly lanes: readonly Lane[] }) {
  const [isAsking, setAsking] = useState(false);
  const [chosen, choose] = useState<string | null>(null);
  const { pause } = useLaneDeeds();
  const known = usePausable(lanes);
  const name = chosen ?? known[0];
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlayerPause size={14} />}
        disabled={name === undefined}
        onClick={() => setAsking(true)}
      >
        Pause an endpoint
      </Button>
      <ConfirmDeed
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Pause an endpoint?"
        deed="Pause"
        reason="required"
        onConfirm={(reason) => pause.mutateAsync({ name: name ?? '', reason })}
      >
        <Stack gap="sm">
          <Select
            label="Endpoint"
            data={known.map((lane) => ({ value: lane, label: laneWords(lane) }))}
            value={name ?? null}
            onChange={choose}
            allowDeselect={false}
          />
          <PauseWords />
        </Stack>
      </ConfirmDeed>
    </>
  );
}

const PauseWords = () => (
  <span>
    What is owed to it waits until it is resumed; nothing is lost and nothing is given up for its age. A delivery that you resend by itself
    still goes.
  </span>
);

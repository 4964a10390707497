import { Button, Group, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { pathOf } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import type { Page } from '../../api/use-records';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { Resend } from './delivery-model';
import { useResendActions } from './use-delivery-actions';

/** The latest resends. Renders nothing without any. */
export function BatchesPanel() {
  const { data } = useRecord<Page<Resend>>('/resends', { live: 'deliveries', query: { limit: 5 } });
  const batches = data?.data ?? [];
  if (batches.length === 0) return null;
  return (
    <Panel title="Batches" lead="Deliveries that were sent again many at once">
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Batches">
        {batches.map((batch) => (
          <Batch key={batch.id} batch={batch} />
        ))}
      </Stack>
    </Panel>
  );
}

const tones = { running: 'wait', done: 'good', cancelled: 'quiet' } as const;

function Batch({ batch: { id, state, count, per_second: speed, created_at: at } }: { readonly batch: Resend }) {
  const { cancel } = useResendActions();
  const progress = useRecord<{ waiting: number; delivered: number; failed: number }>(pathOf('resends', id), { everyMs: 3000 });
  const { waiting = 0, delivered = 0, failed = 0 } = progress.data ?? {};
  return (
    <Group component="li" justify="space-between" gap="xs" py={6} style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
      <div>
        <Group gap="xs">
          <StateBadge tone={tones[state]}>{state}</StateBadge>
          <Text size="sm">
            {plural(count, 'delivery', 'deliveries')}, {speed} a second, <TimeText at={at} as="distance" />
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {delivered} delivered, {failed} failed, {waiting} waiting
        </Text>
      </div>
      {state !== 'cancelled' && waiting > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconX size={14} />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(id)}
        >
          Cancel batch
        </Button>
      )}
    </Group>
  );
}

import { Button, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { ConfirmAction } from '../../parts/confirm-action';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { ShortId } from '../../parts/short-id';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { lengthWords } from '../../parts/time-words';
import { type Instance, sizeWords } from './operator-model';

interface Answer {
  readonly data: readonly Instance[];
}

const tones: Readonly<Record<Instance['state'], Tone>> = { serving: 'good', draining: 'wait', lost: 'bad', left: 'quiet' };
const heads = ['Instance', 'State', 'Version', 'Started', 'Last seen', 'Loop delay', 'Pool', 'Calls', 'Shed', 'Memory', 'CPU', ''];

/** Processes of the service that have announced themselves in the last seconds. */
export function InstancesPanel() {
  const { data, error, refetch } = useRecord<Answer>('/operations/instances', { query: { limit: 200 }, everyMs: 5000 });
  const [drained, setDrained] = useState<Instance>();
  const drain = useAction(
    ({ id, reason }: { id: string; reason: string }) =>
      manage('POST', `${pathOf('operations', 'instances', id)}/drain`, { body: reason === '' ? {} : { reason } }),
    { touches: ['/operations/instances'], done: 'The instance is asked to leave', showsErrors: false },
  );
  const instances = data?.data ?? [];
  const serving = instances.filter(({ state }) => state === 'serving').length;
  return (
    <Panel title="Instances" lead={`${data ? String(serving) : '…'} serving; each announces itself every 5 s`} flush>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <InstanceTable instances={data?.data} onDrain={setDrained} />
      <ConfirmAction
        opened={drained !== undefined}
        onClose={() => setDrained(undefined)}
        title="Drain this instance"
        action="Drain"
        danger
        reason="optional"
        onConfirm={(reason) => drain.mutateAsync({ id: drained?.id ?? '', reason })}
      >
        It takes no more connections, answers what it has begun and ends, as if its supervisor had told it to.{' '}
        {serving <= 1 && <strong>It is the only one that serves: until it is started again, nobody answers.</strong>}
      </ConfirmAction>
    </Panel>
  );
}

interface InstanceTableProps {
  /** Absent until it is loaded. */
  readonly instances: readonly Instance[] | undefined;
  readonly onDrain: (instance: Instance) => void;
}

function InstanceTable({ instances, onDrain }: InstanceTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={1080}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Instances, scrolls sideways' } }}
    >
      <Table verticalSpacing="xs" horizontalSpacing="sm" fz="sm" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head === '' ? <VisuallyHidden>Actions</VisuallyHidden> : head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {instances === undefined && <RowToCome />}
          {instances?.map((instance) => (
            <InstanceRow key={instance.id} instance={instance} onDrain={() => onDrain(instance)} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A placeholder row, so that the layout moves little when the instances arrive. */
const RowToCome = () => (
  <Table.Tr>
    <Table.Td colSpan={heads.length}>
      <Skeleton height={26} role="status" aria-label="Loading" />
    </Table.Td>
  </Table.Tr>
);

function InstanceRow({ instance, onDrain }: { readonly instance: Instance; readonly onDrain: () => void }) {
  const { id, state, role, version, event_loop_delay_ms: delay, pool, shed } = instance;
  return (
    <Table.Tr {...(state === 'left' && { c: 'dimmed' })}>
      <Table.Td>
        <ShortId id={id} what="instance id" />
        {role === 'worker' && (
          <Text span size="xs" c="dimmed">
            {' '}
            worker
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateBadge tone={tones[state]}>{state}</StateBadge>
      </Table.Td>
      <Table.Td>{version}</Table.Td>
      <Table.Td>
        <TimeText at={instance.started_at} />
      </Table.Td>
      <Table.Td>{lengthWords(Math.round(instance.silent_ms / 1000) * 1000)} ago</Table.Td>
      <Table.Td title="99 of 100 are shorter">{delay.p99.toFixed(1)} ms</Table.Td>
      <Table.Td>
        {pool.in_use} of {pool.max} in use{pool.waiting > 0 && `, ${String(pool.waiting)} waiting`}
      </Table.Td>
      <Table.Td>{instance.calls}</Table.Td>
      <Table.Td>{shed.first + shed.next + shed.last}</Table.Td>
      <Table.Td>{sizeWords(instance.memory_bytes)}</Table.Td>
      <Table.Td>{(instance.processor * 100).toFixed(0)} %</Table.Td>
      <Table.Td>
        {state === 'serving' && (
          <Button size="compact-sm" variant="default" onClick={onDrain}>
            Drain
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

import { Button, Table, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { StateBadge } from '../../parts/state-badge';
import type { DemoRun, DemoLeg } from './sandbox-model';

const words = { none: 'not run yet', running: 'running', 'as-expected': 'as expected', 'not-as-expected': 'not as expected' } as const;
const tones = { none: 'quiet', running: 'wait', 'as-expected': 'good', 'not-as-expected': 'bad' } as const;

/** The demo: users sign on, pay and send events through both simulated partners. Shows each call as it is made. */
export function DemoPanel() {
  const { data } = useRecord<DemoRun>('/sandbox/demo', { everyMs: 1000 });
  const start = useAction(() => manage('POST', '/sandbox/demo'), {
    touches: ['/sandbox', '/exchanges', '/payments', '/deliveries'],
    done: 'The scenario has begun',
  });
  const { state = 'none', legs = [] } = data ?? {};
  return (
    <Panel
      title="Scenario"
      lead="Sign-on, payments, events and analytics from end to end, over real HTTP"
      actions={
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={state === 'running' || start.isPending}
          onClick={() => start.mutate()}
        >
          Run scenario
        </Button>
      }
    >
      <div role="status">
        <StateBadge tone={tones[state]}>{words[state]}</StateBadge>
        {legs.length > 0 && (
          <Text span size="sm" c="dimmed" ml="xs">
            {plural(legs.length, 'call')}
          </Text>
        )}
      </div>
      {legs.length > 0 && <Legs legs={legs} />}
    </Panel>
  );
}

function Legs({ legs }: { readonly legs: readonly DemoLeg[] }) {
  return (
    <Table.ScrollContainer
      minWidth={300}
      mah={360}
      mt="sm"
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Calls of the scenario' } }}
    >
      <Table fz="sm" verticalSpacing={4} horizontalSpacing="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Who calls whom</Table.Th>
            <Table.Th>Call</Table.Th>
            <Table.Th ta="right">Status</Table.Th>
            <Table.Th ta="right">Took</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {legs.map((leg, i) => (
            <LegRow key={i} leg={leg} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function LegRow({ leg }: { readonly leg: DemoLeg }) {
  return (
    <Table.Tr>
      <Table.Td style={{ paddingInlineStart: leg.inner ? 28 : undefined }}>
        {leg.from} →{'\u00a0'}
        {leg.to.replaceAll(' ', '\u00a0')}
      </Table.Td>
      <Table.Td>
        <Text span ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
          {leg.call}
        </Text>
        {leg.problem !== undefined && (
          <Text size="xs" c="red" component="div">
            {leg.problem}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{leg.status ?? '–'}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {leg.ms} ms
      </Table.Td>
    </Table.Tr>
  );
}

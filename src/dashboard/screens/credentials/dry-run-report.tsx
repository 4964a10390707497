import { Anchor, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { filteredPath } from '../../parts/records/filters';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { DifferingCall, TriedDryRun } from './dry-run';

/** Maximum calls in the list. */
const shown = 50;

/** A summary such as "would have refused 12 of 500" with these calls, or that the other side has switched. */
export function DryRunReport({ dryRun: { mode, report } }: { readonly dryRun: TriedDryRun }) {
  const { of_last: last, counts, differing } = report;
  if (counts.passed + counts.refused + counts.gained === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No call has come since: nothing can be said yet.
      </Text>
    );
  }
  const isClean = last.refused === 0;
  const words = mode === 'accept' ? `${count(last.refused)} of the last ${count(last.calls)} calls came the old way` : wouldRefuse(last);
  return (
    <Stack gap="sm">
      <Group gap="xs" role="status">
        <StateBadge tone={isClean ? 'good' : 'warn'}>{isClean ? 'Ready' : mode === 'accept' ? 'Going over' : 'Would refuse'}</StateBadge>
        <Text size="sm">
          {words}
          {differing.length > 0 && ', here they are:'}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        In all: {count(counts.passed)} passed, {count(counts.refused)} would be refused
        {counts.gained > 0 && `, ${count(counts.gained)} that are refused now would be let in`}.
      </Text>
      {differing.length > 0 && <DifferingCalls calls={differing.slice(0, shown)} />}
    </Stack>
  );
}

const count = (number: number): string => number.toLocaleString('en');
const wouldRefuse = ({ refused, calls }: TriedDryRun['report']['of_last']): string =>
  `Would have refused ${count(refused)} of ${count(calls)} calls`;

function DifferingCalls({ calls }: { readonly calls: readonly DifferingCall[] }) {
  return (
    <ScrollArea.Autosize mah={320} type="auto">
      <Table aria-label="Calls that would fare otherwise" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            <Table.Th>Request</Table.Th>
            <Table.Th>Path</Table.Th>
            <Table.Th>Why</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {calls.map((call) => (
            <Table.Tr key={`${call.request_id} ${call.at}`}>
              <Table.Td>
                <TimeText at={call.at} as="distance" />
              </Table.Td>
              <Table.Td>
                <Anchor component={Link} size="sm" ff="monospace" to={filteredPath('/requests', { request_id: call.request_id })}>
                  {call.request_id}
                </Anchor>
              </Table.Td>
              <Table.Td ff="monospace" fz="sm">
                {call.path}
              </Table.Td>
              <Table.Td>
                {call.verdict === 'gained' ? 'would be let in' : [call.error_code, call.cause].filter(Boolean).join(': ')}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

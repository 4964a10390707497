import { Anchor, Table, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { useRecord } from '../../api/use-record';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { filteredPath, filtersIn } from '../../parts/records/filters';
import { useRangeSearch } from '../../parts/range/use-range';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { StatusBadge } from './request-details';
import type { Ending, ErrorFigures } from './request-figures';
import { figureFilters } from './request-columns';
import { callWords, queueTitles, type Lane } from './request-model';

/** Failures grouped by cause, most frequent first; each links to its calls. */
export function CausesPanel() {
  const [search] = useSearchParams();
  const range = useRangeSearch();
  const query = filtersIn(search, figureFilters);
  const { data, error, isPending, refetch } = useRecord<ErrorFigures>('/figures/errors', { query, ranged: true, live: 'exchanges' });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (isPending) return <ScreenSkeleton />;
  if (data.failures.length === 0) return <EmptyState title="Nothing failed">Every call in this range went well.</EmptyState>;
  const kept = Object.fromEntries(new URLSearchParams(range));
  return (
    <Panel title="By cause" flush>
      <Table.ScrollContainer minWidth={560}>
        <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Error code</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Failed at</Table.Th>
              <Table.Th ta="right">Calls</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.failures.map((ending, i) => (
              <CauseRow key={i} ending={ending} to={filteredPath('/requests', { ...query, ...filtersOf(ending), ...kept })} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

const filtersOf = ({ error_code, failed_side, status }: Ending) => ({
  error_code,
  failed_side,
  ...(error_code === undefined && { status }),
});

function CauseRow({
  ending: { error_code, status, failed_side, failed_step, count },
  to,
}: {
  readonly ending: Ending;
  readonly to: string;
}) {
  const side = failed_side === undefined ? 'the call itself' : queueTitles[failed_side as Lane];
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={to} ff="monospace" size="sm">
          {error_code ?? String(status)}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{failed_step === undefined ? side : `${side}: ${callWords(failed_step)}`}</Text>
      </Table.Td>
      <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {count.toLocaleString('en')}
      </Table.Td>
    </Table.Tr>
  );
}

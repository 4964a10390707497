import { Stack, Text } from '@mantine/core';
import { pathOf } from '../../api/manage';
import { msText, percentText, successOf, totalOf, type PairFigures } from '../../parts/figures/figures';
import { useRangeSearch } from '../../parts/range/use-range';
import type { Column } from '../../parts/records/columns';
import type { Filter } from '../../parts/records/filters';
import { RecordList } from '../../parts/records/record-list';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { healthOf } from './integration';
import { pairName, type KnownPartners } from './partner-names';
import { Sparkline } from './sparkline';

const filters: readonly Filter[] = [
  {
    name: 'order',
    title: 'Order',
    choices: [
      { value: 'traffic', label: 'Most requests first' },
      { value: 'failures', label: 'Most failures first' },
    ],
  },
  { name: 'client_id', title: 'Host app', example: 'host_…' },
  { name: 'app_id', title: 'Miniapp', example: 'app_…' },
];

/** A larger page can exceed the answer's deadline. */
const aPage = { limit: 50 };

const failedOf = (figures: PairFigures): number => totalOf(figures) - figures.ok;
const count = (value: number): string => value.toLocaleString('en');

const columnsFor = (partners: KnownPartners): readonly Column<PairFigures>[] => [
  {
    ...{ id: 'pair', title: 'Integration', card: 'head', text: ({ client_id: host, app_id: app }) => `${host} ${app}` },
    show: (row) => (
      <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {pairName(row, partners)}
      </Text>
    ),
  },
  {
    ...{ id: 'health', title: 'Health', card: 'side', text: (row) => healthOf(row).words },
    show: (row) => <StateBadge tone={healthOf(row).tone}>{healthOf(row).words}</StateBadge>,
  },
  { id: 'course', title: 'Course', show: ({ series }) => <Sparkline series={series} /> },
  { id: 'requests', title: 'Requests', align: 'right', text: totalOf, show: (row) => count(totalOf(row)) },
  { id: 'failed', title: 'Failed', align: 'right', text: failedOf, show: (row) => count(failedOf(row)) },
  { id: 'success', title: 'Success', align: 'right', text: successOf, show: (row) => percentText(successOf(row)) },
  { id: 'p95', title: 'p95', align: 'right', text: ({ p95 }) => p95, show: ({ p95 }) => msText(p95) },
  {
    id: 'host',
    title: 'Host app ms',
    align: 'right',
    hidden: true,
    text: (row) => row.host_app_ms,
    show: (row) => msText(row.host_app_ms),
  },
  { id: 'mini', title: 'Miniapp ms', align: 'right', hidden: true, text: (row) => row.miniapp_ms, show: (row) => msText(row.miniapp_ms) },
  { id: 'last', title: 'Last call', text: ({ last_at: at }) => at, show: ({ last_at: at }) => <TimeText at={at} as="distance" /> },
];

/** Integrations with traffic in the range, busiest first. */
export function TrafficList(partners: KnownPartners) {
  const range = useRangeSearch();
  return (
    <RecordList<PairFigures>
      title="Traffic of integrations"
      path="/figures/integrations"
      columns={columnsFor(partners)}
      filters={filters}
      query={aPage}
      ranged
      idOf={({ client_id: host, app_id: app }) => `${host}/${app}`}
      linkOf={({ client_id: host, app_id: app }) => `/integrations${pathOf(host, app)}${range}`}
      empty={
        <Stack p="lg">
          <Text c="dimmed" size="sm">
            No integration had traffic in this range.
          </Text>
        </Stack>
      }
    />
  );
}

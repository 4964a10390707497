import { SimpleGrid } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useRecord } from '../../api/use-record';
import { Bars } from '../../parts/charts/bars';
import { ChartCard } from '../../parts/charts/chart-card';
import { HeatMap } from '../../parts/charts/heat-map';
import { axisLabel } from '../../parts/charts/time-axis';
import { filtersIn } from '../../parts/records/filters';
import { useListLink } from '../../parts/records/use-list-link';
import { useZone } from '../../parts/use-zone';
import { figureFilters } from './request-columns';
import { errorItems, spreadOf, type ErrorFigures, type SpreadFigures } from './request-figures';

/** Durations of calls over time, and their results; a click opens these calls. */
export function RequestCharts() {
  const [search] = useSearchParams();
  const query = filtersIn(search, figureFilters);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <SpreadCard query={query} />
      <EndingsCard query={query} />
    </SimpleGrid>
  );
}

interface CardProps {
  readonly query: Readonly<Record<string, string>>;
}

function SpreadCard({ query }: CardProps) {
  const { data, isPending, error, refetch } = useRecord<SpreadFigures>('/figures/spread', { query, ranged: true, live: 'exchanges' });
  const toList = useListLink('/requests');
  const [zone] = useZone();
  const { columns, rows, valueAt, total } = spreadOf(data);
  const pick = (column: number, row: number): void => {
    const from = columns[column] ?? 0;
    const to = from + (data?.slot_s ?? 60) * 1000;
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    toList({ ...query, ...range, min_ms: rows[row]?.fromMs });
  };
  const table = {
    first: 'Time',
    heads: rows.map(({ title }) => title),
    rows: columns.map((at, x) => [axisLabel(at, zone), ...rows.map((_, y) => valueAt(x, y))]),
  };
  return (
    <ChartCard
      title="How long calls took"
      unit="calls by time and duration"
      table={table}
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      {...(total === 0 && { empty: 'No calls in this range' })}
    >
      <HeatMap columns={columns} rows={rows.map(({ title }) => title)} valueAt={valueAt} what="calls" onPick={pick} />
    </ChartCard>
  );
}

function EndingsCard({ query }: CardProps) {
  const { data, isPending, error, refetch } = useRecord<ErrorFigures>('/figures/errors', { query, ranged: true, live: 'exchanges' });
  const toList = useListLink('/requests');
  const items = errorItems(data);
  const pick = (id: string): void => toList({ ...query, ...items.find((item) => item.id === id)?.filters });
  return (
    <ChartCard
      title="How calls ended"
      height={160}
      unit="top status and error codes"
      table={{ first: 'Ending', heads: ['Calls'], rows: items.map(({ title, value }) => [title, value]) }}
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      {...(items.length === 0 && { empty: 'No calls in this range' })}
    >
      <Bars items={items} onPick={pick} />
    </ChartCard>
  );
}

import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRecord } from '../../api/use-record';
import { ChartCard } from '../../parts/charts/chart-card';
import { Lines } from '../../parts/charts/lines';
import { outcomeColors } from '../../parts/charts/palette';
import { StackedColumns } from '../../parts/charts/stacked-columns';
import { useRange } from '../../parts/range/use-range';
import { dayAfter, dayOf, everyDay } from './every-day';
import type { Pair } from './pair-select';
import type { PaidDay } from './analytics-model';

const heads = ['Reported', 'Sum reported', 'Relayed', 'Sum relayed', 'Difference'];
const series = [
  { name: 'reported', title: 'Reported by the miniapp', color: 'var(--chart-1)' },
  { name: 'relayed', title: 'Relayed and paid', color: 'var(--chart-2)' },
];

/** Reported and relayed sums by day in one currency: two lines, and a bar for each difference. */
export function DaysPanel({ pair }: { readonly pair: Pair }) {
  const { data, error, isPending, refetch } = useRecord<{ data: readonly PaidDay[] }>('/analytics/days', {
    ranged: true,
    query: { ...pair },
  });
  const days = data?.data ?? [];
  const currencies = [...new Set(days.map((one) => one.currency))];
  const [chosen, choose] = useState<string>();
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : (currencies[0] ?? '');
  const shown = days.filter((one) => one.currency === currency);
  const [toDay, onZoom] = [useDifferencesOfDay(), useDayZoom()];
  const points = everyDay(shown, useRange().ends());
  const rows = shown.map(({ day, reported, relayed, difference }) => [
    ...[day, String(reported.count), reported.amount, String(relayed.count), relayed.amount, difference],
  ]);
  const unit = currency === '' ? 'sum by day (UTC)' : `${currency} by day (UTC)`;
  const card = { unit, table: { first: 'Day', heads, rows }, isLoading: isPending, error, onRetry: () => void refetch() };
  const empty = shown.length === 0 ? { empty: 'Nothing was paid in this range' } : {};
  return (
    <Stack gap="sm">
      {currencies.length > 1 && (
        <SegmentedControl aria-label="Currency" data={currencies} value={currency} onChange={choose} style={{ alignSelf: 'start' }} />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ChartCard title="Reported against relayed" {...card} {...empty}>
          <Lines series={series} points={points} isByDay onPick={toDay} onZoom={onZoom} />
        </ChartCard>
        <ChartCard title="Difference" {...card} {...empty}>
          <StackedColumns
            series={[{ name: 'difference', title: 'Reported less relayed', color: outcomeColors.partner }]}
            points={points}
            isByDay
            onPick={toDay}
            onZoom={onZoom}
          />
        </ChartCard>
      </SimpleGrid>
    </Stack>
  );
}

/** A drag selects whole days. */
function useDayZoom(): (from: number, to: number) => void {
  const { set } = useRange();
  return (from, to) => set({ from: dayOf(from), to: dayAfter(to) });
}

/** A click on a day shows its differences. */
function useDifferencesOfDay(): (at: number | string) => void {
  const [, setSearch] = useSearchParams();
  return (at) => {
    if (typeof at !== 'number') return;
    const from = dayOf(at);
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set('show', 'differences');
      after.delete('range');
      after.set('from', new Date(from).toISOString());
      after.set('to', new Date(dayAfter(from)).toISOString());
      return after;
    });
  };
}

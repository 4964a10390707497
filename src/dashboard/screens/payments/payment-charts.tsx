import { SimpleGrid, Text } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { Bars } from '../../parts/charts/bars';
import { ChartCard } from '../../parts/charts/chart-card';
import { StackedColumns } from '../../parts/charts/stacked-columns';
import { useListLink } from '../../parts/records/use-list-link';
import { lengthWords } from '../../parts/time-words';
import type { PaymentFigureReader } from './payment-model';

const stages = [
  ['created', 'Created', {}],
  ['accepted', 'Host app accepted', { creation: 'opened' }],
  ['final', 'Result known', { settled: 'yes' }],
  ['noticed', 'Notice delivered', { notice: 'delivered' }],
] as const;

type Bar = PaymentFigureReader['time_to_final']['bars'][number];

/** `< 1 s`, `5–15 s`, `15 s–1 m`, `> 1 d`: short enough to fit below the bars. */
function barWords({ from_ms: from, to_ms: to }: Bar): string {
  const lower = lengthWords(from);
  if (to === undefined) return `> ${lower}`;
  const upper = lengthWords(to);
  if (from === 0) return `< ${upper}`;
  const [number = '', unit] = lower.split(' ');
  return `${upper.endsWith(` ${unit ?? ''}`) ? number : lower}–${upper}`;
}

/** The stages that payments reach, and the time to a result. */
export function PaymentCharts({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const figures = useRecord<PaymentFigureReader>('/figures/payments', { ranged: true, live: 'payments', query });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" mb="md">
      <Funnel figures={figures} query={query} />
      <TimeToFinal figures={figures} query={query} />
    </SimpleGrid>
  );
}

interface ChartProps {
  readonly query: Readonly<Record<string, string>>;
  readonly figures: ReturnType<typeof useRecord<PaymentFigureReader>>;
}

function Funnel({ figures: { data, error, isPending, refetch }, query }: ChartProps) {
  const toList = useListLink('/payments');
  const created = data?.funnel.created ?? 0;
  const share = (value: number): string => (created === 0 ? '–' : `${String(Math.round((1000 * value) / created) / 10)} %`);
  const rows = stages.map(([name, title]) => [title, data?.funnel[name] ?? 0, share(data?.funnel[name] ?? 0)]);
  return (
    <ChartCard
      title="Payment funnel"
      height={160}
      unit="payments created in the range, by how far they came"
      table={{ first: 'Stage', heads: ['Payments', 'Share'], rows }}
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      {...(data && created === 0 && { empty: 'No payment was created in this range' })}
    >
      <Bars
        items={stages.map(([id, title]) => ({ id, title, value: data?.funnel[id] ?? 0 }))}
        valueText={(value) => `${value.toLocaleString('en')} · ${share(value)}`}
        onPick={(id) => toList({ ...query, ...stages.find(([name]) => name === id)?.[2] })}
      />
      {data && (
        <Text size="sm" c="dimmed" mt="sm">
          {data.in_process === 0
            ? 'None in process'
            : `${data.in_process.toLocaleString('en')} in process, ${data.overdue.toLocaleString('en')} of them older than 15 min`}
        </Text>
      )}
    </ChartCard>
  );
}

const series = [
  { name: 'final', title: 'Result known', color: 'var(--chart-ok)' },
  { name: 'overdue', title: 'In process, older than 15 min', color: 'var(--chart-platform)' },
];

/** The bars that contain percentiles, each with all of its percentiles. */
function marksOf(bars: readonly Bar[], percentiles: Readonly<Record<string, number | undefined>>): { at: string; title: string }[] {
  const titles = new Map<string, string[]>();
  for (const [name, ms] of Object.entries(percentiles)) {
    const bar = ms === undefined ? undefined : bars.find(({ from_ms: from, to_ms: to = Infinity }) => ms >= from && ms < to);
    if (bar && ms !== undefined) titles.set(barWords(bar), [...(titles.get(barWords(bar)) ?? []), `${name} ${lengthWords(ms)}`]);
  }
  return [...titles].map(([at, all]) => ({ at, title: all.join(' · ') }));
}

function TimeToFinal({ figures: { data, error, isPending, refetch }, query }: ChartProps) {
  const toList = useListLink('/payments');
  const { bars = [], p50_ms: p50, p95_ms: p95 } = data?.time_to_final ?? {};
  const points = bars.map((bar) => ({ at: barWords(bar), values: { final: bar.final, overdue: bar.overdue } }));
  const isOverdue = (at: unknown): boolean => points.some((point) => point.at === at && point.values.overdue > 0);
  const marks = marksOf(bars, { p50, p95 });
  const isEmpty = points.every(({ values }) => values.final + values.overdue === 0);
  return (
    <ChartCard
      title="Time to final"
      unit={`payments by time from creation to result${p50 === undefined ? '' : `; half within ${lengthWords(p50)}`}`}
      table={{
        first: 'Time',
        heads: series.map(({ title }) => title),
        rows: points.map(({ at, values }) => [at, values.final, values.overdue]),
      }}
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      {...(data && isEmpty && { empty: 'No payment has a result yet' })}
    >
      <StackedColumns
        series={series}
        points={points}
        marks={marks}
        onPick={(at) => toList({ ...query, ...(isOverdue(at) && { status: 'in_process' }) })}
      />
    </ChartCard>
  );
}

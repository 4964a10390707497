import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { ChartCard } from '../../parts/charts/chart-card';
import { plainText, tableOf, type TimeChartProps } from '../../parts/charts/chart-model';
import { Lines } from '../../parts/charts/lines';
import { DetailList } from '../../parts/detail-list';
import { Panel } from '../../parts/panel';
import { useRange } from '../../parts/range/use-range';
import { lengthWords, timeWords } from '../../parts/time-words';
import { useZone } from '../../parts/use-zone';
import type { BacklogAnswer } from './operator-model';

type Sample = BacklogAnswer['data'][number];

/** Waiting deliveries, now and over the page's time range. */
export function BacklogPanel() {
  const { data, error, isPending, refetch } = useRecord<BacklogAnswer>('/operations/backlog', { ranged: true, everyMs: 15_000 });
  const { set } = useRange();
  const [zone] = useZone();
  const atText = (at: number | string): string => (typeof at === 'number' ? timeWords(at, zone) : at);
  const samples = data?.data ?? [];
  const card = {
    isLoading: isPending,
    error,
    onRetry: () => void refetch(),
    ...(samples.length === 0 && { empty: 'Nothing was noted in this range' }),
  };
  const depth = chartOf(samples, [['waiting', 'Waiting', ({ waiting }) => waiting]]);
  const ages = chartOf(samples, [
    ['oldest', 'Oldest', ({ oldest_ms }) => oldest_ms / 1000],
    ['late', 'Most overdue attempt', ({ late_ms }) => late_ms / 1000],
  ]);
  const onZoom = (from: number, to: number): void => set({ from, to });
  return (
    <Stack gap="lg">
      {/* What stands below must not move once this is known: somebody may be about to press it. */}
      {!error && <BacklogNow now={data?.now} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ChartCard title="Backlog" unit="deliveries that wait" table={{ first: 'Time', ...tableOf(depth, atText) }} {...card}>
          <Lines {...depth} onZoom={onZoom} />
        </ChartCard>
        <ChartCard
          title="Age of the backlog"
          unit="how long the oldest has waited"
          table={{ first: 'Time', ...tableOf({ ...ages, valueText: seconds }, atText) }}
          {...card}
        >
          <Lines {...ages} valueText={seconds} onZoom={onZoom} />
        </ChartCard>
      </SimpleGrid>
    </Stack>
  );
}

/** One unit for a whole axis: seconds below ten minutes. */
const seconds = (value: number): string => (value < 600 ? `${plainText(value)} s` : lengthWords(value * 1000));

function BacklogNow({ now }: { readonly now: BacklogAnswer['now'] | undefined }) {
  return (
    <Panel title="Waiting for delivery">
      <DetailList
        items={[
          ['Now', now ? <NowText key="n" now={now} /> : unknown],
          ['Oldest', now ? ageText(now.oldest_ms) : unknown],
          ['Outbox lag', now ? lagText(now.late_ms) : unknown],
        ]}
      />
    </Panel>
  );
}

const unknown = (
  <Skeleton key="unknown" component="span" display="inline-block" height={14} width={72} role="status" aria-label="Loading" />
);

function NowText({ now: { waiting, at_least: atLeast } }: { readonly now: BacklogAnswer['now'] }) {
  return <Text span inherit fw={600}>{`${waiting.toLocaleString('en')}${atLeast ? ' or more' : ''}`}</Text>;
}

const ageText = (oldestMs: number): string => (oldestMs === 0 ? 'nothing waits' : lengthWords(oldestMs));
const lagText = (lateMs: number): string => (lateMs === 0 ? 'none' : `${lengthWords(lateMs)} overdue`);

function chartOf(
  samples: readonly Sample[],
  lines: readonly (readonly [string, string, (sample: Sample) => number])[],
): Pick<TimeChartProps, 'series' | 'points'> {
  return {
    series: lines.map(([name, title]) => ({ name, title })),
    points: samples.map((sample) => ({
      at: Date.parse(sample.at),
      values: Object.fromEntries(lines.map(([name, , value]) => [name, value(sample)])),
    })),
  };
}

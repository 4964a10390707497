import { SimpleGrid, Text } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { Bars } from '../../parts/charts/bars';
import { ChartCard } from '../../parts/charts/chart-card';
import { Lines } from '../../parts/charts/lines';
import { StackedColumns } from '../../parts/charts/stacked-columns';
import { useRange } from '../../parts/range/use-range';
import { useListLink } from '../../parts/records/use-list-link';
import { TimeText } from '../../parts/time-text';
import { queueWords, type DeliveryFigureReader, type Endpoint } from './delivery-model';

type Figures = ReturnType<typeof useRecord<DeliveryFigureReader>>;
interface ChartProps {
  readonly figures: Figures;
}
interface LinkedProps extends ChartProps {
  /** Filter of the deliveries that a click opens. */
  readonly query: Readonly<Record<string, string>>;
}

/** Results of deliveries by endpoint, and the backlog. */
export function DeliveryCharts({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const figures = useRecord<DeliveryFigureReader>('/figures/deliveries', { ranged: true, live: 'deliveries', query });
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md" mb="md">
      <FirstTry figures={figures} query={query} />
      <Attempts figures={figures} />
      <Backlog figures={figures} query={query} />
    </SimpleGrid>
  );
}

const common = ({ error, isPending, refetch }: Figures) => ({ error, isLoading: isPending, onRetry: () => void refetch() });

const shareOf = ({ first_try: first, attempted }: Endpoint): number => (attempted === 0 ? 0 : (100 * first) / attempted);
const percent = (value: number): string => `${value.toFixed(value === 100 ? 0 : 1)} %`;

/** Like `queueWords`, but with the receiver first, because long labels are cut at the end. */
const shortWords = (queue: string): string => queue.split(':').slice(1).join(' ');

function FirstTry({ figures, query }: LinkedProps) {
  const toList = useListLink('/deliveries');
  const endpoints = (figures.data?.endpoints ?? []).filter(({ attempted }) => attempted > 0);
  const rows = endpoints.map((one) => [queueWords(one.queue), percent(shareOf(one)), one.attempted, one.failed]);
  return (
    <ChartCard
      title="First-try success"
      height={160}
      unit="% of deliveries received at the first attempt, by endpoint"
      table={{ first: 'Endpoint', heads: ['First try', 'Attempted', 'Dead letters'], rows }}
      {...common(figures)}
      {...(figures.data && endpoints.length === 0 && { empty: 'Nothing was attempted in this range' })}
    >
      <Bars
        items={endpoints.slice(0, 8).map((one) => ({ id: one.queue, title: shortWords(one.queue), value: shareOf(one) }))}
        valueText={percent}
        whole={100}
        onPick={(queue) => toList({ ...query, queue })}
      />
    </ChartCard>
  );
}

const attemptSeries = [{ name: 'count', title: 'Deliveries' }];

function Attempts({ figures }: ChartProps) {
  const { attempt_edges: edges = [], endpoints = [] } = figures.data ?? {};
  const points = edges.map((from, i) => {
    const to = edges[i + 1];
    const at = to === undefined ? `${String(from)}+` : to === from + 1 ? String(from) : `${String(from)}–${String(to - 1)}`;
    return { at, values: { count: endpoints.reduce((sum, { by_attempts: counts }) => sum + (counts[i] ?? 0), 0) } };
  });
  return (
    <ChartCard
      title="Attempts"
      height={180}
      unit="deliveries by the number of their attempts"
      table={{ first: 'Attempts', heads: ['Deliveries'], rows: points.map(({ at, values }) => [at, values.count]) }}
      {...common(figures)}
      {...(figures.data && endpoints.length === 0 && { empty: 'No delivery was queued in this range' })}
    >
      <StackedColumns series={attemptSeries} points={points} height={180} />
    </ChartCard>
  );
}

const backlogSeries = [{ name: 'depth', title: 'Owed' }];

function Backlog({ figures, query }: LinkedProps) {
  const toList = useListLink('/deliveries');
  const range = useRange();
  const backlog = figures.data?.backlog;
  const points = (backlog?.line ?? []).map(({ at, depth }) => ({ at: Date.parse(at), values: { depth } }));
  const { oldest, depth = 0 } = backlog ?? {};
  return (
    <ChartCard
      title="Backlog"
      height={182}
      unit="deliveries pending"
      table={{ first: 'Time', heads: ['Owed'], rows: points.map(({ at, values }) => [<TimeText key={at} at={at} />, values.depth]) }}
      {...common(figures)}
      {...(figures.data && !backlog && { empty: 'The backlog is shown for ranges that end now' })}
    >
      <Lines
        series={backlogSeries}
        points={points}
        height={150}
        onZoom={(from, to) => range.set({ from, to })}
        onPick={() => toList({ ...query, state: 'ready' })}
      />
      <Text size="sm" c="dimmed" mt="xs" component="p">
        {depth.toLocaleString('en')} pending now
        {oldest !== undefined && (
          <>
            , the oldest since <TimeText at={oldest} as="distance" />
          </>
        )}
      </Text>
    </ChartCard>
  );
}

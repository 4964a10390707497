import { useRecord } from '../../api/use-record';
import { useSession } from '../../api/session';
import { ChartCard } from '../../parts/charts/chart-card';
import { tableOf, type Point, type Series } from '../../parts/charts/chart-model';
import { StackedColumns } from '../../parts/charts/stacked-columns';
import { axisLabel } from '../../parts/charts/time-axis';
import { useRange } from '../../parts/range/use-range';
import { useZone } from '../../parts/use-zone';

const series: readonly Series[] = [
  { name: 'ok', title: 'Refreshed' },
  { name: 'failed', title: 'Failed' },
  { name: 'shared', title: 'Avoided by sharing' },
];

type Outcomes = Readonly<Record<'ok' | 'failed' | 'shared', number>>;

interface Refreshes {
  readonly data: readonly { readonly at: string; readonly user: Outcomes; readonly client: Outcomes }[];
}

/** Numbers of token refreshes, for users and for the platform itself, and of calls that shared another call's refresh. */
export function RefreshesChart() {
  const { role, viewAs } = useSession();
  // Tokens are issued by host apps: a miniapp has none to refresh.
  return (viewAs?.role ?? role) === 'miniapp' ? null : <Chart />;
}

function Chart() {
  const { data, isPending, error, refetch } = useRecord<Refreshes>('/figures/refreshes', { ranged: true });
  const { set } = useRange();
  const [zone] = useZone();
  const points: readonly Point[] = (data?.data ?? []).map(({ at, user, client }) => {
    const values = { ok: user.ok + client.ok, failed: user.failed + client.failed, shared: user.shared + client.shared };
    return { at: Date.parse(at), values };
  });
  const total = points.reduce((sum, { values }) => sum + series.reduce((all, { name }) => all + (values[name] ?? 0), 0), 0);
  return (
    <ChartCard
      title="Token refreshes"
      unit="tokens of users and of Pierhead itself"
      table={{ first: 'Time', ...tableOf({ series, points }, (at) => axisLabel(at, zone)) }}
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      {...(total === 0 && { empty: 'No token was refreshed in this range' })}
    >
      <StackedColumns series={series} points={points} onZoom={(from, to) => set({ from, to })} />
    </ChartCard>
  );
}

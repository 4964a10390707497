import { Group, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconCreditCard, IconSend, IconUserCheck, type Icon } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { manage } from '../../api/manage';
import { percentText, successOf, totalOf, type OutcomeCounts } from '../../parts/figures/figures';
import { ProblemAlert } from '../../parts/problem-alert';
import { useRange, useRangeSearch } from '../../parts/range/use-range';
import styles from './overview.module.css';

export interface CallFigures {
  readonly data: readonly (OutcomeCounts & { readonly call: string })[];
}

interface TileRules {
  readonly title: string;
  readonly icon: Icon;
  readonly calls: readonly string[];
  readonly to: string;
}

const tiles: readonly TileRules[] = [
  { title: 'Sign-ons', icon: IconUserCheck, calls: ['connect', 'authorize', 'partner/login'], to: '/users' },
  { title: 'Payments', icon: IconCreditCard, calls: ['create_order_payment', 'complete_order'], to: '/payments' },
  { title: 'Events', icon: IconSend, calls: ['hostapp_event', 'miniapp_event'], to: '/deliveries' },
];

/** Sign-ons, payments and events: number, success, and the change since the previous period of the same length. */
export function CallTiles({ result }: { readonly result: UseQueryResult<CallFigures> }) {
  const { key, ends } = useRange();
  const before = useQuery({
    queryKey: ['/figures/calls', 'before', key],
    queryFn: ({ signal }) => {
      const { from, to } = ends();
      const query = { from: new Date(from - (to - from)).toISOString(), to: new Date(from).toISOString() };
      return manage<CallFigures>('GET', '/figures/calls', { query, signal });
    },
  });
  if (result.error) return <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: 'xs', sm: 'md' }}>
      {tiles.map((tile) => (
        <Tile key={tile.title} tile={tile} now={countsIn(result.data, tile)} before={countsIn(before.data, tile)} />
      ))}
    </SimpleGrid>
  );
}

function countsIn(figures: CallFigures | undefined, { calls }: TileRules): OutcomeCounts | undefined {
  const own = figures?.data.filter(({ call }) => calls.includes(call));
  const sum = (name: keyof OutcomeCounts): number => own?.reduce((all, one) => all + one[name], 0) ?? 0;
  return own && { ok: sum('ok'), partner_error: sum('partner_error'), refused: sum('refused'), platform_error: sum('platform_error') };
}

interface TileProps {
  readonly tile: TileRules;
  readonly now: OutcomeCounts | undefined;
  readonly before: OutcomeCounts | undefined;
}

function Tile({ tile: { title, icon: Mark, to }, now, before }: TileProps) {
  const range = useRangeSearch();
  if (!now) return <Skeleton height={108} radius="md" />;
  const success = successOf(now);
  return (
    <Paper component={Link} to={`${to}${range}`} withBorder radius="md" p={{ base: 'sm', sm: 'md' }} className={styles.tile ?? ''}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed" fw={500}>
          {title}
        </Text>
        <Mark size={18} stroke={1.6} aria-hidden className={styles.mark} />
      </Group>
      <Group align="baseline" gap="xs" mt={4}>
        <Text fz={28} fw={650} lh={1.2} className={styles.number ?? ''}>
          {totalOf(now).toLocaleString('en')}
        </Text>
        <Text size="sm" fw={500} className={styles.number ?? ''} data-low={success !== null && success < 95}>
          {success === null ? 'no calls' : `${percentText(success)} success`}
        </Text>
      </Group>
      <Change now={totalOf(now)} before={before && totalOf(before)} />
    </Paper>
  );
}

/** The change since the previous period of the same length. */
function Change({ now, before }: { readonly now: number; readonly before: number | undefined }) {
  if (before === undefined) return <Skeleton height={16} width={120} mt={6} />;
  if (before === 0)
    return (
      <Text size="xs" c="dimmed" mt={4}>
        {now === 0 ? 'None before, either' : 'None in the time before'}
      </Text>
    );
  const change = Math.round((100 * (now - before)) / before);
  const Mark = change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <Group gap={4} mt={4} wrap="nowrap" c="dimmed">
      <Mark size={14} aria-hidden />
      <Text size="xs" className={styles.number ?? ''}>
        {change > 0 ? '+' : ''}
        {change.toLocaleString('en')} % against the time before
      </Text>
    </Group>
  );
}

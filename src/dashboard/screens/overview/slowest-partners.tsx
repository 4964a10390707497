import { Group, Skeleton, Text } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { Bars } from '../../parts/charts/bars';
import { msText, totalOf, type PairFigures, type PairPage } from '../../parts/figures/figures';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { useListLink } from '../../parts/records/use-list-link';

interface PartnerTime {
  readonly id: string;
  readonly filter: 'client_id' | 'app_id';
  readonly count: number;
  readonly ms: number;
}

/**
 * The partners with the slowest answers, by their mean share of a request. When there are many integrations, only those with the most
 * traffic count.
 */
export function SlowestPartners() {
  const result = useRecord<PairPage>('/figures/integrations', { ranged: true });
  const toList = useListLink('/requests');
  const slowest = slowestOf(result.data?.data ?? []);
  const { total = 0, data: { length: read } = [] } = result.data ?? {};
  const among = total > read ? `; among the ${String(read)} integrations with the most requests` : '';
  const items = slowest.map(({ id, filter, ms }) => ({ id: `${filter} ${id}`, title: id, value: ms }));
  return (
    <Panel title="Slowest partners" lead={`Mean time that a request waits for them${among}`}>
      {result.error && <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />}
      {result.isPending && <Skeleton height={80} role="status" aria-label="Loading" />}
      {result.data && items.length === 0 && (
        <Group>
          <Text size="sm" c="dimmed">
            No partner was called in this range.
          </Text>
        </Group>
      )}
      {items.length > 0 && (
        <Bars
          items={items}
          valueText={msText}
          onPick={(picked) => {
            const [filter = '', id = ''] = picked.split(' ');
            toList({ [filter]: id });
          }}
        />
      )}
    </Panel>
  );
}

function slowestOf(pairs: readonly PairFigures[]): PartnerTime[] {
  const partners = new Map<string, PartnerTime>();
  const add = (filter: PartnerTime['filter'], id: string, { pair, ms }: { pair: PairFigures; ms: number }): void => {
    const { count = 0, ms: before = 0 } = partners.get(id) ?? {};
    const all = count + totalOf(pair);
    partners.set(id, { id, filter, count: all, ms: (before * count + ms * totalOf(pair)) / Math.max(1, all) });
  };
  for (const pair of pairs) {
    add('client_id', pair.client_id, { pair, ms: pair.host_app_ms });
    add('app_id', pair.app_id, { pair, ms: pair.miniapp_ms });
  }
  return [...partners.values()]
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 5);
}

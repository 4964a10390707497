import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../parts/empty-state';
import type { Column } from '../../parts/records/columns';
import { filteredPath } from '../../parts/records/filters';
import { RecordList } from '../../parts/records/record-list';
import { ShortId } from '../../parts/short-id';
import { StateBadge } from '../../parts/state-badge';
import type { Pair } from './pair-select';
import type { Difference } from './analytics-model';

const kinds = { only_reported: 'only reported', only_seen: 'only relayed', different: 'different' } as const;
const sideText = (side: Difference['reported']): string =>
  side === undefined ? '–' : `${side.amount ?? '?'} ${side.currency ?? ''} ${side.status.replaceAll('_', ' ')}`;

const columns: readonly Column<Difference>[] = [
  {
    ...{ id: 'payment', title: 'Order payment', card: 'head' },
    show: ({ order_payment_id: id }) => <ShortId id={id} what="order payment id" />,
    text: ({ order_payment_id: id }) => id,
  },
  {
    id: 'kind',
    title: 'What',
    card: 'side',
    show: ({ kind }) => <StateBadge tone={kind === 'different' ? 'bad' : 'warn'}>{kinds[kind]}</StateBadge>,
    text: ({ kind }) => kind,
  },
  {
    id: 'differs',
    title: 'Differs in',
    show: ({ differs }) => (differs.length === 0 ? '–' : differs.join(', ')),
    text: ({ differs }) => differs.join(' '),
  },
  {
    id: 'reported',
    title: 'Reported',
    align: 'right',
    show: ({ reported }) => sideText(reported),
    text: ({ reported }) => sideText(reported),
  },
  { id: 'seen', title: 'Relayed', align: 'right', show: ({ seen }) => sideText(seen), text: ({ seen }) => sideText(seen) },
];

const filters = [{ name: 'kind', title: 'What', choices: Object.entries(kinds).map(([value, label]) => ({ value, label })) }];

/** Payments whose report and relayed record differ. */
export function DifferencesList({ pair }: { readonly pair: Pair }) {
  return (
    <RecordList<Difference>
      {...{ title: 'Differences', path: '/analytics/differences', ranged: true, query: { ...pair }, columns, filters }}
      idOf={({ kind, order_payment_id: id, transaction_id: transaction }) => `${kind}:${id}:${transaction ?? ''}`}
      actionsOf={({ order_payment_id: id, seen }) =>
        seen && (
          <Button component={Link} to={filteredPath('/payments', { order_payment_id: id })} size="compact-sm" variant="subtle">
            Payment
          </Button>
        )
      }
      empty={
        <EmptyState icon={IconCircleCheck} title="Reported and relayed agree">
          In this range every payment that the miniapp reported is as the relay has seen it.
        </EmptyState>
      }
    />
  );
}

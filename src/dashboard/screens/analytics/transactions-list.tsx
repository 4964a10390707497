import { Stack } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { CodeBlock } from '../../parts/code-block';
import { EmptyState } from '../../parts/empty-state';
import type { Column } from '../../parts/records/columns';
import { RecordList } from '../../parts/records/record-list';
import { ShortId } from '../../parts/short-id';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { Pair } from './pair-select';
import type { Transaction } from './analytics-model';

const tones: Readonly<Record<string, Tone>> = { paid: 'good', refunded: 'info', failed: 'bad', cancelled: 'quiet' };

const columns: readonly Column<Transaction>[] = [
  { id: 'at', title: 'Time', show: ({ at }) => <TimeText at={at} />, text: ({ at }) => at },
  {
    ...{ id: 'transaction', title: 'Transaction', card: 'head' },
    show: ({ transaction_id: id }) => <ShortId id={id} what="transaction id" />,
    text: ({ transaction_id: id }) => id,
  },
  {
    id: 'status',
    title: 'State',
    card: 'side',
    show: ({ status }) => <StateBadge tone={tones[status] ?? 'wait'}>{status}</StateBadge>,
    text: ({ status }) => status,
  },
  { id: 'amount', title: 'Amount', align: 'right', show: ({ amount, currency }) => `${amount} ${currency}`, text: ({ amount }) => amount },
  { id: 'currency', title: 'Currency', hidden: true, show: ({ currency }) => currency, text: ({ currency }) => currency },
  {
    ...{ id: 'payment', title: 'Order payment' },
    show: ({ order_payment_id: id }) => (id === undefined ? '–' : <ShortId id={id} what="order payment id" />),
    text: ({ order_payment_id: id }) => id,
  },
];

const filters = [
  { name: 'status', title: 'State', choices: ['paid', 'refunded', 'failed', 'cancelled'] },
  { name: 'currency', title: 'Currency', example: 'USD' },
  { name: 'order_payment_id', title: 'Order payment', rare: true },
  { name: 'transaction_id', title: 'Transaction', rare: true },
];

/** The single reports. */
export function TransactionsList({ pair }: { readonly pair: Pair }) {
  return (
    <RecordList<Transaction>
      {...{ title: 'Transactions', path: '/analytics/transactions', ranged: true, query: { ...pair }, columns, filters }}
      idOf={({ id }) => id}
      empty={<HowToSend pair={pair} />}
    />
  );
}

function HowToSend({ pair }: { readonly pair: Pair }) {
  const text = `curl -u '${pair.app_id}:SECRET_KEY' ${window.location.origin}/api/v1/analytics/miniapp-transactions/ \\
  -H 'Content-Type: application/json' \\
  -H 'X-Hostapp-Client-Id: ${pair.client_id}' -H 'X-Miniapp-App-Id: ${pair.app_id}' \\
  -d '{"transaction_id":"order-1001","amount":"12.50","currency":"USD","status":"paid"}'`;
  return (
    <Stack>
      <EmptyState icon={IconChartBar} title="No transaction was reported in this range">
        The miniapp&apos;s back end reports its own transactions, one or many in a call, with its own Secret key:
      </EmptyState>
      <CodeBlock text={text} what="curl command" />
    </Stack>
  );
}

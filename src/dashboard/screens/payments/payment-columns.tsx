import { Text } from '@mantine/core';
import type { Column } from '../../parts/records/columns';
import type { Filter } from '../../parts/records/filters';
import { ShortId } from '../../parts/short-id';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { hostStateOf, noticeOf, stateOf, type Payment } from './payment-model';

export const badge = (style: readonly [Tone, string] | undefined) => (style ? <StateBadge tone={style[0]}>{style[1]}</StateBadge> : '–');

/** An amount as it was sent, with aligned digits and its currency. */
export const amountText = ({ amount, currency }: Pick<Payment, 'amount' | 'currency'>) => (
  <Text component="span" size="sm" fw={500} style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
    {amount ?? 'unreadable'}{' '}
    <Text component="span" size="xs" c="dimmed">
      {currency}
    </Text>
  </Text>
);

export const pairText = ({ client_id: host, app_id: app }: { readonly client_id?: string; readonly app_id?: string }): string =>
  host === undefined || app === undefined ? 'removed' : `${host} → ${app}`;

export const paymentColumns: readonly Column<Payment>[] = [
  { id: 'id', title: 'Payment', show: ({ id }) => <ShortId id={id} what="payment id" />, text: ({ id }) => id, card: 'head' },
  { id: 'state', title: 'State', show: (row) => badge(stateOf(row)), text: (row) => stateOf(row)[1], card: 'side' },
  { id: 'amount', title: 'Amount', align: 'right', show: amountText, text: ({ amount }) => amount },
  { id: 'currency', title: 'Currency', hidden: true, show: ({ currency }) => currency, text: ({ currency }) => currency, card: 'nowhere' },
  {
    id: 'order',
    title: 'Order',
    show: ({ order_id: id }) => (id === undefined ? '–' : <ShortId id={id} what="order id" />),
    text: (row) => row.order_id,
  },
  {
    ...{ id: 'host-id', title: 'Order payment', hidden: true, text: (row) => row.order_payment_id },
    show: ({ order_payment_id: id }) => (id === undefined ? '–' : <ShortId id={id} what="order payment id" />),
  },
  {
    ...{ id: 'pair', title: 'Integration', text: pairText },
    show: (row) => (
      <Text component="span" size="sm" ff="monospace" fz="0.86em" style={{ overflowWrap: 'break-word' }}>
        {pairText(row).replace('→ ', '→\u00a0')}
      </Text>
    ),
  },
  { id: 'age', title: 'Created', show: ({ created_at: at }) => <TimeText at={at} as="distance" />, text: ({ created_at: at }) => at },
  { id: 'host', title: 'Host app’s view', show: (row) => badge(hostStateOf(row)), text: (row) => hostStateOf(row)[1] },
  { id: 'notice', title: 'Notice', show: (row) => badge(noticeOf(row)), text: (row) => noticeOf(row)?.[1] },
];

export const paymentFilters: readonly Filter[] = [
  { name: 'status', title: 'State', choices: ['in_process', 'paid', 'failed', 'cancelled'] },
  {
    ...{ name: 'settled', title: 'Result', rare: true },
    choices: [
      { value: 'yes', label: 'known' },
      { value: 'no', label: 'not known yet' },
    ],
  },
  {
    name: 'notice',
    title: 'Notice',
    choices: [{ value: 'ready', label: 'pending' }, 'parked', 'delivered', { value: 'failed', label: 'dead letter' }],
  },
  { name: 'conflict', title: 'Conflict', choices: ['open'] },
  { name: 'client_id', title: 'Host app', example: 'host_…' },
  { name: 'app_id', title: 'Miniapp', example: 'app_…' },
  { name: 'creation', title: 'Creation', choices: ['opened', 'refused', 'unanswered', 'begun', 'repeated'], rare: true },
  { name: 'order_payment_id', title: 'Order payment id', rare: true },
  { name: 'id', title: 'Payment id', rare: true },
];

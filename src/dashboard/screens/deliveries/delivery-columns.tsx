import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { Column } from '../../parts/records/columns';
import type { Filter } from '../../parts/records/filters';
import { ShortId } from '../../parts/short-id';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { answerWords, stateOf, type Delivery } from './delivery-model';
import { useDeliveryActions } from './use-delivery-actions';

const receiverId = ({ receiver, client_id: host, app_id: app }: Delivery): string => (receiver === 'hostapp' ? host : app) ?? 'removed';
const attempts = ({ attempt_count: made, planned_attempts: planned }: Delivery): string =>
  `${String(made)} / ${String(Math.max(made, planned))}`;
const lastAnswer = ({
  last_attempt_at: at,
  last_status: status,
  last_error_code: code,
  last_cause: cause,
}: Delivery): string | undefined =>
  at === undefined
    ? undefined
    : answerWords({
        ...(status !== undefined && { status }),
        ...(code !== undefined && { error_code: code }),
        ...(cause !== undefined && { cause }),
      });

/** The state as a badge that is readable without colour. */
export const stateBadge = (delivery: Delivery) => {
  const [tone, words] = stateOf(delivery);
  return <StateBadge tone={tone}>{words}</StateBadge>;
};

export const deliveryColumns: readonly Column<Delivery>[] = [
  { id: 'id', title: 'Delivery', show: ({ id }) => <ShortId id={id} what="delivery id" />, text: ({ id }) => id, card: 'head' },
  { id: 'state', title: 'State', show: stateBadge, text: (row) => stateOf(row)[1], card: 'side' },
  { id: 'kind', title: 'Type', show: ({ kind }) => kind, text: ({ kind }) => kind },
  {
    ...{ id: 'receiver', title: 'Receiver', text: receiverId },
    show: (row) => (
      <Text component="span" size="sm" ff="monospace" fz="0.86em" style={{ overflowWrap: 'anywhere' }}>
        {receiverId(row)}
      </Text>
    ),
  },
  { id: 'attempts', title: 'Attempts', align: 'right', show: attempts, text: attempts },
  {
    id: 'created',
    title: 'Owed since',
    show: ({ created_at: at }) => <TimeText at={at} as="distance" />,
    text: ({ created_at: at }) => at,
  },
  {
    id: 'next',
    title: 'Next try',
    show: ({ due_at: at }) => (at === undefined ? '–' : <TimeText at={at} as="distance" />),
    text: (row) => row.due_at,
  },
  { id: 'last', title: 'Last answer', show: (row) => lastAnswer(row) ?? '–', text: lastAnswer },
  { id: 'parked', title: 'Parked by', hidden: true, show: ({ parked_by: by }) => by ?? '–', text: (row) => row.parked_by },
];

export const deliveryFilters: readonly Filter[] = [
  {
    ...{ name: 'state', title: 'State' },
    choices: [{ value: 'ready', label: 'pending' }, 'parked', 'delivered', { value: 'failed', label: 'dead letter' }],
  },
  { name: 'kind', title: 'Type', choices: ['completion', 'event'] },
  { name: 'client_id', title: 'Host app', example: 'host_…' },
  { name: 'app_id', title: 'Miniapp', example: 'app_…' },
  { name: 'queue', title: 'Endpoint', example: 'miniapp:app_…:completion', rare: true },
  { name: 'id', title: 'Event or payment id', rare: true },
];

/** Resends a delivery in the list. */
export function ResendOne({ delivery: { id } }: { readonly delivery: Delivery }) {
  const { resend } = useDeliveryActions();
  return (
    <Tooltip label="Resend" withArrow>
      <ActionIcon variant="subtle" color="gray" aria-label={`Resend ${id}`} loading={resend.isPending} onClick={() => resend.mutate(id)}>
        <IconSend size={17} />
      </ActionIcon>
    </Tooltip>
  );
}

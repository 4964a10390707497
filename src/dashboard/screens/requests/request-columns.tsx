import { Stack, Text } from '@mantine/core';
import type { Column } from '../../parts/records/columns';
import type { Filter } from '../../parts/records/filters';
import { ShortId } from '../../parts/short-id';
import { TimeText } from '../../parts/time-text';
import { CheckMarks } from './check-marks';
import { callNames, callWords, queueTitles, marksOf, msWords, sideTitles, type ExchangeRow } from './request-model';
import { StatusBadge } from './request-details';

const marksText = (row: ExchangeRow): string =>
  Object.entries(marksOf(row))
    .map(([name, mark]) => `${name} ${mark}`)
    .join('; ');

/** Why a call failed, and the side that has to act. Renders nothing after success. */
function Failure({ error_code, verdict: { side } }: Pick<ExchangeRow, 'error_code' | 'verdict'>) {
  return (
    <>
      {error_code !== undefined && (
        <Text component="div" ff="monospace" fz="xs">
          {error_code}
        </Text>
      )}
      {side !== 'nobody' && (
        <Text component="div" fz="xs" c="dimmed">
          {sideTitles[side]} has to act
        </Text>
      )}
    </>
  );
}

function Partners({ client_id, app_id }: Pick<ExchangeRow, 'client_id' | 'app_id'>) {
  if (client_id === undefined && app_id === undefined)
    return (
      <Text component="span" size="sm" c="dimmed">
        not named
      </Text>
    );
  return (
    <Stack gap={0} align="flex-start" component="span" display="inline-flex">
      {client_id !== undefined && <ShortId id={client_id} what="client id" copies={false} ends={7} />}
      {app_id !== undefined && <ShortId id={app_id} what="app id" copies={false} ends={7} />}
    </Stack>
  );
}

export const requestColumns: readonly Column<ExchangeRow>[] = [
  { id: 'at', title: 'Time', show: ({ at }) => <TimeText at={at} />, text: ({ at }) => at, card: 'side' },
  { id: 'call', title: 'Endpoint', show: ({ call }) => <b>{callWords(call)}</b>, text: ({ call }) => call, card: 'head' },
  { id: 'direction', title: 'From', show: ({ from }) => queueTitles[from], text: ({ from }) => from, card: 'nowhere' },
  { id: 'status', title: 'Status', show: ({ status }) => <StatusBadge status={status} />, text: ({ status }) => status },
  { id: 'error_code', title: 'Error code', show: (row) => <Failure {...row} />, text: ({ error_code }) => error_code },
  { id: 'checks', title: 'Checks', show: (row) => <CheckMarks marks={marksOf(row)} />, text: marksText },
  {
    id: 'ms',
    title: 'Took',
    align: 'right',
    show: ({ ms }) => <span style={{ whiteSpace: 'nowrap' }}>{msWords(ms)}</span>,
    text: ({ ms }) => ms,
  },
  {
    ...{ id: 'acts', title: 'Has to act', text: ({ verdict }) => verdict.side, card: 'nowhere', hidden: true },
    show: ({ verdict: { side } }) => (side === 'nobody' ? '' : sideTitles[side]),
  },
  {
    id: 'partners',
    title: 'Partners',
    show: (row) => <Partners {...row} />,
    text: ({ client_id = '', app_id = '' }) => `${client_id} ${app_id}`,
  },
  {
    ...{ id: 'request_id', title: 'Request id', text: ({ request_id }) => request_id },
    show: ({ request_id }) => <ShortId id={request_id} what="request id" />,
  },
  { id: 'reference', title: 'User', hidden: true, show: ({ reference = '' }) => reference, text: ({ reference }) => reference },
];

export const requestFilters: readonly Filter[] = [
  { name: 'call', title: 'Endpoint', choices: callNames.map((value) => ({ value, label: callWords(value) })) },
  {
    name: 'status_class',
    title: 'Status',
    choices: [
      { value: '2', label: '2xx received' },
      { value: '4', label: '4xx refused' },
      { value: '5', label: '5xx failed' },
    ],
  },
  { name: 'error_code', title: 'Error code', example: 'ACCESS_DENIED' },
  {
    name: 'refused_check',
    title: 'Check refused',
    choices: [
      { value: 'basic', label: 'Basic' },
      { value: 'signature', label: 'Signature' },
      { value: 'address', label: 'IP address' },
    ],
  },
  {
    name: 'failed_side',
    title: 'Failed side',
    choices: [
      { value: 'hostapp', label: 'Host app' },
      { value: 'miniapp', label: 'Miniapp' },
      { value: 'platform', label: 'Pierhead' },
    ],
    rare: true,
  },
  { name: 'client_id', title: 'Host app', example: 'host_…', rare: true },
  { name: 'app_id', title: 'Miniapp', example: 'app_…', rare: true },
  { name: 'request_id', title: 'Request id', rare: true },
  { name: 'part_of', title: 'Payment or event id', rare: true },
  { name: 'status', title: 'Exact status', example: '401', rare: true },
  { name: 'min_ms', title: 'Took at least (ms)', example: '1000', rare: true },
];

/** The filters that statistics support, too. */
export const figureFilters = requestFilters.filter(({ name }) => ['client_id', 'app_id', 'call'].includes(name));
